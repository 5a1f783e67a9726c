import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { blockOf } from '../../logsql/blocks.fixture.ts';
import { logFiles } from '../files/schema.ts';
import type { LogRun, StoreDamage } from '../port.ts';
import { batch, emptyFolder, writerOf } from '../store.fixture.ts';
import { blockParts } from '../blocks/block.ts';
import { openSource, type Snapshot, type Source } from './source.ts';
import { type Attempt, createRunningQueries } from './queries.ts';
import { haveFailed, type SharedBlocks } from './shared-blocks.ts';
import { createTimeSlice, WorkTooLong } from './time-slice.ts';

/** Works for so long, however busy the machine is. */
const work = (ms: number) => {
  const spent = () => process.threadCpuUsage().user + process.threadCpuUsage().system;
  for (const end = spent() + ms * 1000; spent() < end;);
};
/** Blocks of one line, each of which takes so long to read. */
function sourceOf(blocks: number, ms: number, message = 'x'): { source: Source; open(): number } {
  let open = 0;
  const snapshot = (): Snapshot => {
    open++;
    return {
      arrived: blocks,
      *blocks() {
        for (let i = 0; i < blocks; i++) {
          work(ms);
          yield blockOf(i + 1, [{ _time: '2026-01-01T00:00:00Z', n: String(i), _msg: message }]) as never;
        }
      },
      block: () => null,
      since: () => [],
      share: () => null,
      release: () => void open--,
    };
  };
  return {
    source: { snapshot, shared: () => null, leavesOut: () => false, *verify() {}, rest() {}, close() {} },
    open: () => open,
  };
}
const textOf = (found: Attempt | null) => found && { text: Buffer.from(found.page).toString(), more: found.more };
const run = (query: string): LogRun => ({
  query,
  from: null,
  to: null,
  extraFilters: [],
  limit: null,
  offset: 0,
  now: 0,
  timeoutMs: 60_000,
});

it('counts lines without reading their blocks, and leaves a damaged block out where more is asked', async () => {
  const folder = emptyFolder();
  const writer = writerOf(folder);
  for (let i = 0; i < 3; i++)
    writer.insert([
      batch(
        Array.from({ length: 3000 }, (_, n) => ({
          _time: Date.UTC(2026, 0, 1) + i * 3000 + n,
          _msg: `line ${n} ${'x'.repeat(100)}`,
          level: n % 2 === 0 ? 'INFO' : 'WARN',
        })),
      ),
    ]);
  writer.close();
  const db = new Database(join(folder, logFiles(folder)[0] ?? ''));
  // The row's checksum covers the first bytes of the head.
  db.exec('UPDATE blk SET head = CAST(substr(head, 1, 9) || zeroblob(length(head) - 9) AS BLOB) WHERE id = 2');
  db.close();
  const damages: StoreDamage[] = [];
  const source = openSource(folder, 1e6, (damage) => damages.push(damage));
  const runs = createRunningQueries(source, 1e6, () => {});
  const count = async (id: number, query: string) => textOf(await runs.attempt(id, run(query), Infinity))?.text;
  expect(await count(1, '* | stats count() n')).toBe('{"n":"9000"}\n');
  expect(damages).toEqual([]);
  expect(await count(2, 'level:=INFO | stats count() n')).toBe('{"n":"3000"}\n');
  expect(damages).toMatchObject([{ place: 'block 2', lost: 3000 }]);
  expect(await count(3, '* | stats count() n')).toBe('{"n":"6000"}\n');
  source.close();
});

