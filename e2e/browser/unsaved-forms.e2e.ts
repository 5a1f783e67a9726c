import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

test.use({ group: 'unsaved-forms' });

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard changes?' });

test('Escape does not lose a half-filled alert rule, and closes one that nobody touched at once', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/alerts?tab=rules`);
  await page.getByRole('button', { name: 'New rule' }).click();
  const form = page.getByRole('dialog', { name: 'Alert rule' });
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);

  await page.getByRole('button', { name: 'New rule' }).click();
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Too slow');
  await page.keyboard.press('Escape');
  await expect(question(page).getByRole('button', { name: 'Keep editing' })).toBeFocused();
  // Escape answers the question alone.
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('Too slow');
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused();

  await page.mouse.click(20, 400);
  await question(page).getByRole('button', { name: 'Keep editing' }).click();
  await form.getByRole('button', { name: 'Close alert rule' }).click();
  await question(page).getByRole('button', { name: 'Discard changes' }).click();
  await expect(form).toHaveCount(0);
  await expect(page.getByText('Too slow')).toHaveCount(0);
});

test('what was typed and taken back again is not asked about; a choice and a list are', async ({ page, master }) => {
  await page.goto(`${master.url}/alerts?tab=channels`);
  await page.getByRole('button', { name: 'New channel' }).click();
  const channel = page.getByRole('dialog', { name: 'New channel' });
  await expect(channel).toBeVisible();
  const name = channel.getByRole('textbox', { name: 'Name', exact: true });
  await name.click();
  await page.keyboard.type('x');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Escape');
  await expect(channel).toHaveCount(0);

  await page.getByRole('button', { name: 'New channel' }).click();
  await channel.getByLabel('Type', { exact: true }).click();
  await page.getByRole('option', { name: /hook/i }).first().click();
  await channel.getByRole('button', { name: 'Close' }).click();
  await question(page).getByRole('button', { name: 'Discard changes' }).click();
  await expect(channel).toHaveCount(0);
});

test('a form asks once and not after it was sent', async ({ page, master }) => {
  await page.goto(`${master.url}/schedules`);
  await page.getByRole('button', { name: 'New schedule' }).first().click();
  const form = page.getByRole('dialog', { name: 'New schedule' });
  await form.getByRole('textbox', { name: 'Description' }).fill('Every morning');
  await page.keyboard.press('Escape');
  await expect(question(page)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(question(page)).toHaveCount(0);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect(form).toHaveCount(0);

  await page.goto(`${master.url}/workflows/shout?tab=keys`);
  await page.getByRole('button', { name: 'New key' }).first().click();
  const key = page.getByRole('dialog', { name: 'New API key' });
  await key.getByRole('textbox', { name: 'Name' }).fill('Shop');
  await key.getByRole('button', { name: 'Create key' }).click();
  await expect(key).toHaveCount(0);
  await expect(question(page)).toHaveCount(0);
});

test('an edited text counts, too: the case of a test', async ({ page, master }) => {
  await page.goto(`${master.url}/workflows/shout?tab=tests`);
  await page.getByRole('button', { name: 'New test case' }).first().click();
  const form = page.getByRole('dialog', { name: 'New test case' });
  const editor = form.getByRole('textbox', { name: 'Test case as JSON' });
  await editor.click();
  await page.keyboard.type(' ');
  await page.mouse.click(10, 400);
  await expect(question(page)).toBeVisible();
  await question(page).getByRole('button', { name: 'Discard changes' }).click();
  await expect(form).toHaveCount(0);
});

test('Back asks before a half-filled alert rule is lost', async ({ page, master }) => {
  await page.goto(`${master.url}/alerts?tab=channels`);
  await page.getByRole('tab', { name: 'Rules' }).click();
  await page.getByRole('button', { name: 'New rule' }).click();
  const form = page.getByRole('dialog', { name: 'Alert rule' });
  const name = form.getByRole('textbox', { name: 'Name' });
  await expect(name).toBeFocused();
  await page.goBack();
  await expect(form).toHaveCount(0);

  await page.goForward();
  await expect(name).toBeFocused();
  await page.keyboard.type('Too slow');
  await page.goBack();
  await expect(question(page).getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question(page)).toHaveCount(0);
  await expect(name).toHaveValue('Too slow');
  await expect(page).toHaveURL(/rule=new/);

  await page.goBack();
  await question(page).getByRole('button', { name: 'Discard changes' }).click();
  await expect(form).toHaveCount(0);
  await expect(page).toHaveURL(/tab=rules$/);
});

test('Back asks before it leaves the page of a form, and takes one away that the address does not name', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/schedules`);
  await page.goto(`${master.url}/alerts?tab=rules`);
  await page.getByRole('tab', { name: 'Channels' }).click();
  await page.getByRole('button', { name: 'New channel' }).click();
  const channel = page.getByRole('dialog', { name: 'New channel' });
  await channel.getByRole('textbox', { name: 'Name', exact: true }).fill('Night');
  await page.goBack();
  await question(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(channel.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Night');
  await expect(page).toHaveURL(/tab=channels/);
  await page.goBack();
  await question(page).getByRole('button', { name: 'Discard changes' }).click();
  await expect(page).toHaveURL(/tab=rules/);
  await expect(channel).toHaveCount(0);
});

