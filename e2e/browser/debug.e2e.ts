import { violationsOf } from '../support/accessibility.ts';
import { publish } from '../support/master.ts';
import { expect, test } from '../support/test.ts';
import { line, node } from '../support/workflow-definitions.ts';

const source = `const lines = input.lines;
return { sum: sum(lines) };
function sum(all) {
  return all.map((one) => one.price.amount).reduce((a, b) => a + b, 0);
}`;

/** From a job that failed to one that succeeds, without leaving the way. */
test('debug a failed job in the builder: change, run from there, save, publish, rerun', async ({ page, master }) => {
  await publish(
    master,
    'sum-up',
    line(
      'Sum up',
      node('lines', 'transform', { expression: '{ "lines": order.lines }' }),
      node('total', 'code', { source }, { retries: 0 }),
    ),
  );
  const order = { order: { lines: [{ price: { amount: 4 } }, { free: true }] } };
  const answer = await master.event('sum-up/dev', [order]);
  expect(answer.status).toBe(502);
  const { jobId } = (await answer.json()) as { jobId: string };

  await page.goto(`${master.url}/jobs/${jobId}`);
  await page.getByRole('button', { name: 'Debug in builder' }).waitFor();
  await page.keyboard.press('d');
  const debug = page.getByRole('region', { name: 'Debug' });
  await expect(debug.getByText(/failed at total/)).toBeVisible();
  // The recorded run is on the canvas, and the line that threw is marked in the code.
  const canvasNode = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  await expect(canvasNode('lines')).toContainText('{"lines":[{"price":{"amount":4}}');
  const form = page.getByRole('complementary', { name: 'Settings' });
  const code = form.getByRole('textbox', { name: 'Code' });
  await expect(form.getByText(/cannot read property 'amount' of undefined/).first()).toBeVisible();
  await expect(code.locator('.cm-lintRange-error')).toHaveText('.amount');
  await form.getByRole('button', { name: /^line 4, column/ }).click();
  await expect(code).toBeFocused();
  await form.getByRole('tab', { name: 'Result: failed' }).click();
  await expect(form.getByRole('tree', { name: 'Input' })).toContainText('lines');
  await form.getByRole('tab', { name: 'Settings', exact: true }).click();
  expect(await violationsOf(page)).toEqual([]);

  await code.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(source.replace('one.price.amount', 'one.price?.amount ?? 0'));
  await expect(form.getByLabel('Result of Code')).toContainText('"sum": 4');
  await expect(code.locator('.cm-lintRange-error')).toHaveCount(0);
  await debug.getByRole('button', { name: 'Run from total' }).click();
  await expect(canvasNode('total')).toContainText('{"sum":4}');
  // What came before was not run again.
  await expect(canvasNode('lines')).toContainText('mock');

  await debug.getByRole('button', { name: 'Save version' }).click();
  await page.getByLabel('Version message').fill('Free lines cost nothing');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await debug.getByRole('button', { name: 'Publish to dev' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish to dev' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await debug.getByRole('button', { name: 'Rerun job' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rerun', exact: true }).click();
  await expect(page).toHaveURL(/\/jobs\/(?!.*debug)/);
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
  const [again] = (await master.call('jobs.list', { query: { rerunOf: jobId } })).items;
  expect(await master.output(again?.id ?? '')).toEqual([{ sum: 4 }]);
});