describe('an attempt', () => {
  it('gives the whole result where it is small and quick', async () => {
    const { source, open } = sourceOf(5, 0);
    const runs = createRunningQueries(source, 1e6, () => {});
    expect(textOf(await runs.attempt(1, run('* | stats count() n'), 50))).toEqual({ text: '{"n":"5"}\n', more: false });
    expect(textOf(await runs.attempt(2, run('nothing'), 50))).toEqual({ text: '', more: false });
    expect(open()).toBe(0);
    expect(runs.oldest()).toBe(Infinity);
  });

  it('is given up where it takes too much work, or has more than a page', async () => {
    const long = sourceOf(1000, 10);
    const runs = createRunningQueries(long.source, 1e6, () => {});
    expect(await runs.attempt(1, run('* | stats count() n'), 20)).toBeNull();
    expect(long.open()).toBe(0);
    const wide = sourceOf(4, 0, 'x'.repeat(200_000));
    expect(await createRunningQueries(wide.source, 1e6, () => {}).attempt(1, run('*'), 1000)).toBeNull();
    expect(wide.open()).toBe(0);
  });

  it('goes on where it may stay, page by page', async () => {
    let asked = 0;
    const stay = () => ++asked > 0;
    const long = sourceOf(10, 10);
    const runs = createRunningQueries(long.source, 1e6, () => {});
    const counted = textOf(await runs.attempt(1, run('* | stats count() n'), 20, { stay }));
    expect(counted).toEqual({ text: '{"n":"10"}\n', more: true });
    expect(asked).toBe(1);
    expect(await runs.next(1)).toBeNull();
    expect(long.open()).toBe(0);

    const wide = sourceOf(4, 30, 'x'.repeat(200_000));
    const pages = createRunningQueries(wide.source, 1e6, () => {});
    const first = textOf(await pages.attempt(2, run('*'), 1, { stay }));
    const texts = [first?.text ?? ''];
    expect(first?.more).toBe(true);
    for (let page = await pages.next(2); page !== null; page = await pages.next(2))
      texts.push(Buffer.from(page).toString());
    const numbers = texts
      .join('')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { n: string }).n);
    expect(numbers).toEqual(['0', '1', '2', '3']);
    expect(wide.open()).toBe(0);
  });

  it('that stays and is not pulled on ends with its close', async () => {
    const { source, open } = sourceOf(4, 30, 'x'.repeat(200_000));
    const runs = createRunningQueries(source, 1e6, () => {});
    expect(textOf(await runs.attempt(1, run('*'), 1, { stay: () => true }))?.more).toBe(true);
    expect(open()).toBe(1);
    runs.close(1);
    expect(open()).toBe(0);
    await expect(runs.next(1)).rejects.toMatchObject({ code: 'QUERY_CANCELLED' });
  });

  it.each([true, false])(
    'gives no line twice where a block turns out to be damaged after a page, stays: %s',
    async (stays) => {
      const { source } = sourceOf(4, 0, 'x'.repeat(200_000));
      const damage = new Error('damaged');
      let known = false;
      const runs = createRunningQueries(
        {
          ...source,
          snapshot() {
            const snapshot = source.snapshot();
            return {
              ...snapshot,
              *blocks(hints, order) {
                let i = 0;
                for (const block of snapshot.blocks(hints, order)) {
                  // The third one.
                  if (++i === 3 && known) continue;
                  if (i === 3) throw damage;
                  yield block;
                }
              },
            };
          },
          leavesOut: (error) => (known ||= error === damage),
        },
        1e6,
        () => {},
      );
      const first = await runs.attempt(1, run('*'), 60_000, { stay: () => stays });
      if (!stays) return expect(first).toBeNull();
      const texts = [textOf(first)?.text ?? ''];
      for (let page = await runs.next(1); page !== null; page = await runs.next(1))
        texts.push(Buffer.from(page).toString());
      expect(texts.join('').match(/"n":"\d"/g)).toEqual(['"n":"0"', '"n":"1"', '"n":"3"']);
    },
  );

  it('ends when it is told to', async () => {
    const { source, open } = sourceOf(1000, 10);
    const runs = createRunningQueries(source, 1e6, () => {});
    const asked = runs.attempt(1, run('* | stats count() n'), 60_000);
    runs.close(1);
    await expect(asked).rejects.toMatchObject({ code: 'QUERY_CANCELLED' });
    expect(open()).toBe(0);
  });
});