test('the routing of alerts asks before another tab loses what was changed, and not once it is saved', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/alerts?tab=routing`);
  const wait = page.getByRole('textbox', { name: 'Group wait' });
  await wait.fill('45s');
  await page.getByRole('tab', { name: 'Rules' }).click();
  await question(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(wait).toHaveValue('45s');
  await page.getByRole('button', { name: 'Save routing' }).click();
  await expect(page.getByText('Routing saved')).toBeVisible();
  await page.getByRole('tab', { name: 'Rules' }).click();
  await expect(page.getByRole('button', { name: 'New rule' })).toBeVisible();
  await expect(question(page)).toHaveCount(0);
});

test('a route of alerts that was only added is not asked about, and neither is a channel that the address names', async ({
  page,
  master,
}) => {
  const { id } = await master.call('channels.create', {
    body: { name: 'Night', kind: 'webhook', settings: { url: 'https://example.com/night' } },
  });
  await page.goto(`${master.url}/alerts?tab=routing&channel=${id}`);
  await expect(page.getByText('Once saved, Night receives all alerts too.')).toBeVisible();
  const rules = page.getByRole('tab', { name: 'Rules' });
  const routing = page.getByRole('tab', { name: 'Routing' });
  for (const add of [null, 'Add route', 'Add inhibition']) {
    if (add !== null) await page.getByRole('button', { name: add }).click();
    await rules.click();
    await expect(page.getByRole('button', { name: 'New rule' })).toBeVisible();
    await routing.click();
    await expect(page.getByRole('button', { name: 'Save routing' })).toBeVisible();
  }

  // Nor where it was shown as JSON since, and in the form again.
  for (const shown of [['JSON'], ['JSON', 'Form']]) {
    await page.getByRole('button', { name: 'Add route' }).click();
    for (const form of shown)
      await page.getByRole('radiogroup', { name: 'Edit as' }).getByText(form, { exact: true }).click();
    await rules.click();
    await expect(page.getByRole('button', { name: 'New rule' })).toBeVisible();
    await routing.click();
    await expect(page.getByRole('button', { name: 'Save routing' })).toBeVisible();
  }

  await page.getByRole('button', { name: 'Add inhibition' }).click();
  await page.getByRole('textbox', { name: 'Suppress alerts matching this' }).fill('severity="warning"');
  await rules.click();
  await question(page).getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Remove inhibition 1' }).click();

  // Saved, it is no longer blank: to remove it again is a change.
  await page.getByRole('button', { name: 'Add route' }).click();
  await page.getByRole('button', { name: 'Save routing' }).click();
  await expect(page.getByText('Routing saved')).toBeVisible();
  await page.getByRole('button', { name: 'Remove route 1' }).click();
  await rules.click();
  await question(page).getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('button', { name: 'New rule' })).toBeVisible();
});

/** Follows a link to the console, as one that was pasted: it is followed from anywhere, also over a form. */
async function follow(page: Page, link: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill(link);
  await expect(page.getByRole('option', { selected: true })).toContainText('Open the link');
  await page.keyboard.press('Enter');
}

test('a form that is discarded by Back does not lead back to its page', async ({ page, master }) => {
  await page.goto(`${master.url}/schedules`);
  await expect(page.getByRole('button', { name: 'New schedule' }).first()).toBeVisible();
  await follow(page, `${master.url}/alerts?tab=rules&rule=new`);
  const form = page.getByRole('dialog', { name: 'Alert rule' });
  // The code of the other page is no longer there, and comes late: meanwhile the form still shows.
  const { promise: isLate, resolve: go } = Promise.withResolvers<void>();
  await page.route('**/assets/SchedulesPage-*.js', (route) => isLate.then(() => route.continue()));
  await page.reload();
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Too slow');
  await page.goBack();
  await question(page).getByRole('button', { name: 'Discard changes' }).click();
  await expect(question(page)).toHaveCount(0);
  go();
  await expect(page.getByRole('button', { name: 'New schedule' }).first()).toBeVisible();
  await expect(form).toHaveCount(0);
  await page.goForward();
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('');
  await expect(page).toHaveURL(/tab=rules&rule=new$/);
  await page.unrouteAll({ behavior: 'wait' });
});

test('the command palette over a form asks before it loses it, also to another tab of its page', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/alerts?tab=channels`);
  await page.getByRole('button', { name: 'New channel' }).click();
  const channel = page.getByRole('dialog', { name: 'New channel' });
  const name = channel.getByRole('textbox', { name: 'Name', exact: true });
  for (const place of ['alerts?tab=silences', 'schedules']) {
    await name.fill('Night');
    await follow(page, `${master.url}/${place}`);
    await expect(question(page).getByRole('button', { name: 'Keep editing' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(question(page)).toHaveCount(0);
    await expect(name).toBeFocused();
    await expect(page).toHaveURL(/tab=channels$/);
  }
  await follow(page, `${master.url}/alerts?tab=silences`);
  await question(page).getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('button', { name: 'New silence' }).first()).toBeVisible();
  await expect(channel).toHaveCount(0);
});

