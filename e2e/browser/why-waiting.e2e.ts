import { greeter, line, node } from '../support/workflow-definitions.ts';
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

test('a job that waits for its automatic retry is not shown as failed', async ({ page, master }) => {
  const source = 'throw new Error("not yet")';
  const throws = node('flaky', 'code', { source }, { retries: 1, retryBackoffSeconds: 60 });
  await publish(master, 'flaky', line('Flaky', throws));
  const call = await master.event('flaky/dev', [{}], { prefer: 'respond-async' });
  const { jobId } = (await call.json()) as { jobId: string };
  await expect.poll(async () => (await master.tasks(jobId))[0]?.state).toBe('FAILED');

  await page.goto(`${master.url}/jobs?workflow=flaky`);
  const row = page.getByRole('row').filter({ hasText: jobId.slice(-12) });
  await expect(row).toContainText('Retrying');
  await expect(row).not.toContainText('Failed');
  await page.goto(`${master.url}/workflows?q=flaky`);
  await expect(page.getByRole('row').filter({ hasText: 'Flaky' })).toContainText('Retrying');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${master.url}/jobs/${jobId}?tab=tasks`);
  await expect(page.getByRole('main').getByText(/^Retrying$/)).toBeVisible();
  await expect(page.getByRole('main').getByText(/^Retrying, in \d+ s$/)).toBeVisible();
  const middle = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return (top + bottom) / 2;
  };
  const title = await page.getByRole('heading', { name: jobId }).evaluate(middle);
  const badge = await page
    .getByRole('main')
    .getByText(/^Retrying$/)
    .evaluate(middle);
  expect(Math.abs(badge - title), 'the badge stands beside the title').toBeLessThan(10);
  await master.call('jobs.kill', { params: { jobId } });
  await expect(page.getByRole('main').getByText('Cancelled')).toBeVisible();
});
