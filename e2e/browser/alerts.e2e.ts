import type { Channel } from '../../src/contract/alert-channels.ts';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';

test('an operator says that he looks after an alert, and that he no longer does', async ({ page, master }) => {
  const rule = {
    name: 'Quiet shop',
    query: { source: 'logs' as const, query: 'shop:*' },
    threshold: { op: 'lt' as const, value: 1000 },
    intervalSeconds: 1,
    forSeconds: 0,
    annotations: { summary: 'The shop is quiet' },
  };
  const { id } = await master.call('alertRules.create', { body: rule });
  try {
    await page.goto(`${master.url}/alerts`);
    await page.getByRole('button', { name: 'Acknowledge The shop is quiet', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Acknowledge The shop is quiet' });
    await expect(dialog.getByLabel('Note (optional)')).toBeFocused();
    await page.keyboard.type('the sale begins at noon');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No repeat messages until it resolves or gets worse.')).toBeVisible();
    const row = page.getByRole('row', { name: /The shop is quiet/ });
    await expect(
      row.getByText(/acknowledged by .* ago: the sale begins at noon|acknowledged by .* now: the sale begins at noon/),
    ).toBeVisible();
    await expect(row.getByText('Acknowledged', { exact: true })).toBeVisible();
    await openPage(page, `${master.url}/`);
    await expect(page.getByText(/acknowledged by .*: the sale begins at noon/)).toBeVisible();

    await openPage(page, `${master.url}/alerts`);
    await page.getByRole('button', { name: 'Remove acknowledgement of The shop is quiet' }).click();
    await expect(page.getByText('Its messages are repeated again.')).toBeVisible();
    await expect(row.getByText('Acknowledged', { exact: true })).toHaveCount(0);
    const { items } = await master.call('audit.list', { query: { size: 2 } });
    expect(items.map(({ action }) => action)).toEqual(['alert.withdraw', 'alert.acknowledge']);
  } finally {
    await master.call('alertRules.delete', { params: { id } });
  }
});

test('whoever makes a channel is led to have alerts sent there', async ({ page, master }) => {
  const before = await master.call('alertPolicy.get');
  let made: Channel | undefined;
  try {
    await page.goto(`${master.url}/alerts?tab=channels`);
    await page.getByRole('button', { name: 'New channel' }).click();
    const form = page.getByRole('dialog', { name: 'New channel' });
    await form.getByLabel('Type', { exact: true }).click();
    await page.getByRole('option', { name: /hook/i }).first().click();
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Night hook');
    await form.getByRole('textbox', { name: /^(URL|Address)/ }).fill('http://127.0.0.1:9/night');
    await form.getByRole('button', { name: /^(Make|Create|Save)/ }).click();
    const row = page.getByRole('row', { name: /Night hook/ });
    await expect(row.getByRole('link', { name: 'Send alerts to Night hook' })).toBeVisible();
    await page.getByRole('alert').getByRole('button', { name: 'Send alerts here' }).click();
    await expect(page.getByText('Once saved, Night hook receives all alerts too.')).toBeVisible();
    made = (await master.call('channels.list', { query: { size: 500 } })).items.find(
      ({ name }) => name === 'Night hook',
    );
    expect((await master.call('alertPolicy.get')).channels).toEqual(before.channels);
    await page.getByRole('button', { name: 'Save routing' }).click();
    await expect(page.getByText('Routing saved')).toBeVisible();
    expect((await master.call('alertPolicy.get')).channels).toEqual([...before.channels, made?.id]);
    await openPage(page, `${master.url}/alerts?tab=channels`);
    await expect(row).toBeVisible();
    await expect(row.getByRole('link', { name: 'Send alerts to Night hook' })).toHaveCount(0);
  } finally {
    await master.call('alertPolicy.replace', { body: before });
    if (made) await master.call('channels.delete', { params: { id: made.id } });
  }
});
