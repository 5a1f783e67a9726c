import type { Page } from '@playwright/test';
import { picky } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';
import { publish } from '../support/master.ts';

/** Whoever has no pointer comes to an element by Tab alone. */
async function tabTo(
  page: Page,
  name: string | RegExp,
  role: Parameters<Page['getByRole']>[0] = 'button',
): Promise<void> {
  const wanted = page.getByRole(role, { name, ...(typeof name === 'string' ? { exact: true } : {}) }).first();
  let found = await wanted.elementHandle();
  for (let i = 0; i < 80; i++) {
    // It is looked for again where it was made anew alone: to look through the page costs more than the key.
    let there = await found?.evaluate((element) => element.isConnected && element === document.activeElement);
    if (!there && !(await found?.evaluate(({ isConnected }) => isConnected))) {
      found = await wanted.elementHandle();
      there = await found?.evaluate((element) => element === document.activeElement);
    }
    if (there) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${role} ${name}`);
}
const press = async (page: Page, name: string | RegExp) => {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
};

test('an admin makes a token and revokes it by keys alone: what is taken away leaves the focus where it was', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/settings?tab=tokens`);
  await press(page, 'New token');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('by-keys');
  await page.keyboard.press('Enter');
  // The token took the place of the form; it is read once, and goes by its button alone.
  const kept = page.getByRole('button', { name: 'I have copied it' });
  await expect(kept).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(kept).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'New token' })).toBeFocused();

  await press(page, 'Revoke by-keys');
  await expect(page.getByRole('button', { name: 'Revoke 1 token' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Revoke by-keys' })).toHaveCount(0);
  await expect(page.getByRole('grid', { name: 'Tokens' })).toBeFocused();
});

test('a dialog that a key of the page opened gives the focus back to the page', async ({ page, master }) => {
  await page.goto(`${master.url}/workers`);
  await expect(page.getByRole('button', { name: 'Add worker' })).toBeVisible();
  await page.locator('main').focus();
  await page.keyboard.press('n');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator('main')).toBeFocused();
});

test('what a message offers is one key away, and so is the way back', async ({ page, master }) => {
  await master.call('settings.update', { body: { jobRetentionDays: 30 } });
  await page.goto(`${master.url}/settings?tab=limits`);
  const override = async () =>
    (await master.call('settings.get')).settings.find(({ name }) => name === 'jobRetentionDays')?.override;
  // The button goes with what it undoes.
  await press(page, 'Reset to default: Job retention');
  const table = page.getByRole('grid', { name: 'Limits and retention' });
  await expect(table).toBeFocused();
  expect(await override()).toBeNull();
  await page.keyboard.press('F8');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('F8');
  await expect(table).toBeFocused();
  await page.keyboard.press('F8');
  await page.keyboard.press('Enter');
  await expect.poll(override).toBe(30);
  await expect(table).toBeFocused();
});

test('a message stays while the focus is on its button: Enter presses that, and nothing below it', async ({
  page,
  master,
}) => {
  await master.call('settings.update', { body: { jobRetentionDays: 30 } });
  await page.clock.install();
  await page.goto(`${master.url}/settings?tab=limits`);
  const override = async () =>
    (await master.call('settings.get')).settings.find(({ name }) => name === 'jobRetentionDays')?.override;
  await press(page, 'Reset to default: Job retention');
  await expect.poll(override).toBeNull();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.keyboard.press('F8');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  // Longer than messages show.
  await page.clock.runFor(30_000);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(override).toBe(30);
});

test('a button that has the focus keeps it when it cannot be pressed any more', async ({ page, master }) => {
  const { totalItems: all } = await master.call('tokens.list');
  await page.goto(`${master.url}/settings?tab=tokens&size=1&page=${all - 2}`);
  await expect(page.getByText(`${all - 1}–${all - 1} of ${all}`)).toBeVisible();
  await press(page, 'Next page');
  const end = page.getByText(`${all}–${all} of ${all}`);
  await expect(end).toBeVisible();
  const next = page.getByRole('button', { name: 'Next page' });
  await expect(next).toBeFocused();
  await expect(next).toBeDisabled();
  await page.keyboard.press('Enter');
  await expect(end).toBeVisible();
  // Once it is left, it is no stop of Tab.
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Previous page' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(next).not.toBeFocused();
});

