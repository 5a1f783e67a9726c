import { picky } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';
import { publish } from '../support/master.ts';

test('an author runs a job again from a node, with an edited input; what came before is taken over', async ({
  page,
  master,
}) => {
  await publish(master, 'labels', picky);
  const answer = await master.event('labels/dev', [{ order: 12345678901234567, country: 'FR' }]);
  const jobId = answer.headers.get('x-job-id') ?? '';

  await page.goto(`${master.url}/jobs/${jobId}?tab=tasks`);
  await page.getByRole('gridcell', { name: /^label/ }).click();
  await page.getByRole('dialog', { name: 'Task' }).getByRole('button', { name: 'Rerun from here…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rerun job' });
  await dialog.getByText('Edited').click();
  const editor = dialog.getByRole('textbox', { name: 'Inputs' });
  await expect(editor).toContainText('FR');
  await editor.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText('[{ "order": "again", "country": "IT" }]');
  await dialog.getByRole('button', { name: 'Rerun' }).click();

  await expect(page).not.toHaveURL(new RegExp(jobId));
  const rerun = /jobs\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
  await expect(page.getByText('Rerun of')).toBeVisible();
  await expect.poll(() => master.output(rerun)).toEqual([{ label: 'again/IT' }]);
  expect((await master.tasks(rerun)).find((task) => task.node === 'check')?.state ?? 'COMPLETED').toBe('COMPLETED');
  // And from the old job to the new one.
  await openPage(page, `${master.url}/jobs/${jobId}`);
  await expect(page.getByText('Rerun as')).toBeVisible();
});
