import type { AlertRule } from '../../src/contract/api-alerts.ts';
import type { AuditEntry, Page } from '../../src/contract/api.ts';
import { expect, test } from '../support/fixtures.ts';
import { go } from '../support/go.ts';

test('an operator says that he looks after an alert, and that he no longer does', async ({ page, master }) => {
  const rule = { name: 'Quiet shop', query: { source: 'logs', query: 'shop:*' }, threshold: { op: 'lt', value: 1000 }, intervalSeconds: 1, forSeconds: 0, annotations: { summary: 'The shop is quiet' } };
  const { id } = await master.api<AlertRule>('/api/v1/alerts/rules', { method: 'POST', body: JSON.stringify(rule) });
  try {
    await page.goto(`${master.url}/alerts`);
    await page.getByRole('button', { name: 'Acknowledge The shop is quiet', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Acknowledge The shop is quiet' });
    await expect(dialog.getByLabel('Note (optional)')).toBeFocused();
    await page.keyboard.type('the sale begins at noon');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Its messages are not repeated until it ends or gets worse.')).toBeVisible();
    const row = page.getByRole('row', { name: /The shop is quiet/ });
    await expect(row.getByText(/acknowledged by .* ago: the sale begins at noon|acknowledged by .* now: the sale begins at noon/)).toBeVisible();
    await expect(row.getByText('Acknowledged', { exact: true })).toBeVisible();
    await go(page, `${master.url}/`);
    await expect(page.getByText(/acknowledged by .*: the sale begins at noon/)).toBeVisible();

    await go(page, `${master.url}/alerts`);
    await page.getByRole('button', { name: 'Acknowledge The shop is quiet no longer' }).click();
    await expect(page.getByText('Its messages are repeated again.')).toBeVisible();
    await expect(row.getByText('Acknowledged', { exact: true })).toHaveCount(0);
    const { items } = await master.api<Page<AuditEntry>>('/api/v1/audit?size=2');
    expect(items.map(({ action }) => action)).toEqual(['alert.withdraw', 'alert.acknowledge']);
  } finally {
    await master.api(`/api/v1/alerts/rules/${id}`, { method: 'DELETE' });
  }
});
