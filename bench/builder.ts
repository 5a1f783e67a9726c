import type { Definition, WorkflowEdge, WorkflowNode } from '../src/contract/definition.ts';
import { api } from './lib/master-api.ts';
import type { Page } from '@playwright/test';
import { firstLoadKilobytes, openConsole, startBrowser } from './lib/browser.ts';
import { startMaster } from './lib/processes.ts';
import { line, opening, round, summary, type Target } from './lib/report.ts';
import { longestTask } from './lib/trace.ts';

/**
 * The builder with 500 nodes in real Chromium: the longest task of the page's thread while the canvas is moved, nodes are
 * dragged and chosen, settings typed, steps taken back; and what its first load weighs. Once with nodes that were placed, once with nodes laid out by themselves.
 */
const quick = process.argv.includes('--quick');
const NODES = quick ? 27 : 500;
const ROUNDS = quick ? 1 : 3;
/** Acts that a short run traces: it does all of them, but each trace takes longer than what it is of. */
const TRACED = ['move the canvas', 'drag a node', 'type an expression'];
/** Of so many movements a quick run makes some. */
const times = (count: number): number => (quick ? Math.ceil(count / 20) : count);
const MOST = 100;

/** Rows of five between the input and the output, each with a condition that leads on by both ways. */
function wide(placed: boolean): Definition {
  const nodes: WorkflowNode[] = [{ id: 'input', type: 'input' }];
  const edges: WorkflowEdge[] = [];
  const rows = Math.floor((NODES - 2) / 5);
  const at = (x: number, y: number) => (placed ? { position: { x: x * 256, y: y * 96 } } : {});
  for (let row = 0; row < rows; row++) {
    const id = (name: string) => `${name}-${row}`;
    const [x, y] = [(row % 10) * 6, Math.floor(row / 10) * 2];
    nodes.push(
      {
        id: id('shape'),
        type: 'transform',
        name: `Shape ${row}`,
        config: { expression: `{ "id": order.id, "lines": order.lines[price > ${row}], "row": ${row} }` },
        ...at(x + 1, y),
      },
      { id: id('dear'), type: 'condition', config: { expression: `$count(lines) > ${row}` }, ...at(x + 2, y) },
      {
        id: id('ask'),
        type: 'http',
        retries: 3,
        config: {
          method: 'POST',
          url: 'https://example.test/orders/{{ id }}',
          headers: { accept: 'application/json' },
          body: { id: '{{ id }}', row },
        },
        ...at(x + 3, y),
      },
      { id: id('wait'), type: 'delay', config: { seconds: 1 }, ...at(x + 3, y + 1) },
      {
        id: id('tell'),
        type: 'code',
        join: 'value',
        config: { source: `const total = input.lines?.length ?? 0;\nreturn { total, row: ${row} };` },
        ...at(x + 4, y),
      },
    );
    edges.push(
      { from: 'input', to: id('shape') },
      { from: id('shape'), to: id('dear') },
      { from: id('dear'), to: id('ask'), port: 'true' },
      { from: id('dear'), to: id('wait'), port: 'false' },
      { from: id('ask'), to: id('tell') },
      { from: id('wait'), to: id('tell') },
      { from: id('tell'), to: 'output' },
    );
  }
  nodes.push({ id: 'output', type: 'output', ...at(61, 10) });
  if (placed) Object.assign(nodes[0] as object, at(0, 10));
  return { schemaVersion: 1, name: 'Wide', response: 'list', nodes, edges, output: 'output' };
}

opening('builder', quick, ['@playwright/test', 'react', '@xyflow/react', '@codemirror/view']);
const browser = await startBrowser();
const master = await startMaster({ workers: 0, durability: 'normal' });
const targets: Target[] = [];
try {
  const page = await openConsole(browser, master.ready);
  for (const placed of quick ? [false] : [true, false]) await measure(page, placed);
  const kilobytes = await firstLoadKilobytes(browser, master.ready, { path: '/workflows/free', heading: 'free' });
  targets.push({ name: 'first load of the builder, KB as sent', value: kilobytes, target: 400, wanted: 'at most' });
} finally {
  await browser.close();
  await master.stop();
}
process.exitCode = summary(targets);

/** The nodes that a click on their middle meets: what lies over the canvas, and beside it, covers others. */
function inSight(page: Page): Promise<{ id: string; x: number; y: number }[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.react-flow__node-step')].flatMap((node) => {
      const box = node.getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      return node.contains(document.elementFromPoint(x, y)) ? [{ id: node.dataset['id'] ?? '', x, y }] : [];
    }),
  );
}

