import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';

test('an operator looks at the jobs, makes a dashboard of their own and finds it again', async ({ page, master }) => {
  for (let i = 0; i < 6; i++) await master.event('shout/dev', [{ content: `hello ${i}` }]);
  await page.goto(`${master.url}/dashboards`);
  await page.getByRole('gridcell', { name: /Job Monitoring/ }).click();
  const finished = page.getByRole('region', { name: 'Finished jobs', exact: true });
  await expect(finished.getByText(/^[1-9]\d*$/)).toBeVisible();

  // One workflow alone: all of the view is in the address.
  await page.getByRole('combobox', { name: 'Workflow' }).click();
  await page.getByRole('option', { name: 'shout' }).click();
  await expect(page).toHaveURL(/shout/);
  await page.keyboard.press('Escape');

  // Dragging over a chart chooses its time, for all panels.
  const plot = page.getByRole('region', { name: 'Finished jobs by workflow' }).locator('.u-over');
  // It is drawn anew for the one workflow, perhaps under the pointer.
  await expect(async () => {
    const box = await plot.boundingBox({ timeout: 1000 });
    if (!box) throw new Error('The chart is not drawn yet.');
    await page.mouse.move(box.x + box.width * 0.6, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.98, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await expect(page).toHaveURL(/from=/, { timeout: 2000 });
  }).toPass();

  await page.getByRole('button', { name: 'Dashboard actions' }).click();
  await page.getByRole('menuitem', { name: 'Copy…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy of Job Monitoring' });
  await dialog.getByLabel('Title').fill('My jobs');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Edit My jobs' })).toBeVisible();

  await page.getByRole('button', { name: 'Edit Finished jobs', exact: true }).click();
  const form = page.getByRole('complementary', { name: 'Panel settings' });
  await form.getByLabel('Title').fill('Jobs that ended');
  const move = page.getByRole('button', { name: /^Move Jobs that ended/ });
  await move.press('Shift+ArrowRight');
  await expect(form.getByLabel('Width')).toHaveValue('7');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Version 2')).toBeVisible();

  // Somebody else saves it meanwhile: the change here is kept, and said so.
  await form.getByLabel('Title').fill('Jobs that came to an end');
  const { definition } = await master.call('dashboards.get', { params: { id: 'my-jobs' } });
  await master.call('dashboards.update', {
    params: { id: 'my-jobs' },
    body: { definition: { ...definition, description: 'theirs' }, version: 2 },
  });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Someone else changed this dashboard' })
    .getByRole('button', { name: 'Overwrite theirs' })
    .click();
  await expect(page.getByText('Version 4')).toBeVisible();

  await openPage(page, `${master.url}/dashboards/my-jobs`);
  await expect(page.getByRole('region', { name: 'Jobs that came to an end' }).getByText(/^[1-9]\d*$/)).toBeVisible();
  await page.getByRole('button', { name: 'Dashboard actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/\/dashboards$/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('gridcell', { name: 'My jobs', exact: true })).toBeVisible();
});
