import { expect, test } from '../support/test.ts';
import { line, node } from '../support/workflow-definitions.ts';

const quote = (factor: number) =>
  line('Quote', node('sum', 'transform', { expression: `{ "order": order, "total": ${factor} * amount }` }));

test('a version that answers otherwise is found on recorded inputs before it is published, and an earlier one is back by one click', async ({
  page,
  master,
}) => {
  await master.call('workflows.create', { body: { id: 'quote', name: 'Quote' } });
  const save = (factor: number, message: string, parent: string | null) =>
    master.call('commits.create', {
      params: { id: 'quote' },
      json: JSON.stringify({ definition: quote(factor), message, parent }),
    });
  const first = await save(2, 'Twice the amount', null);
  await master.call('workflows.publish', {
    params: { id: 'quote', environment: 'prod' },
    body: { hash: first.hash, description: 'First' },
  });
  const { key } = await master.call('keys.create', {
    body: { name: 'Shop', workflows: ['quote'], environments: ['prod'] },
  });
  const call = (order: number, amount: number) => master.event('quote/prod', [{ order, amount }], { 'api-key': key });
  for (let order = 1; order <= 3; order++) expect((await call(order, 10 * order)).status).toBe(200);
  const second = await save(3, 'Three times the amount', first.hash);
  const jobs = () => master.call('jobs.list', { query: { workflowId: 'quote' } });
  const before = (await jobs()).totalItems;

  await page.goto(`${master.url}/workflows/quote?tab=publish`);
  await page.getByRole('button', { name: 'Publish to prod…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish quote to prod' });
  await expect(dialog.getByText('1 API key has access: Shop')).toBeVisible();
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(dialog.getByText('3 of 3 inputs differ. Review them before you publish.')).toBeVisible();
  await dialog.getByRole('button', { name: /^Input 1 Different .*\/total: 60 → 90/ }).click();
  const result = page.getByRole('dialog', { name: 'Backtest of one input' });
  await expect(result.getByRole('row', { name: '/total 60 90' })).toBeVisible();
  await page.keyboard.press('Escape');
  expect((await jobs()).totalItems).toBe(before);

  // Published all the same, undone with one press, published again, and gone back from.
  const runs = async () => (await (await call(9, 10)).json()) as { total: number }[];
  await dialog.getByLabel('Type quote to confirm').fill('quote');
  await dialog.getByRole('button', { name: 'Publish to prod' }).click();
  await expect(page.getByText(`Published v2 (${second.hash.slice(0, 8)}) to prod`)).toBeVisible();
  expect(await runs()).toMatchObject([{ total: 30 }]);
  await page.getByRole('button', { name: 'Undo publication' }).click();
  await expect(page.getByRole('alert').getByText(/Publication of .* undone/)).toBeVisible();
  expect(await runs()).toMatchObject([{ total: 20 }]);

  await master.call('workflows.publish', {
    params: { id: 'quote', environment: 'prod' },
    body: { hash: second.hash, description: 'Dearer' },
  });
  await expect(page.getByRole('grid', { name: 'Publish history of quote' }).getByText('Dearer')).toBeVisible();
  // The card of prod, too, knows of it.
  await expect(page.getByText('Latest version')).toBeVisible();
  await page.getByRole('button', { name: 'Roll back prod' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Customers complain');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Publish .* to prod/ })
    .click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await runs()).toMatchObject([{ total: 20 }]);
  await expect(
    page.getByRole('grid', { name: 'Publish history of quote' }).getByText('Customers complain'),
  ).toBeVisible();
});