async function measure(page: Page, placed: boolean): Promise<void> {
  const id = placed ? 'placed' : 'free';
  const { call } = api(master.ready);
  await call('workflows.create', { body: { id, name: id } });
  await call('commits.create', { params: { id }, body: { definition: wide(placed), message: 'Begin', parent: null } });
  const canvas = page.getByRole('application', { name: 'Canvas' });
  const rest = () => page.waitForTimeout(quick ? 100 : 900);
  const worst = new Map<string, { cpuMs: number; wallMs: number }>();
  const take = async (what: string, act: () => Promise<void>) => {
    if (quick && !TRACED.includes(what)) return act();
    const found = await longestTask(browser, page, async () => {
      await act();
      await rest();
    });
    const before = worst.get(what);
    if (!before || found.cpuMs > before.cpuMs) worst.set(what, found);
    line({ placed, what, cpuMs: round(found.cpuMs), wallMs: round(found.wallMs), long: found.long });
  };

  await take('open', async () => {
    await page.goto(`${master.ready.url}/workflows/${id}`);
    await canvas.getByRole('group', { name: /^input,/ }).waitFor({ timeout: 60_000 });
  });
  const box = (await canvas.boundingBox()) as { x: number; y: number; width: number; height: number };
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const form = page.getByRole('complementary', { name: 'Settings' });
  const find = async (name: string) => {
    // The canvas may have moved under the pointer: in a field it would be a letter.
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press('/');
    await page.getByRole('textbox', { name: 'Search nodes' }).fill('');
    await page.keyboard.type(name, { delay: 40 });
    await page.keyboard.press('Enter');
  };
  /** To where all of them are in sight, too small to be read. */
  const far = async () => {
    await page.getByRole('button', { name: 'Fit to view' }).click();
    await page.keyboard.down('Control');
    for (let i = 0; i < 30; i++) await page.mouse.wheel(0, 120);
    await page.keyboard.up('Control');
  };
  /** To where nodes can be read. */
  const near = async () => {
    await page.keyboard.down('Control');
    for (let i = 0; i < (quick ? 5 : 30); i++) await page.mouse.wheel(0, quick ? -360 : -60);
    await page.keyboard.up('Control');
  };
  for (let count = 0; count < ROUNDS; count++) {
    await page.mouse.move(middle.x, middle.y);
    await take('move the canvas', async () => {
      for (let i = 0; i < times(60); i++) await page.mouse.wheel(i < times(30) ? 40 : -40, i % 20 < 10 ? 12 : -12);
    });
    await take('zoom', async () => {
      await page.keyboard.down('Control');
      for (let i = 0; i < times(40); i++) await page.mouse.wheel(0, i < times(20) ? 60 : -60);
      await page.keyboard.up('Control');
    });
    await near();
    await rest();
    await take('show all', far);
    await take('move with all in sight', async () => {
      await page.mouse.move(middle.x, middle.y);
      for (let i = 0; i < times(40); i++) await page.mouse.wheel(i < times(20) ? 8 : -8, 0);
    });
    await near();
    const name = `Shape ${(quick ? 3 : 40) + count}`;
    await take('find', () => find(name));
    const node = canvas.getByRole('group', { name: new RegExp(`^${name},`) });
    await take('drag a node', async () => {
      const at = (await node.boundingBox()) as { x: number; y: number; width: number };
      await page.mouse.move(at.x + at.width / 2, at.y + 10);
      await page.mouse.down();
      for (let i = 0; i < times(40); i++) await page.mouse.move(at.x + at.width / 2 + i * 2, at.y + 10 + i);
      await page.mouse.up();
    });
    await take('connect by keys', async () => {
      await node.focus();
      await page.keyboard.press('c');
      await page.getByRole('combobox', { name: 'Target node' }).fill('Shape 4');
      await page.keyboard.press('Escape');
    });
    await take('choose nodes', async () => {
      const chosen = new Set<string>();
      while (chosen.size < (quick ? 2 : 6)) {
        const next = (await inSight(page)).find(({ id }) => !chosen.has(id));
        if (next === undefined) break;
        chosen.add(next.id);
        await page.mouse.click(next.x, next.y);
      }
      if (chosen.size === 0) throw new Error('no node is in sight to be chosen');
    });
    await find(name);
    await page.getByRole('tab', { name: 'Add' }).click();
    await take('type a name', async () => {
      await form.getByRole('textbox', { name: 'Name' }).click();
      // At its end, so that it is still found by its beginning.
      await page.keyboard.press('End');
      await page.keyboard.type(quick ? ', a fox' : ', a quick brown fox', { delay: 60 });
    });
    await take('type an expression', async () => {
      await form.getByRole('textbox', { name: 'Expression' }).click();
      await page.keyboard.type(quick ? '  + 1' : '  + 1 + 2 + 3 + 4', { delay: 60 });
    });
    await node.focus();
    await take('undo and redo', async () => {
      for (let i = 0; i < 3; i++) await page.keyboard.press('ControlOrMeta+z', { delay: 60 });
      for (let i = 0; i < 3; i++) await page.keyboard.press('ControlOrMeta+Shift+z', { delay: 60 });
    });
    await take('nudge', async () => {
      await node.focus();
      for (let i = 0; i < times(8); i++) await page.keyboard.press('ArrowDown', { delay: 40 });
    });
    await take('choose all', () => page.keyboard.press('ControlOrMeta+a'));
    await take('nudge all', async () => {
      for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown', { delay: 60 });
    });
    await take('undo it', () => page.keyboard.press('ControlOrMeta+z'));
    await page.keyboard.press('Escape');
  }
  for (const [what, { cpuMs }] of worst)
    if (what !== 'open')
      targets.push({
        name: `${what}, ${placed ? 'placed' : 'laid out'}: longest task, ms of the processor`,
        value: cpuMs,
        target: MOST,
        wanted: 'at most',
      });
}
