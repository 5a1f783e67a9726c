import { publish } from '../support/master.ts';
import { greeter } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';

test('the name of a workflow comes before actions whose letters happen to match', async ({ page, master }) => {
  await publish(master, 'pay-out', { ...greeter, name: 'Pay out' });
  await page.goto(`${master.url}/jobs`);
  await page.getByRole('grid', { name: 'Jobs' }).waitFor();
  await page.keyboard.press('ControlOrMeta+K');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('combobox').fill('pay');
  await expect(palette.getByRole('option', { selected: true })).toContainText('pay-out');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Pay out' })).toBeVisible();
});

test('a workflow that is open is published from the palette', async ({ page, master }) => {
  await publish(master, 'pay-in', greeter);
  await page.goto(`${master.url}/workflows/pay-in`);
  await page.getByRole('tab', { name: 'Builder' }).waitFor();
  await page.keyboard.press('ControlOrMeta+K');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('combobox').fill('publish to stag');
  // The palette of the builder has a chosen row of its own.
  await expect(palette.getByRole('option', { selected: true })).toContainText('Publish to staging…');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Publish pay-in to staging' })).toBeVisible();
});

test('a new workflow begins from the palette, on any page, by keyboard', async ({ page, master }) => {
  await page.goto(`${master.url}/jobs`);
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('new work');
  await expect(page.getByRole('option', { name: 'New workflow' })).toBeVisible();
  await expect(page.getByRole('option', { name: 'New workflow' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'New workflow' })).toBeVisible();
});

test('what is made on another page begins from the palette, and stands in it once on its own page', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/jobs`);
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
  const combobox = page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox');
  await page.keyboard.press('ControlOrMeta+K');
  await combobox.fill('new schedule');
  await expect(page.getByRole('option', { name: /^New schedule/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'New schedule' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog', { name: 'New schedule' })).toBeHidden();
  await page.keyboard.press('ControlOrMeta+K');
  await combobox.fill('new schedule');
  await expect(page.getByRole('option', { name: /^New schedule/ })).toHaveCount(1);
});

test('what is typed as soon as the palette shows is in it, and the focus goes back to where it was', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/jobs`);
  const link = page.getByRole('link', { name: 'Jobs', exact: true });
  await link.focus();
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  // A key may come as soon as the field is there: a moment later is too late for the focus.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const field = document.querySelector('[role="dialog"] [role="combobox"]');
      if (field === null) return;
      observer.disconnect();
      document.body.dataset['hadFocus'] = String(document.activeElement === field);
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.keyboard.press('ControlOrMeta+K');
  await expect(page.locator('body')).toHaveAttribute('data-had-focus', 'true');
  await page.keyboard.type('dead letters');
  await expect(palette.getByRole('combobox')).toHaveValue('dead letters');
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(link).toBeFocused();

  // A page that was chosen begins at its start.
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('Schedules');
  await page
    .getByRole('option', { name: /^Schedules/ })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Schedules' })).toBeVisible();
  await expect(palette).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
});

test('what a page can do is a command: export, bundle, drain', async ({ page, master }) => {
  await publish(master, 'palette-deeds', greeter);
  const { headers } = await master.event('palette-deeds/dev', [{ name: 'Ada' }]);
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const run = async (text: string, option: RegExp) => {
    await page.keyboard.press('ControlOrMeta+K');
    await palette.getByRole('combobox').fill(text);
    await palette.getByRole('option', { name: option }).first().click();
  };
  await page.goto(`${master.url}/jobs?workflow=palette-deeds`);
  await expect(page.getByText('1–1 of 1')).toBeVisible();
  const file = page.waitForEvent('download');
  await run('export matching jobs as csv', /Export matching jobs as CSV/);
  expect((await file).suggestedFilename()).toMatch(/\.csv$/);

  await page.goto(`${master.url}/jobs/${headers.get('x-job-id')}`);
  await expect(page.getByRole('button', { name: 'Bundle…' })).toBeVisible();
  const bundle = page.waitForEvent('download');
  await run('download incident bundle', /Download incident bundle/);
  expect((await bundle).suggestedFilename()).toContain(headers.get('x-job-id') ?? 'no ID');

  await page.goto(`${master.url}/workers`);
  await expect(page.getByRole('button', { name: 'Drain' }).first()).toBeVisible();
  await run('drain worker', /Drain worker/);
  await expect(page.getByText('The worker is draining')).toBeVisible();
  await run('resume worker', /Resume worker/);
  await expect(page.getByText('The worker accepts tasks again')).toBeVisible();
});

test('a setting is found by its name, and the page shows it with what it does', async ({ page, master }) => {
  await page.goto(`${master.url}/jobs`);
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('jobRetentionDays');
  await page.getByRole('option', { name: /^Job retention/ }).click();
  const table = page.getByRole('grid', { name: 'Limits and retention' });
  await expect(table.getByText('Retention of finished jobs, in days. 0: forever.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit Job retention', exact: true })).toHaveCount(1);
  await page.getByRole('textbox', { name: 'Search settings' }).fill('oldest deleted disk');
  await expect(page.getByRole('button', { name: 'Edit Log store' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit Job retention', exact: true })).toHaveCount(0);
});