test('the routing that is being written outlives an alert, and its own saving', async ({ page, master }) => {
  await page.goto(`${master.url}/alerts?tab=routing`);
  const wait = page.getByRole('textbox', { name: 'Group wait' });
  await tabTo(page, 'Group wait', 'textbox');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('45s');
  // An alert fires: all that is known of alerts is read again.
  const read = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/v1/alerts/policy') && answer.request().method() === 'GET',
  );
  const { id } = await master.call('alertRules.create', {
    body: {
      name: 'Tasks run',
      query: {
        source: 'metrics',
        measurement: 'task_metrics',
        field: 'counter_run_count',
        aggregate: 'sum',
        groupBy: [],
        filters: {},
      },
      threshold: { op: 'gt', value: 0 },
      intervalSeconds: 1,
      forSeconds: 0,
      severity: 'info',
    },
  });
  await master.event('shout/dev', [{ content: 'hello' }]);
  await read;
  await expect(wait).toHaveValue('45s');
  await expect(wait).toBeFocused();
  await press(page, 'Add route');
  await press(page, 'Remove route 1');
  await expect(page.getByRole('group', { name: 'Routes' })).toBeFocused();
  await press(page, 'Save routing');
  await expect(page.getByText('Routing saved')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save routing' })).toBeFocused();
  expect((await master.call('alertPolicy.get')).groupWaitSeconds).toBe(45);
  await master.call('alertRules.delete', { params: { id } });
});

test('an operator reads a chart, and zooms into a stretch of it, by keys alone', async ({ page, master }) => {
  await master.event('reserve-stock/dev', [{ order: 'K-1', sku: 'nut-m3', count: 1, trouble: 'unknown' }]);
  // Lines are stored a moment after the call is answered.
  await expect
    .poll(async () => (await master.call('logs.search', { query: { query: '"no article"' } })).records.length)
    .toBeGreaterThan(0);
  await page.goto(`${master.url}/logs`);
  const chart = page.getByRole('slider', { name: /^Lines over time/ });
  await tabTo(page, /^Lines over time/, 'slider');
  await page.keyboard.press('Home');
  await expect(chart).toHaveAttribute('aria-valuetext', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d: .*ERROR 0/);
  const oldest = await chart.getAttribute('aria-valuetext');
  await page.keyboard.press('ArrowRight');
  await expect(chart).not.toHaveAttribute('aria-valuetext', oldest ?? '');
  await page.keyboard.press('End');
  for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/from=.*to=/);
  const { searchParams } = new URL(page.url());
  expect(Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')).toBe(4 * 60_000);
  await expect(chart).toBeFocused();

  // A line is pinned, and let go of, without leaving the lines.
  const lines = page.getByRole('grid', { name: /^Log lines/ });
  await openPage(page, `${master.url}/logs`);
  await expect(lines.getByText(/no article/).first()).toBeVisible();
  await tabTo(page, /^Log lines/, 'grid');
  await page.keyboard.press('j');
  await page.keyboard.press('p');
  await expect(page.getByRole('group', { name: 'Pinned lines' })).toBeVisible();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Unpin' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(lines).toBeFocused();

  await page.goto(`${master.url}/logs`);
  await expect(lines).toBeVisible();
  // The page's own key goes before that of the frame, also where the page was opened by its address.
  await page.keyboard.press('t');
  await expect(page).toHaveURL(/live=on/);
});

