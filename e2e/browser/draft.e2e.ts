import type { Locator } from '@playwright/test';
import { violationsOf } from '../support/accessibility.ts';
import { greeter } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';

/** Without places, so that the canvas lays it out. */
const laidOut = { ...greeter, nodes: greeter.nodes.map(({ id, type, config }) => ({ id, type, config })) };

/** An author tries what is not saved, and meets what a colleague saved meanwhile. */
test('try a draft node by node, and merge it with a newer version', async ({ page, master }) => {
  const commit = (body: object) =>
    master.call('commits.create', { params: { id: 'draft' }, json: JSON.stringify(body) });
  await master.call('workflows.create', { body: { id: 'draft', name: 'Draft' } });
  const { hash } = await commit({ definition: laidOut, message: 'First', parent: null });
  await page.goto(`${master.url}/workflows/draft`);
  const canvasNode = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  await canvasNode('shape').click();
  const write = async (editor: Locator, text: string) => {
    await editor.click();
    await page.keyboard.press('ControlOrMeta+A');
    // Typed over the selection, which must not make the browser write styles that the page's policy refuses.
    await page.keyboard.type('x');
    await page.keyboard.press('Backspace');
    await page.keyboard.insertText(text);
  };
  const form = page.getByRole('complementary', { name: 'Settings' });
  await expect(form.getByRole('textbox', { name: 'Expression' })).toBeVisible();

  // The example input is kept; the draft runs on it by a key, and each node says what it gave.
  await page.getByRole('button', { name: 'Example input' }).click();
  const dialog = page.getByRole('dialog', { name: 'Example input' });
  await write(dialog.getByRole('textbox', { name: 'Example input' }), '{ "name": "Ada" }');
  await dialog.getByRole('button', { name: 'Run draft' }).click();
  await expect(canvasNode('greet')).toContainText('Hello Ada');
  await expect(canvasNode('shape')).toContainText('{"greeting":"Hello Ada"}');
  await expect(page.getByText('Completed').first()).toBeVisible();
  expect(await master.call('jobs.list', { query: { workflowId: 'draft' } })).toMatchObject({ totalItems: 0 });

  // An expression that was changed shows its result before anything is saved.
  const expression = form.getByRole('textbox', { name: 'Expression' });
  await write(expression, '{ "loud": $uppercase($) }');
  await expect(form.getByLabel('Result of Expression')).toContainText('"loud": "HELLO ADA"');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(canvasNode('shape')).toContainText('{"loud":"HELLO ADA"}');
  await page.getByRole('tab', { name: 'Result', exact: true }).click();
  await page.getByRole('button', { name: 'Run up to here' }).click();
  await expect(form.getByRole('tree', { name: 'Output' })).toContainText('HELLO ADA');

  // What fails says so on the canvas and beside it.
  await page.getByRole('tab', { name: 'Settings', exact: true }).click();
  await write(expression, '$error("no greeting")');
  await expect(form.getByText(/failed: no greeting/)).toBeVisible();
  await write(expression, '{ "loud": $uppercase($) }');

  // A colleague saves a version that changes another node, and the same expression.
  const theirs = structuredClone(laidOut) as { nodes: { id: string; config: Record<string, unknown> }[] };
  for (const node of theirs.nodes) {
    if (node.id === 'greet') node.config = { template: 'Good day {{ name }}' };
    if (node.id === 'shape') node.config = { expression: '{ "quiet": $lowercase($) }' };
  }
  await commit({ definition: theirs, message: 'Be polite', parent: hash });
  await page.getByRole('button', { name: /^Save version/ }).click();
  await page.getByLabel('Version message').fill('Be loud');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  const merging = page.getByRole('dialog', { name: 'A newer version was saved meanwhile' });
  await expect(merging.getByText('changes greet: config')).toBeVisible();
  await expect(merging.getByRole('button', { name: '1 unresolved conflict' })).toBeDisabled();
  expect(await violationsOf(page, { within: '[role="dialog"]' })).toEqual([]);
  await merging.getByRole('radio', { name: 'Mine' }).check();
  await merging.getByRole('button', { name: 'Save merged version' }).click();
  await expect(page.getByText(/Saved version/)).toBeVisible();

  const [newest] = (await master.call('commits.list', { params: { id: 'draft' } })).items;
  const { definition, message } = await master.call('commits.get', {
    params: { id: 'draft', hash: newest?.hash ?? '' },
  });
  expect([message, definition.nodes.map(({ config }) => config)]).toEqual([
    'Be loud',
    [{}, { template: 'Good day {{ name }}' }, { expression: '{ "loud": $uppercase($) }' }, expect.anything(), {}],
  ]);
});
