import { expect, test } from '../support/fixtures.ts';
import { go } from '../support/go.ts';

test('an operator finds a failed workflow, understands it and retries it', async ({ page, master }) => {
  const answer = await master.event('reserve-stock/dev', [{ order: 'A-1', sku: 'nut-m3', count: 1, trouble: 'unknown' }]);
  expect(answer.status).toBe(502);
  const { jobId } = (await answer.json()) as { jobId: string };

  await page.goto(`${master.url}/`);
  await expect(page.getByText('NON_RETRYABLE').first()).toBeVisible();
  await go(page, `${master.url}/jobs?status=%5B%22FAILED%22%5D`);
  await page.getByRole('link', { name: new RegExp(jobId.slice(-8)) }).first().click();
  await expect(page.getByText('Failed', { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Reserve it here', exact: true }).first().click();
  const panel = page.getByRole('dialog', { name: 'Task' });
  await expect(panel.getByText(/no article "nut-m3" in the catalogue/).first()).toBeVisible();
  await panel.getByRole('tab', { name: 'Logs' }).click();
  await expect(panel.getByText('the catalogue has no such article').first()).toBeVisible();
  await panel.getByRole('button', { name: 'Close the task' }).click();

  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('button', { name: 'Retry 1 job' }).click();
  await expect(page.getByText('Retried 1 job')).toBeVisible();
  // The cause is not mended, so it fails again, as a second attempt with a record of the first.
  await expect.poll(async () => (await master.tasks(jobId)).find((task) => task.node === 'reserve')).toMatchObject({ state: 'FAILED', attempt: 2, retryEntries: [{ attempt: 1, code: 'NON_RETRYABLE' }] });

  // What failed is mended in the builder, where its node is the one that is open, also after a reload.
  await page.getByRole('button', { name: 'Reserve it here', exact: true }).first().click();
  await panel.getByRole('link', { name: 'Open node in builder' }).click();
  const node = page.locator('.react-flow__node.selected[data-id="reserve"]');
  await expect(node).toBeInViewport();
  await expect(page).toHaveURL(/\/workflows\/reserve-stock\?(.*&)?node=reserve/);
  await page.reload();
  await expect(node).toBeInViewport();
});

test('a failure that passes mends itself by its retries', async ({ page, master }) => {
  const call = master.event('reserve-stock/dev', [{ order: 'A-2', sku: 'nut-m4', count: 2, trouble: 'busy' }]);
  await page.goto(`${master.url}/jobs`);
  await expect(page.getByText('Partial failure').or(page.getByText('Failed', { exact: true })).first()).toBeVisible();
  const answer = await call;
  expect([answer.status, await answer.json()]).toEqual([200, [expect.objectContaining({ reserved: 2, attempts: 3 })]]);
});
