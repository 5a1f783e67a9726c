import type { Locator, Page } from '@playwright/test';
import type { Definition } from '../../src/contract/definition.ts';
import { expect, test } from '../support/test.ts';
import type { TestMaster } from '../support/master.ts';

/** A workflow whose newest version has these nodes, on its canvas. */
async function open(page: Page, master: TestMaster, id: string, part: Partial<Definition> = {}): Promise<void> {
  const definition = { schemaVersion: 1, name: id, response: 'list', nodes: [], edges: [], output: 'output', ...part };
  await master.call('workflows.create', { body: { id, name: id } });
  await master.call('commits.create', {
    params: { id },
    json: JSON.stringify({ definition, message: 'Start from', parent: null }),
  });
  await page.goto(`${master.url}/workflows/${id}`);
  await canvas(page).waitFor();
}

const canvas = (page: Page): Locator => page.getByRole('application', { name: 'Canvas' });
const node = (page: Page, name: string): Locator => canvas(page).getByRole('group', { name: new RegExp(`^${name},`) });
const edges = (page: Page): Locator => canvas(page).getByRole('group', { name: /^Edge from/ });

async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.hover();
  await page.mouse.down();
  const { x, y, width, height } = (await to.boundingBox()) as { x: number; y: number; width: number; height: number };
  await page.mouse.move(x + width / 2 - 20, y + height / 2, { steps: 4 });
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 2 });
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByLabel('Version message').fill('Built by hand');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/Saved version/)).toBeVisible();
}

async function saved(master: TestMaster, id: string): Promise<{ definition: Definition; valid: boolean }> {
  const { items } = await master.call('commits.list', { params: { id } });
  return master.call('commits.get', { params: { id, hash: items[0]?.hash ?? '' } });
}

test(
  'a workflow is built with the mouse, step by step taken back and done again, and saved',
  { tag: '@goal' },
  async ({ page, master }) => {
    // Wide enough to show three nodes at a size that can be read.
    await page.setViewportSize({ width: 1800, height: 900 });
    await open(page, master, 'by-mouse');
    const palette = page.getByRole('complementary', { name: 'Nodes' });
    const pick = (type: string) => palette.getByRole('option', { name: new RegExp(`^${type} `) }).click();
    // A click adds behind the node that is chosen. Behind an output nothing goes, and nothing before an input.
    for (const type of ['input', 'transform', 'output']) await pick(type);
    await expect(edges(page)).toHaveCount(2);
    for (let step = 0; step < 3; step++) await page.getByRole('button', { name: 'Undo' }).click();
    for (const type of ['output', 'transform', 'input']) {
      await pick(type);
      await page.keyboard.press('Escape');
    }
    await expect(edges(page)).toHaveCount(0);
    await expect(palette.getByRole('option', { name: /^input/ })).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('button', { name: 'Fit to view' }).click();

    await drag(page, node(page, 'input').locator('.source'), node(page, 'transform').locator('.target'));
    await expect(page.getByText('Drop to connect.')).toBeVisible();
    await page.mouse.up();
    await expect(edges(page)).toHaveCount(1);
    await page.getByRole('button', { name: 'Fit to view' }).click();
    await drag(page, node(page, 'transform').locator('.source'), node(page, 'output').locator('.target'));
    await page.mouse.up();
    await expect(edges(page)).toHaveCount(2);
    await expect(page.getByText('Ready to save and publish.')).toBeVisible();

    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(edges(page)).toHaveCount(1);
    await page.getByRole('button', { name: 'Redo' }).click();
    await expect(edges(page)).toHaveCount(2);

    // Whatever opens or closes beside the canvas, what is drawn stays at its place of the window.
    await page.getByRole('button', { name: 'Fit to view' }).click();
    await node(page, 'output').click();
    const at = () => node(page, 'output').boundingBox();
    const before = await at();
    for (const name of ['Collapse palette', 'Hide settings', 'Expand palette', 'Show settings']) {
      await page.getByRole('button', { name }).click();
      await expect.poll(at).toEqual(before);
    }

    // A place is written once a node was moved, and for that node alone.
    await drag(page, node(page, 'transform'), page.getByRole('button', { name: 'Zoom in' }));
    await page.mouse.up();
    await save(page);
    const { definition, valid } = await saved(master, 'by-mouse');
    expect(valid).toBe(true);
    expect(definition.edges).toEqual([
      { from: 'input', to: 'transform' },
      { from: 'transform', to: 'output' },
    ]);
    expect(definition.nodes.filter((one) => one.position).map((one) => one.id)).toEqual(['transform']);
  },
);