test('the command palette asks also where only what is open on the page changes, and Cancel does not', async ({
  page,
  master,
}) => {
  const { items } = await master.call('alertRules.list', { query: { size: 2 } });
  const [first, second] = items.map(({ id }) => id);
  await page.goto(`${master.url}/alerts?tab=rules&rule=${first}`);
  const name = page.getByRole('dialog', { name: 'Alert rule' }).getByRole('textbox', { name: 'Name' });
  const shown = await name.inputValue();
  await name.fill('Too slow');
  await follow(page, `${master.url}/alerts?tab=rules&rule=${second}`);
  await question(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(name).toHaveValue('Too slow');
  await expect(page).toHaveURL(new RegExp(`rule=${first}$`));

  await follow(page, `${master.url}/alerts?tab=rules&rule=${second}`);
  await question(page).getByRole('button', { name: 'Discard changes' }).click();
  await expect(page).toHaveURL(new RegExp(`rule=${second}$`));
  await expect(name).not.toHaveValue('Too slow');
  await expect(name).not.toHaveValue(shown);

  await name.fill('Too slow');
  await page.getByRole('dialog', { name: 'Alert rule' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(name).toHaveCount(0);
  await expect(question(page)).toHaveCount(0);
  await expect(page).toHaveURL(/tab=rules$/);
});

test('a form that the master refused still asks, and one that is sent twice does not', async ({ page, master }) => {
  await page.goto(`${master.url}/workflows`);
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  const form = page.getByRole('dialog', { name: 'New workflow' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Shout');
  await page.keyboard.press('Enter');
  await expect(form.getByText('This ID is already used.')).toBeVisible();
  await follow(page, `${master.url}/schedules`);
  await question(page).getByRole('button', { name: 'Keep editing' }).click();

  await form.getByRole('textbox', { name: 'Name' }).fill('Sent twice');
  const { promise: pressedAgain, resolve: go } = Promise.withResolvers<void>();
  await page.route('**/api/v1/workflows', (route) => pressedAgain.then(() => route.continue()));
  const request = page.waitForRequest('**/api/v1/workflows');
  await page.keyboard.press('Enter');
  await request;
  await page.keyboard.press('Enter');
  go();
  await expect(page).toHaveURL(/\/workflows\/sent-twice/);
  await expect(form).toHaveCount(0);
  await expect(question(page)).toHaveCount(0);
  await page.unroute('**/api/v1/workflows');
});

test('the command palette gives the focus back where it stays on the page', async ({ page, master }) => {
  await page.goto(`${master.url}/jobs`);
  const search = page.getByRole('textbox', { name: 'Query' });
  await page.getByRole('grid', { name: 'Jobs' }).waitFor();
  await search.focus();
  await follow(page, `${master.url}/jobs?status=["FAILED"]`);
  await expect(page).toHaveURL(/FAILED/);
  await expect(search).toBeFocused();
});

test('the button of a form that lacks something says so, and leads to the field', async ({ page, master }) => {
  await page.goto(`${master.url}/alerts?tab=silences`);
  await page.getByRole('button', { name: 'New silence' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New silence' });
  const silence = dialog.getByRole('button', { name: 'Silence', exact: true });
  await dialog.getByRole('textbox', { name: 'Matchers' }).fill('workflow_id="none-such"');
  for (let i = 0; i < 4; i++) await page.keyboard.press('Tab');
  await expect(silence).toBeFocused();
  await expect(page.getByText('The form is not complete yet.')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused();
});