describe('blocks that two threads read', () => {
  const LINES = 6000;
  /** A store of many blocks, and the queries of two threads that read it. */
  function twoThreads() {
    const folder = emptyFolder();
    const writer = writerOf(folder);
    for (let i = 0; i < LINES; i += 100)
      writer.insert([
        batch(
          Array.from({ length: 100 }, (_, n) => ({
            _time: Date.UTC(2026, 0, 1) + i + n,
            _msg: `line ${i + n} of ${(i + n) % 7} ${'x'.repeat(100)}`,
            level: n % 2 === 0 ? 'INFO' : 'WARN',
          })),
        ),
      ]);
    writer.close();
    const open = () => {
      const damages: StoreDamage[] = [];
      // Longer than a turn, also on a quick machine.
      const source = openSource(
        folder,
        1e6,
        (damage) => damages.push(damage),
        (db) => {
          const parts = blockParts(db);
          const slowly = (read: (id: number) => Buffer | undefined) => (id: number) => {
            work(1);
            return read(id);
          };
          return { head: slowly(parts.head), part: slowly(parts.part) };
        },
      );
      return { source, damages, runs: createRunningQueries(source, 1e8, () => {}) };
    };
    return { folder, first: open(), second: open() };
  }
  type Threads = ReturnType<typeof twoThreads>;
  /** The result of the first, and how many blocks the second was given. */
  async function both({ first, second }: Threads, query: string) {
    const help: { blocks: SharedBlocks; page: Promise<Uint8Array | null> }[] = [];
    const found = await first.runs.attempt(1, run(query), Infinity, {
      stay: () => true,
      offer: (blocks) => help.push({ blocks, page: second.runs.help(1, run(query), blocks).catch(() => null) }),
    });
    const rows: string[] = [];
    const add = (page: Uint8Array | null) =>
      page && rows.push(...Buffer.from(page).toString().split('\n').filter(Boolean));
    add(found?.page ?? null);
    if (found?.more) for (let page = await first.runs.next(1); page; page = await first.runs.next(1)) add(page);
    for (const { blocks, page } of help) {
      if (haveFailed(blocks)) continue;
      add(await page);
      for (let next = await second.runs.next(1).catch(() => null); next; next = await second.runs.next(1)) add(next);
    }
    return { rows, taken: help.map(({ blocks }) => new Int32Array(blocks.state)[1]) };
  }

  it('are each counted once', async () => {
    const threads = twoThreads();
    const { rows, taken } = await both(threads, '_msg:~"of [0-3] x" | stats count() n');
    expect(rows).toEqual([`{"n":"${Array.from({ length: LINES }).filter((_, i) => i % 7 < 4).length}"}`]);
    expect(taken[0]).toBeGreaterThan(0);
  });

  it('give each of their rows once', async () => {
    const threads = twoThreads();
    const { rows, taken } = await both(threads, '_msg:~"of 3 x" | fields _msg');
    const expected = Array.from({ length: LINES }, (_, i) => i).filter((i) => i % 7 === 3);
    expect(rows.map((row) => Number(/line (\d+)/.exec(row)?.[1])).toSorted((a, b) => a - b)).toEqual(expected);
    expect(taken[0]).toBeGreaterThan(0);
  });

  it('are left to the first where the second cannot read one of them, and the query begins anew', async () => {
    const threads = twoThreads();
    const db = new Database(join(threads.folder, logFiles(threads.folder)[0] ?? ''));
    const { id, rows } = db.prepare('SELECT id, rows FROM blk ORDER BY t0 DESC LIMIT 1').get() as {
      id: number;
      rows: number;
    };
    db.prepare('UPDATE blk SET head = CAST(substr(head, 1, 9) || zeroblob(length(head) - 9) AS BLOB) WHERE id = ?').run(
      id,
    );
    db.close();
    const counted = await both(threads, '_msg:~"line" | stats count() n');
    expect(counted.rows).toEqual([`{"n":"${LINES - rows}"}`]);
    expect(threads.second.damages).toMatchObject([{ lost: rows }]);
    expect(threads.first.damages).toMatchObject([{ lost: rows }]);
  });

  it.each([
    '* | sort by (_time) | limit 3',
    '* | stats by (level) count() n',
    '_msg:in(x | fields _msg) | stats count() n',
    '* | stats count() n | union (* | stats count() n)',
    '* | sample 3',
  ])('are not those of %s', async (query) => {
    const { taken } = await both(twoThreads(), query);
    expect(taken).toEqual([]);
  });
});

it('a query that nobody pulls on is ended when its time is over', async () => {
  const { source, open } = sourceOf(5, 0, 'x'.repeat(200_000));
  const runs = createRunningQueries(source, 1e6, () => {});
  runs.open(1, { ...run('*'), timeoutMs: -900 });
  expect(open()).toBe(1);
  await vi.waitUntil(() => open() === 0);
  await expect(runs.next(1)).rejects.toMatchObject({ code: 'QUERY_CANCELLED' });
});

it('a watch counts the work of its own alone', async () => {
  const watch = createTimeSlice(600_000, 300);
  const step = async (ms: number) => {
    work(ms);
    await watch.step();
  };
  await step(10);
  const other = new Promise((resolve) => setImmediate(() => resolve(work(400))));
  await step(10);
  await other;
  await step(10);
  await expect(
    (async () => {
      for (;;) await step(100);
    })(),
  ).rejects.toBeInstanceOf(WorkTooLong);
});
