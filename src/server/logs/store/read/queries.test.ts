import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { blockOf } from '../../logsql/blocks.fixture.ts';
import { logFiles } from '../files/schema.ts';
import type { LogRun, StoreDamage } from '../port.ts';
import { batch, emptyFolder, writerOf } from '../store.fixture.ts';
import { openSource, type Snapshot, type Source } from './source.ts';
import { type Attempt, createRunningQueries } from './queries.ts';
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
      release: () => void open--,
    };
  };
  return { source: { snapshot, leavesOut: () => false, *verify() {}, rest() {}, close() {} }, open: () => open };
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
    const counted = textOf(await runs.attempt(1, run('* | stats count() n'), 20, stay));
    expect(counted).toEqual({ text: '{"n":"10"}\n', more: true });
    expect(asked).toBe(1);
    expect(await runs.next(1)).toBeNull();
    expect(long.open()).toBe(0);

    const wide = sourceOf(4, 30, 'x'.repeat(200_000));
    const pages = createRunningQueries(wide.source, 1e6, () => {});
    const first = textOf(await pages.attempt(2, run('*'), 1, stay));
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
    expect(textOf(await runs.attempt(1, run('*'), 1, () => true))?.more).toBe(true);
    expect(open()).toBe(1);
    runs.close(1);
    expect(open()).toBe(0);
    await expect(runs.next(1)).rejects.toMatchObject({ code: 'QUERY_CANCELLED' });
  });

  it('ends when it is told to', async () => {
    const { source, open } = sourceOf(1000, 10);
    const runs = createRunningQueries(source, 1e6, () => {});
    const asked = runs.attempt(1, run('* | stats count() n'), 60_000);
    runs.close(1);
    await expect(asked).rejects.toMatchObject({ code: 'QUERY_CANCELLED' });
    expect(open()).toBe(0);
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