test('in a narrow canvas, as at 150 % zoom, no tools lie over others', async ({ page, master }) => {
  await page.setViewportSize({ width: 960, height: 582 });
  await open(page, master, 'narrow');
  await page.getByRole('button', { name: 'Add input', exact: true }).click();
  await node(page, 'input').click();
  const boxes = await Promise.all(
    ['Canvas', 'Selection', 'Settings'].map((name) => page.getByRole('toolbar', { name }).boundingBox()),
  );
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(i + 1))
      expect(
        a && b && (a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y),
      ).toBe(true);
});

test('a workflow is built with the keyboard alone', { tag: '@goal' }, async ({ page, master }) => {
  await open(page, master, 'by-keyboard');
  await page.getByRole('combobox', { name: 'Node to add' }).focus();
  for (const type of ['output', 'input']) {
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(type);
    await page.keyboard.press('Enter');
    await expect(node(page, type)).toBeVisible();
  }
  await page.getByRole('tab', { name: 'Add' }).focus();
  await page.keyboard.press('ArrowRight');
  const outline = page.getByRole('tree', { name: 'Graph outline' });
  // Also where the outline shows what was looked for alone.
  await page.getByRole('textbox', { name: 'Search nodes' }).fill('input');
  await outline.getByRole('treeitem', { name: /^input,/ }).focus();
  await page.keyboard.press('a');
  await expect(page.getByRole('combobox', { name: 'Node type' })).toBeFocused();
  await page.keyboard.type('condition');
  await page.keyboard.press('Enter');
  const condition = outline.getByRole('treeitem', { name: /^condition,/ });
  await expect(condition).toHaveAccessibleName(/after input/);
  // The keys go on with what was made.
  await expect(condition).toBeFocused();
  await page.keyboard.press('c');
  const targets = page.getByRole('listbox', { name: 'Target node' });
  await expect(
    targets.getByRole('option', { name: /input.*The input node can't have incoming edges/ }),
  ).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('combobox', { name: 'Target node' })).toBeFocused();
  await page.keyboard.type('output');
  await page.keyboard.press('Enter');
  await expect(edges(page)).toHaveCount(2);

  // Its ways out are lines of their own: one is taken away, and that is taken back.
  await condition.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(outline.getByRole('treeitem', { name: 'if true, to output' })).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(edges(page)).toHaveCount(1);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(edges(page)).toHaveCount(2);

  // On the canvas a key is for the node that has the focus, not for another that is chosen; the focus comes back to it.
  await condition.click();
  await node(page, 'input').focus();
  await page.keyboard.press('c');
  await expect(page.getByRole('dialog', { name: 'Connect input to' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(node(page, 'input')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Settings' }).getByRole('textbox', { name: 'Id' })).toHaveValue(
    'input',
  );
  await save(page);
  const { definition, valid } = await saved(master, 'by-keyboard');
  expect([valid, definition.edges]).toEqual([
    true,
    [
      { from: 'input', to: 'condition' },
      { from: 'condition', to: 'output', port: 'true' },
    ],
  ]);
});

test('a graph longer than the canvas is built by A alone: each node goes behind the one before, in sight or not', async ({
  page,
  master,
}) => {
  await open(page, master, 'by-a');
  await page.getByRole('button', { name: 'Add input and output' }).click();
  await expect(node(page, 'input')).toBeFocused();
  const types = ['http', 'code', 'template', 'delay', 'transform', 'handler'];
  for (const type of types) {
    await page.keyboard.press('a');
    await expect(page.getByRole('combobox', { name: 'Node type' })).toBeFocused();
    await page.keyboard.type(type);
    await page.keyboard.press('Enter');
    await expect(node(page, type)).toBeFocused();
  }
  await save(page);
  const { definition } = await saved(master, 'by-a');
  const next = new Map(definition.edges.map(({ from, to }) => [from, to]));
  const way = ['input'];
  for (let at = next.get('input'); at !== undefined; at = next.get(at)) way.push(at);
  expect(way).toEqual(['input', ...types, 'output']);
});

test('nodes go from one workflow into another by the clipboard; text that cannot be read leaves the canvas as it was', async ({
  page,
  master,
}) => {
  const line = {
    nodes: [
      { id: 'input', type: 'input' },
      { id: 'a', type: 'transform', config: { expression: '$' } },
      { id: 'b', type: 'delay', config: { seconds: 2 } },
      { id: 'output', type: 'output' },
    ],
    edges: [
      { from: 'input', to: 'a' },
      { from: 'a', to: 'b' },
      { from: 'b', to: 'output' },
    ],
  };
  await open(page, master, 'copied', line);
  await node(page, 'a').click();
  await node(page, 'b').click({ modifiers: ['Shift'] });
  await page.keyboard.press('ControlOrMeta+c');
  await open(page, master, 'pasted', line);
  await node(page, 'output').click();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(node(page, 'b-2')).toBeVisible();
  await expect(edges(page)).toHaveCount(4);

  await page.getByText('Split', { exact: true }).click();
  await expect(page).toHaveURL(/edit=split/);
  const text = page.getByRole('textbox', { name: 'Definition of pasted' });
  await expect(text).toContainText('"b-2"');
  await text.press('ControlOrMeta+Home');
  await page.keyboard.insertText('nonsense ');
  await expect(page.getByText(/Could not parse the text.*Showing the last valid version/)).toBeVisible();
  await expect(node(page, 'b-2')).toBeVisible();
  await text.press('ControlOrMeta+z');
  await expect(page.getByText(/Could not parse the text/)).toBeHidden();
});

const bare = (id: string, type: string, x: number, y: number) => ({
  id,
  type,
  position: { x, y },
  ...(type === 'delay' ? { config: { seconds: 1 } } : {}),
});
/** The middle of an edge between two nodes, in the window. */
async function middleOf(page: Page, from: string, to: string): Promise<{ x: number; y: number }> {
  const [a, b] = [
    await node(page, from).locator('.source').first().boundingBox(),
    await node(page, to).locator('.target').boundingBox(),
  ];
  if (!a || !b) throw new Error('not drawn');
  return { x: (a.x + a.width / 2 + b.x + b.width / 2) / 2, y: (a.y + a.height / 2 + b.y + b.height / 2) / 2 };
}

test('a node that is dragged onto an edge is put between its two nodes, in one step; by keys it is added there', async ({
  page,
  master,
}) => {
  await open(page, master, 'onto-edges', {
    nodes: [bare('input', 'input', 0, 0), bare('output', 'output', 700, 0), bare('wait', 'delay', 300, 260)],
    edges: [{ from: 'input', to: 'output' }],
  });
  const wires = () => edges(page).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  await expect(edges(page)).toHaveCount(1);

  // One that is there. It is hovered once the canvas stands still.
  await node(page, 'wait').hover();
  const before = await node(page, 'wait').boundingBox();
  const middle = await middleOf(page, 'input', 'output');
  await page.mouse.down();
  await page.mouse.move(middle.x + 30, middle.y + 40, { steps: 4 });
  await page.mouse.move(middle.x, middle.y, { steps: 4 });
  await expect(canvas(page).locator('[data-into]')).toHaveCount(1);
  await page.mouse.up();
  await expect.poll(wires).toEqual(['Edge from input to wait', 'Edge from wait to output']);
  await expect(canvas(page).locator('[data-into]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(wires).toEqual(['Edge from input to output']);
  await expect.poll(() => node(page, 'wait').boundingBox()).toEqual(before);

  // One from the palette.
  const option = page.getByRole('complementary', { name: 'Nodes' }).getByRole('option', { name: /^transform / });
  const corner = (await canvas(page).boundingBox()) as { x: number; y: number };
  await option.dragTo(canvas(page), { targetPosition: { x: middle.x - corner.x, y: middle.y - corner.y } });
  await expect.poll(wires).toEqual(['Edge from transform to output', 'Edge from input to transform']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(wires).toEqual(['Edge from input to output']);
  await expect(node(page, 'transform')).toHaveCount(0);

  // By keys.
  await edges(page).first().focus();
  await page.keyboard.press('a');
  await expect(page.getByRole('checkbox', { name: 'Between input and output' })).toBeChecked();
  await page.getByRole('combobox', { name: 'Node type' }).focus();
  await page.keyboard.type('code');
  await page.keyboard.press('Enter');
  await expect.poll(wires).toEqual(['Edge from code to output', 'Edge from input to code']);
});

test('an ID that cannot be taken stays with its reason until it is corrected or taken back', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/workflows/triage?node=score`);
  const id = page.getByRole('complementary', { name: 'Settings' }).getByRole('textbox', { name: 'ID', exact: true });
  await expect(id).toHaveValue('score');
  for (const [text, reason] of [
    ['input', 'Another node has this ID.'],
    ['not an id', 'Use letters, digits and _ . : -, max. 100.'],
  ] as const) {
    await id.fill(text);
    await page.keyboard.press('Tab');
    await expect(id).toHaveValue(text);
    await expect(id).toHaveAccessibleDescription(reason);
  }
  await id.press('Escape');
  await expect(id).toHaveValue('score');
});
