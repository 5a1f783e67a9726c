import { greeter } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { publish } from '../support/master.ts';

test('an operator asks why a task does not run, mends the cause, and it runs', async ({ page, master }) => {
  await publish(master, 'waiting-greeter', greeter);
  const workers = await master.workers();
  for (const { id } of workers) await master.call('workers.drain', { params: { id } });
  const call = await master.event('waiting-greeter/dev', [{ name: 'Ada' }], { prefer: 'respond-async' });
  const { jobId } = (await call.json()) as { jobId: string };
  const [task] = await master.tasks(jobId);

  await page.goto(`${master.url}/jobs/${jobId}?task=${task?.id}`);
  const why = page.getByRole('dialog', { name: 'Task' }).getByRole('region', { name: 'Why is it not running?' });
  await expect(why).toContainText(/draining/);
  await expect(why).toContainText(/Resume one/);
  await expect(why).toContainText(/Times out in/);

  for (const { id } of workers) await master.call('workers.resume', { params: { id } });
  await expect(why).toBeHidden();
  await expect(page.getByRole('dialog', { name: 'Task' }).getByText('Completed').first()).toBeVisible();
});