test('an operator retries chosen jobs by keys alone: looks first, takes it back, then does it, and is where they were', async ({
  page,
  master,
}) => {
  await publish(master, 'keys-tariffs', picky);
  for (let i = 0; i < 2; i++)
    expect((await master.event('keys-tariffs/dev', [{ order: i, country: 'DE' }])).status).toBe(502);
  await page.goto(`${master.url}/jobs?workflow=keys-tariffs`);
  const table = page.getByRole('grid', { name: 'Jobs' });
  await expect(table.getByRole('gridcell', { name: 'keys-tariffs' })).toHaveCount(2);
  await page.keyboard.press('t');
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await expect(page.getByRole('group', { name: 'Selected jobs' })).toContainText('2 selected');
  await page.keyboard.press('r');
  const question = page.getByRole('dialog', { name: 'Retry 2 jobs?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await press(page, 'Retry 2 jobs');
  await expect(page.getByText(/Not sent yet. Starts in \d s/)).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByText(/Not sent yet/).first()).toBeHidden();

  await page.keyboard.press('r');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await press(page, 'Retry 2 jobs');
  await expect(question).toBeHidden();
  // The master takes its time, and the key comes before the dialog gave the focus back.
  let answer = (): void => undefined;
  const late = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/v1/jobs/bulk/retry', async (route) => late.then(() => route.continue()));
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('F8');
  await press(page, 'Start now');
  await expect(page.getByText(/Not sent yet/)).toHaveCount(0);
  await expect(table).toBeFocused();
  answer();
  const operation = page.getByRole('dialog', { name: 'Operation' });
  await expect(operation.getByText('2 jobs retried')).toBeVisible();
  await expect(operation.getByRole('button', { name: 'Close operation' })).toBeFocused();
  await page.keyboard.press('Escape');
  // What opened it is gone.
  await expect(table).toBeFocused();
});

test('an author makes a dashboard by keys alone: adds a panel, moves it, saves, and takes it away', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/dashboards`);
  await expect(page.getByRole('button', { name: 'New dashboard' })).toBeEnabled();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New dashboard' });
  await expect(dialog.getByLabel('Title')).toBeFocused();
  await page.keyboard.type('By keys');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Edit By keys' })).toBeVisible();
  await press(page, 'Add panel');
  const form = page.getByRole('complementary', { name: 'Panel settings' });
  await expect(form.getByLabel('Title')).toBeFocused();
  await page.keyboard.type('Tasks');
  await tabTo(page, /^Move Tasks/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByRole('status').filter({ hasText: /^Column 1, row 0, width \d+, height \d+$/ })).toBeAttached();
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await press(page, 'Save');
  await expect(page.getByText('Version 2')).toBeVisible();
  await expect(save).toBeFocused();
  await expect(save).toBeDisabled();

  await press(page, 'Close');
  await expect(page.getByRole('button', { name: 'Edit Tasks' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(form.getByLabel('Title')).toBeFocused();
  await press(page, 'Copy Tasks');
  await expect(form.getByLabel('Title')).toBeFocused();
  await press(page, /^Remove /);
  await expect(page.getByRole('group', { name: 'Panels' })).toBeFocused();
});

test('what was edited for a rerun is not lost by the Escape that leaves its text', async ({ page, master }) => {
  await publish(master, 'keys-labels', picky);
  const answer = await master.event('keys-labels/dev', [{ order: 1, country: 'FR' }]);
  await page.goto(`${master.url}/jobs/${answer.headers.get('x-job-id') ?? ''}`);
  await press(page, 'Rerun…');
  const dialog = page.getByRole('dialog', { name: 'Rerun job' });
  await tabTo(page, 'Original', 'radio');
  await page.keyboard.press('ArrowRight');
  const editor = dialog.getByRole('textbox', { name: 'Inputs' });
  await expect(editor).toContainText('FR');
  await page.keyboard.press('Tab');
  await expect(editor).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText('[{ "order": 2, "country": "IT" }]');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  // Sent from within the text, which has a use of its own for Enter.
  await page.keyboard.press('Shift+Tab');
  await expect(editor).toBeFocused();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText('Rerun of')).toBeVisible();
  const rerun = /jobs\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
  await expect.poll(() => master.output(rerun)).toEqual([{ label: '2/IT' }]);
});

test('what can be done with a row is an arrow away from it, however many rows stand above', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/settings?tab=tokens`);
  const table = page.getByRole('grid', { name: 'Tokens' });
  const revoke = table.getByRole('button', { name: /^Revoke / });
  await expect(revoke.nth(1)).toBeVisible();
  const rows = await table
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') })
    .all();
  const last = rows.length - 1;
  await page.keyboard.press('t');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  await expect(rows[last]?.getByRole('button') ?? table).toBeFocused();
  // On from the row that the keyboard is in; Enter would open it, not press what stands in the other.
  await page.keyboard.press('ArrowUp');
  await expect(table).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(rows[last - 1]?.getByRole('button') ?? table).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(table).toBeFocused();
});

