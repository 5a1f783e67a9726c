import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Page } from '@playwright/test';
import type { LogRecord } from '../../src/contract/logs.ts';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';
import type { TestMaster } from '../support/master.ts';

/** Sends lines as a shipper would. */
const ship = (master: TestMaster, records: readonly object[]) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(master.logstashPort, '127.0.0.1', () =>
      socket.end(records.map((record) => `${JSON.stringify(record)}\n`).join('')),
    );
    socket
      .on('close', () => resolve())
      .on('error', reject)
      .resume();
  });
const stored = (master: TestMaster, query: string, count: number) =>
  expect
    .poll(async () => (await master.call('logs.search', { query: { limit: 10000, query: query } })).records.length)
    .toBe(count);
const lines = (batch: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({
    _time: new Date(Date.now() - 60_000 + (from + i) * 10).toISOString(),
    _msg: `step ${from + i} of ${batch}`,
    level: (from + i) % 10 === 9 ? 'WARN' : 'INFO',
    batch,
    source: 'e2e',
  }));
const list = (page: Page) => page.getByRole('grid', { name: 'Log lines, oldest first' });

test(
  'an operator finds the line of a failed task by typing, and goes from it to the task',
  { tag: '@goal' },
  async ({ page, master }) => {
    const answer = await master.event('reserve-stock/dev', [
      { order: 'A-1', sku: 'nut-m3', count: 1, trouble: 'unknown' },
    ]);
    const { jobId } = (await answer.json()) as { jobId: string };
    await stored(master, `job_id:=${jobId} "no such article"`, 1);

    await page.goto(`${master.url}/logs`);
    const query = page.getByRole('textbox', { name: 'LogsQL query' });
    await query.pressSequentially('job_i');
    await page.getByRole('option', { name: /^job_id:/ }).click();
    await query.pressSequentially(jobId.slice(0, 20));
    await expect(page.getByRole('option', { name: jobId })).toBeVisible();
    await query.press('Tab');
    await query.pressSequentially('"no such article"');
    const answered = page.waitForResponse(
      (response) =>
        response.url().includes('/logs/search?') &&
        new URL(response.url()).searchParams.get('query')?.includes('no such article') === true,
    );
    await query.press('Enter');
    await answered;
    // Until the answer is drawn the list shows the lines of before; what is unfolded in them goes with them.
    await expect(page.locator('[role="grid"][aria-label="Log lines, oldest first"][aria-busy="false"]')).toBeVisible();
    const line = list(page).getByText('the catalogue has no such article');
    await expect(line).toHaveCount(1);
    await line.click();
    await expect(list(page).getByText('_time', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Show context' }).click();
    const around = page.getByRole('dialog', { name: 'Show context' });
    await expect(around.getByText('the catalogue has no such article')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(around).toBeHidden();
    await page.getByRole('link', { name: /^Open task, attempt 1/ }).click();
    await expect(
      page.getByRole('dialog', { name: 'Task' }).getByRole('heading', { name: 'Reserve it here' }),
    ).toBeVisible();

    await openPage(page, `${master.url}/logs?query=${encodeURIComponent('level:=(WARN')}`);
    await expect(page.getByRole('alert')).toBeVisible();
  },
);

test(
  'a follower pauses, reads further up, and comes back to the newest line; nothing is missed',
  { tag: '@goal' },
  async ({ page, master }) => {
    await ship(master, lines('tail', 300));
    await stored(master, 'batch:=tail', 300);
    await page.goto(`${master.url}/logs?live=on&query=${encodeURIComponent('batch:=tail')}`);
    await expect(page.getByRole('main').getByText('Live', { exact: true })).toBeVisible();
    await expect(list(page).getByText('step 299 of tail')).toBeVisible();

    await page.getByRole('button', { name: 'Pause' }).click();
    await ship(master, lines('tail', 50, 300));
    await page.getByRole('button', { name: '50 new lines' }).click();
    await expect(list(page).getByText('step 349 of tail')).toBeVisible();

    await list(page).hover();
    await page.mouse.wheel(0, -2000);
    await expect(list(page).getByText('step 349 of tail')).toBeHidden();
    const first = () =>
      list(page)
        .getByText(/^step \d+ of tail$/)
        .first()
        .innerText();
    let seen = '';
    await expect.poll(async () => seen === (seen = await first())).toBe(true);
    await ship(master, lines('tail', 20, 350));
    await expect(page.getByRole('button', { name: '20 new lines' })).toBeVisible();
    // Nothing moved under the reader.
    expect(await first()).toBe(seen);
    await list(page).focus();
    await page.keyboard.press('End');
    await expect(list(page).getByText('step 369 of tail')).toBeVisible();
    await expect(page.getByText('Last 370 lines')).toBeVisible();
    // What was loaded and what streamed in are looked through alike.
    await page.keyboard.press('Control+f');
    await page.getByLabel('Find', { exact: true }).fill('step 3');
    await expect(page.getByRole('search', { name: 'Find in these lines' }).getByText('81 lines')).toBeVisible();
  },
);

/** The lines that are drawn: numbers that follow each other without a gap between, from above the view to below it. */
const drawn = (page: Page) =>
  list(page).evaluate((grid) => {
    const rows = [...grid.querySelectorAll('[data-number]')].map((row) => ({
      number: Number(row.getAttribute('data-number')),
      box: (row.parentElement as Element).getBoundingClientRect(),
    }));
    const view = (grid.querySelector('[role="rowgroup"]')?.parentElement ?? grid).getBoundingClientRect();
    return {
      whole:
        rows.every(
          ({ number, box }, i) =>
            i === 0 ||
            (number === (rows[i - 1]?.number ?? 0) + 1 && Math.abs(box.top - (rows[i - 1]?.box.bottom ?? 0)) < 1),
        ) &&
        (rows[0]?.box.top ?? 1e9) <= view.top + 1 &&
        (rows.at(-1)?.box.bottom ?? 0) >= view.bottom - 1,
      top: rows.find(({ box }) => box.bottom > view.top + 1)?.number ?? Number.NaN,
      last: rows.findLast(({ box }) => box.bottom <= view.bottom + 1)?.number ?? Number.NaN,
    };
  });

test('the list is whole at every place, whatever the heights of its lines: plain, unfolded, wrapped, or made taller by own styles', async ({
  page,
  master,
}) => {
  await ship(
    master,
    lines('heights', 400).map((line, i) => ({
      ...line,
      _msg: `step ${i} of heights ${'and some more '.repeat(i % 40)}`,
    })),
  );
  await stored(master, 'batch:=heights', 400);
  await page.goto(`${master.url}/logs?query=${encodeURIComponent('batch:=heights')}`);
  await expect(list(page).getByText(/^step 399 of heights/)).toBeVisible();
  const { last: newest } = await drawn(page);
  const wholeAfter = async (turn: () => Promise<void>) => {
    const before = await drawn(page);
    await turn();
    await expect.poll(async () => (await drawn(page)).top).not.toBe(before.top);
    await expect.poll(async () => (await drawn(page)).whole).toBe(true);
    return drawn(page);
  };
  const upAndDown = async () => {
    for (const by of [-440, -44, 440, -3000, 700, -20_000, 40_000]) await wholeAfter(() => page.mouse.wheel(0, by));
    await expect.poll(async () => (await drawn(page)).last).toBe(newest);
    await wholeAfter(() => page.mouse.wheel(0, -3000));
  };

  await list(page).hover();
  // Lines of one height move by just as much as the wheel was turned, also with turns between two drawings.
  const from = await wholeAfter(() => page.mouse.wheel(0, -2200));
  await page.mouse.wheel(0, -220);
  await page.mouse.wheel(0, -220);
  await expect.poll(async () => (await drawn(page)).top).toBe(from.top - 20);
  await page.mouse.wheel(0, 100_000);
  await expect.poll(async () => (await drawn(page)).last).toBe(newest);
  await upAndDown();

  await list(page).locator('[data-number]').nth(8).getByRole('button').click();
  await expect(list(page).getByText('_time', { exact: true })).toBeVisible();
  expect(await list(page).evaluate((grid) => grid.contains(document.activeElement))).toBe(true);
  await upAndDown();

  await page.getByRole('switch', { name: 'Wrap' }).click();
  await list(page).hover();
  await upAndDown();

  await page.getByRole('switch', { name: 'Wrap' }).click();
  await list(page).press('Escape');
  await page.evaluate(() => {
    const own = new CSSStyleSheet();
    own.replaceSync('[role="row"][data-number] { line-height: 2.4 !important; }');
    document.adoptedStyleSheets.push(own);
  });
  await list(page).hover();
  await upAndDown();
});

test('lines are found, selected and copied beyond what is drawn, by keyboard, and exported whole', async ({
  page,
  master,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await ship(master, lines('copy', 400));
  await stored(master, 'batch:=copy', 400);
  await page.goto(`${master.url}/logs?query=${encodeURIComponent('batch:=copy')}&columns=batch`);
  await expect(list(page).getByText('step 399 of copy')).toBeVisible();

  await page.keyboard.press('Control+f');
  await page.getByLabel('Find', { exact: true }).fill('step 12');
  const bar = page.getByRole('search', { name: 'Find in these lines' });
  await expect(bar.getByText('11 lines')).toBeVisible();
  await page.keyboard.press('Shift+Enter');
  await expect(list(page).getByText('step 129 of copy')).toBeVisible();
  await page.keyboard.press('Escape');

  await expect(list(page)).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await expect(page.getByText('400 lines selected')).toBeVisible();
  await page.keyboard.press('Control+c');
  await expect(page.getByText('Copied 400 lines')).toBeVisible();
  const copied = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
  expect([copied.length, copied[0], copied[399]]).toEqual([
    400,
    expect.stringMatching(/INFO +step 0 of copy batch=copy$/),
    expect.stringMatching(/WARN +step 399 of copy batch=copy$/),
  ]);

  // Dragging reaches beyond the upper edge of the list.
  const from = (await list(page).getByText('step 395 of copy').boundingBox()) as { x: number; y: number };
  const edge = (await list(page).boundingBox()) as { y: number };
  await page.mouse.move(from.x + 40, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y - 100);
  await page.mouse.move(from.x + 40, edge.y - 60);
  await expect
    .poll(async () => Number(/(\d+) lines selected/.exec(await page.getByText(/lines selected/).innerText())?.[1]))
    .toBeGreaterThan(60);
  await page.mouse.up();

  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^JSON lines/ }).click();
  const records = readFileSync(await (await download).path(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LogRecord);
  expect(records.map(({ _msg }) => _msg)).toEqual(lines('copy', 400).map(({ _msg }) => _msg));
});
