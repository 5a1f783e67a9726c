import { describe, expect, it } from 'vitest';
import type { Merge } from './merge.ts';
import { batch, emptyFolder, mergeIn, recordsIn, settle, writerOf } from '../store.fixture.ts';

const START = Date.UTC(2026, 0, 1);
const many = (from: number) =>
  Array.from({ length: 1500 }, (_, i) => ({
    _time: START + from + i,
    n: from + i,
    _msg: `line ${from + i} ${'abcdefgh'.repeat(24)}`,
  }));

/** A store whose merging ends when a test says so. */
function slow(more: Parameters<typeof writerOf>[1] = {}) {
  const folder = emptyFolder();
  const waiting: (() => void)[] = [];
  const merge: Merge = (...given) => void waiting.push(() => mergeIn(folder)(...given));
  const writer = writerOf(folder, { merge, ...more });
  return { folder, writer, waiting };
}

describe('merging', () => {
  it('goes on elsewhere while batches are kept, and takes none of them away', () => {
    const { folder, writer, waiting } = slow();
    for (let i = 0; i < 8; i++) writer.insert([batch(many(i * 1500))]);
    settle(writer);
    expect(waiting).toHaveLength(1);
    writer.insert([batch(many(8 * 1500))]);
    expect(writer.stats().blocks).toBe(9);
    waiting.pop()?.();
    settle(writer);
    expect(writer.stats()).toMatchObject({ blocks: 2, rows: 9 * 1500 });
    writer.close();
    expect(recordsIn(folder).records.map(({ n }) => n)).toEqual(Array.from({ length: 9 * 1500 }, (_, n) => n));
  });

  it('leaves nothing behind where the file went in the meantime', () => {
    let now = START;
    const { folder, writer, waiting } = slow({ now: () => now, retentionDays: 1 });
    for (let i = 0; i < 8; i++) writer.insert([batch(many(i * 1500))]);
    settle(writer);
    now += 5 * 86_400_000;
    writer.insert([batch(many(0))]);
    settle(writer);
    expect(writer.stats().rows).toBe(1500);
    waiting.pop()?.();
    settle(writer);
    expect(writer.stats().rows).toBe(1500);
    writer.close();
    expect(recordsIn(folder).records).toHaveLength(1500);
  });

  it('that failed is tried again, not at once', () => {
    let now = START;
    let asked = 0;
    const said: string[] = [];
    const { writer } = slow({
      now: () => now,
      log: (line) => said.push(line),
      merge: (_file, _ids, _rows, done) => (asked++, done(new Error('the thread ended'))),
    });
    for (let i = 0; i < 8; i++) writer.insert([batch(many(i * 1500))]);
    for (let i = 0; i < 10; i++) settle(writer);
    expect(asked).toBe(1);
    now += 6000;
    for (let i = 0; i < 10; i++) settle(writer);
    expect(asked).toBe(2);
    expect(said).toEqual(['log store maintenance failed: the thread ended']);
    expect(writer.stats().rows).toBe(8 * 1500);
    writer.close();
  });
});