test('a panel is shown alone and let go of, and a time zoomed out of, without losing the place', async ({
  page,
  master,
}) => {
  const to = new Date();
  await page.goto(
    `${master.url}/dashboards/job-monitoring?from=${new Date(to.getTime() - 600_000).toISOString()}&to=${to.toISOString()}`,
  );
  await press(page, /: zoom out$/);
  await expect(page.getByRole('combobox', { name: 'Time range' })).toBeFocused();
  const actions = page.getByRole('button', { name: 'Actions for Finished jobs', exact: true });
  await press(page, 'Actions for Finished jobs');
  await expect(page.getByRole('menuitem', { name: 'Full screen' })).toBeFocused();
  await page.keyboard.press('Enter');
  const alone = page.getByRole('dialog', { name: 'Finished jobs' });
  await expect(alone.getByRole('button', { name: 'Exit full screen' })).toBeFocused();
  // What it covers is not walked through.
  for (let i = 0; i < 3; i++) await page.keyboard.press('Tab');
  await expect(alone.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(alone).toHaveCount(0);
  await expect(actions).toBeFocused();
});

test('a silence is made from its text of labels; not as long as it has no reason', async ({ page, master }) => {
  await page.goto(`${master.url}/alerts?tab=silences`);
  await press(page, 'New silence');
  const dialog = page.getByRole('dialog', { name: 'New silence' });
  await expect(dialog.getByLabel('Matchers')).toBeFocused();
  await tabTo(page, 'Reason', 'textbox');
  await page.keyboard.type('Planned');
  await tabTo(page, 'Matchers', 'textbox');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(dialog).toBeVisible();
  await page.keyboard.type('alertname="None such"');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(dialog).toBeHidden();
  await press(page, 'End silence now: Planned');
  await expect(page.getByRole('grid', { name: 'Silences' })).toBeFocused();
});

test('what a page does is found in the palette, also what has no key of its own', async ({ page, master }) => {
  await publish(master, 'keys-palette', picky);
  const answer = await master.event('keys-palette/dev', [{ order: 1, country: 'FR' }]);
  const run = async (words: string, option: string | RegExp) => {
    await page.keyboard.press('ControlOrMeta+K');
    await expect(page.getByRole('combobox', { name: 'Page, ID, workflow or action' })).toBeFocused();
    await page.keyboard.type(words);
    await expect(page.getByRole('option', { selected: true })).toHaveText(option);
    await page.keyboard.press('Enter');
  };
  await page.goto(`${master.url}/jobs/${answer.headers.get('x-job-id') ?? ''}`);
  await expect(page.getByRole('tab', { name: 'Graph' })).toBeVisible();
  await run('compare', 'Job: Compare');
  await expect(page).toHaveURL(/tab=compare/);
  await run('rerun', /^Rerun…/);
  const dialog = page.getByRole('dialog', { name: 'Rerun job' });
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await run('tokens', /^Tokens/);
  await expect(page.getByRole('grid', { name: 'Tokens' })).toBeVisible();
  await run('new token', 'New token');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
});
