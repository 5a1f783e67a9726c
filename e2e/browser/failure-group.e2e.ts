import { greeter, picky } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';
import { publish } from '../support/master.ts';

test(
  'a failure is found, its cause read, a fix published, its jobs run again on that, and it is resolved',
  { tag: '@goal' },
  async ({ page, master }) => {
    const broken = await publish(master, 'orders', picky);
    for (let i = 0; i < 24; i++)
      expect((await master.event('orders/dev', [{ order: 100 + i, country: i % 2 ? 'DE' : 'FR' }])).status).toBe(
        i % 2 ? 502 : 200,
      );

    await page.goto(`${master.url}/`);
    await page.getByRole('link', { name: 'Failures', exact: true }).click();
    await expect(page.getByRole('gridcell', { name: /no tariff for order.*orders/ })).toBeVisible();
    await openPage(page, `${master.url}/failures?workflow=orders`);
    // Twelve jobs with twelve messages are one failure: the order's number is no part of it.
    await page.getByRole('gridcell', { name: /no tariff for order/ }).click();
    const failure = page.getByRole('dialog', { name: 'Failure' });
    await expect(failure.getByText(/100% of failures had country = DE, but 0% of successes/)).toBeVisible();

    // Nothing else is published yet, so what is proposed is to try the same jobs again.
    const ask = () => failure.getByRole('button', { name: 'Retry all…' }).click();
    await ask();
    await expect(
      page.getByRole('dialog', { name: 'Retry 12 jobs?' }).getByRole('radio', { name: 'Currently published version' }),
    ).not.toBeChecked();
    await page.keyboard.press('Escape');

    const fixed = await publish(master, 'orders', greeter, broken);
    await ask();
    await page.getByRole('dialog', { name: 'Rerun 12 jobs?' }).getByRole('button', { name: 'Rerun 12 jobs' }).click();
    await page.getByRole('button', { name: 'Start now' }).click();
    const operation = page.getByRole('dialog', { name: 'Operation' });
    await expect(operation.getByText('12 jobs rerun')).toBeVisible();
    await operation.getByRole('button', { name: 'Close operation' }).click();

    await expect(failure.getByText('All 12 jobs have since succeeded.')).toBeVisible();
    await failure.getByRole('button', { name: 'Resolve' }).click();
    await expect(page.getByText('It reopens automatically if it happens again.')).toBeVisible();
    await failure.getByRole('button', { name: 'Close failure' }).click();
    await expect(page.getByText('No failures', { exact: true })).toBeVisible();
    // It happens again, so it is back.
    await publish(master, 'orders', picky, fixed);
    expect((await master.event('orders/dev', [{ order: 200, country: 'DE' }])).status).toBe(502);
    await expect(page.getByRole('gridcell', { name: 'Regressed' })).toBeVisible();
  },
);
