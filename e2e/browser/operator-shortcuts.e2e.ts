import { greeter } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';
import { publish } from '../support/master.ts';

test('dialogs give the focus back, and Ctrl+Enter publishes', async ({ page, master }) => {
  await publish(master, 'ways-greeter', greeter);
  await page.goto(`${master.url}/workflows/ways-greeter?tab=publish`);
  const opener = page.getByRole('button', { name: 'Publish to staging…' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Publish ways-greeter to staging' });
  await expect(dialog.getByRole('button', { name: 'Publish to staging' })).toBeEnabled();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();

  await opener.click();
  await expect(dialog.getByRole('button', { name: 'Publish to staging' })).toBeEnabled();
  await dialog.getByLabel('Description').fill('by keys');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  expect(
    (await master.call('workflows.environments', { params: { id: 'ways-greeter' } })).items.find(
      ({ environment }) => environment === 'staging',
    )?.description,
  ).toBe('by keys');

  await openPage(page, `${master.url}/workflows/ways-greeter?tab=keys`);
  const newKey = page.getByRole('button', { name: 'New key' });
  await newKey.click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await expect(newKey).toBeFocused();
});

test('jobs are found by a value of their input, kept as a view and taken out as a file', async ({ page, master }) => {
  await publish(master, 'ways-search', greeter);
  for (const name of ['Ada', 'Bob', 'Ada']) await master.event('ways-search/dev', [{ name }]);
  await page.goto(`${master.url}/jobs?workflow=ways-search`);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Filter' });
  await form.getByLabel('Input path').fill('name');
  await form.getByLabel('is', { exact: true }).fill('Ada');
  await form.getByRole('button', { name: 'Add filter' }).click();
  await expect(page.getByText('input: name = Ada')).toBeVisible();
  await expect(page.getByText('1–2 of 2')).toBeVisible();

  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Save current view as').fill('Adas');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.goto(`${master.url}/jobs`);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Adas', exact: true }).click();
  await expect(page.getByText('1–2 of 2')).toBeVisible();

  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /NDJSON/ }).click();
  const lines = (await (await (await download).createReadStream()).toArray()).join('').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).workflowId)).toEqual(['ways-search', 'ways-search']);
});

test('a task is retried by itself, and a secret and a limit are set without leaving the console', async ({
  page,
  master,
}) => {
  const bad = await master.event('reserve-stock/dev', [{ order: 'A-1', sku: 'nut-m3', count: 1, trouble: 'unknown' }]);
  const { jobId, taskId } = (await bad.json()) as { jobId: string; taskId: string };
  await page.goto(`${master.url}/jobs/${jobId}?task=${taskId}`);
  await page.getByRole('button', { name: 'Retry task' }).click();
  await expect.poll(async () => (await master.tasks(jobId)).find(({ id }) => id === taskId)?.attempt).toBe(2);

  await openPage(page, `${master.url}/settings?tab=secrets`);
  await page.getByRole('button', { name: 'New secret' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('mail_password');
  await page.getByLabel(/^Value/).fill('correct horse');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('gridcell', { name: 'MAIL_PASSWORD', exact: true })).toBeVisible();
  await expect(page.getByText('correct horse')).toHaveCount(0);

  await openPage(page, `${master.url}/settings?tab=limits`);
  await page.getByRole('button', { name: 'Edit Job retention', exact: true }).click();
  await page.getByRole('textbox', { name: 'Job retention, in days' }).fill('30');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Now 30 days.')).toBeVisible();
  await page.getByRole('button', { name: 'Reset to default: Job retention' }).click();
  await expect
    .poll(
      async () =>
        (await master.call('settings.get')).settings.find(({ name }) => name === 'jobRetentionDays')?.override,
    )
    .toBeNull();
});
