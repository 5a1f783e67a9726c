import { expect, test } from '../support/test.ts';
import { publish } from '../support/master.ts';
import { SHAPES } from '../support/workflow-shapes.ts';

test('the data of a job whose first step is a list: its input and its output', async ({ page, master }) => {
  await publish(master, 'each', SHAPES.each.definition);
  const answer = await master.event('each/dev', [{ n: 1 }]);
  const jobId = answer.headers.get('x-job-id') ?? '';

  await page.goto(`${master.url}/jobs/${jobId}`);
  await page.getByRole('tab', { name: 'Input/Output' }).click();
  await expect(page.getByRole('tree', { name: 'Input' })).toContainText('n');
  await expect(page.getByRole('tree', { name: 'Output' })).toContainText('150');
});
