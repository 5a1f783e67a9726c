import { picky } from '../support/definitions.ts';
import { expect, test } from '../support/fixtures.ts';
import { publish } from '../support/master.ts';

test.use({ file: import.meta.filename });

test('a failure is found, its cause read, its jobs retried, and it is resolved', async ({ page, master }) => {
  await publish(master, 'orders', picky);
  for (let i = 0; i < 24; i++) expect((await master.event('orders/dev', [{ order: 100 + i, country: i % 2 ? 'DE' : 'FR' }])).status).toBe(i % 2 ? 502 : 200);

  await page.goto(`${master.url}/`);
  await page.getByRole('link', { name: 'Failures', exact: true }).click();
  await expect(page.getByRole('gridcell', { name: /no tariff for order.*orders/ })).toBeVisible();
  await page.goto(`${master.url}/failures?workflow=orders`);
  // Twelve jobs with twelve messages are one failure: the order's number is no part of it.
  await page.getByRole('gridcell', { name: /no tariff for order/ }).click();
  const failure = page.getByRole('dialog', { name: 'Failure' });
  await expect(failure.getByText(/100 % of the failures had country = DE, 0 % of the successes/)).toBeVisible();

  await failure.getByRole('button', { name: 'Retry all' }).click();
  await page.getByRole('dialog', { name: 'Retry every job of this failure?' }).getByRole('button', { name: 'Retry all' }).click();
  await page.getByRole('button', { name: 'Start now' }).click();
  const operation = page.getByRole('dialog', { name: 'Operation' });
  await expect(operation.getByText('Retried 12 jobs')).toBeVisible();
  await operation.getByRole('button', { name: 'Close the operation' }).click();
  // They fail again: one that did so after the group is resolved would open it again.
  await expect.poll(async () => (await master.api<{ totalItems: number }>('/api/v1/jobs?workflowId=orders&status=FAILED&size=1')).totalItems).toBe(12);

  await failure.getByRole('button', { name: 'Resolve' }).click();
  await expect(page.getByText('It opens again by itself when it happens again.')).toBeVisible();
  await failure.getByRole('button', { name: 'Close the failure' }).click();
  await expect(page.getByText('Nothing is broken')).toBeVisible();
  // It happens again, so it is back.
  expect((await master.event('orders/dev', [{ order: 200, country: 'DE' }])).status).toBe(502);
  await expect(page.getByRole('gridcell', { name: 'Came back' })).toBeVisible();
});
