import { expect, it } from 'vitest';
import { openPartition, PART_MS } from '../files/partition.ts';
import { openHead } from '../files/head-db.ts';
import { anyFilter, type TestStore, useTestStores } from '../store.fixture.ts';
import { WAL_DELETE } from '../files/wal.ts';

const T = Date.UTC(2026, 0, 1, 12);
const open = useTestStores();
const values = (store: TestStore): number[] => {
  store.view.refresh();
  return [...store.source.read(anyFilter, 0, 1e15)].flatMap((data) => [...(data.values as Float64Array)]);
};

it('points that are written again after a delete stay, also where a kill came before the delete was done', () => {
  const store = open();
  store.lines(`m v=1 ${T}`, 'ms');
  store.writer.seal();
  // What a delete leaves behind that was killed after its first commit.
  const head = openHead(store.folder, false);
  head
    .prepare('INSERT INTO wal (kind, rows, data) VALUES (?, 0, ?)')
    .run(WAL_DELETE, Buffer.from(JSON.stringify({ bucket: 1, start: T, stop: T + 1000, tags: {} })));
  head.close();
  store.lines(`m v=2 ${T + 500}`, 'ms');
  store.writer.seal();
  expect(values(store)).toEqual([2]);
  expect(store.writer.stats().points).toBe(2);
});

it('finds the last point of a series that fell silent many partitions ago', () => {
  const store = open();
  store.lines(`m,host=old v=1 ${T}`, 'ms');
  for (let i = 1; i <= 80; i++) store.lines(`m,host=new v=2 ${T + i * PART_MS}`, 'ms');
  store.writer.seal();
  while (store.writer.tend(true));
  store.view.refresh();
  expect([...store.source.last(anyFilter, 0, T + 100 * PART_MS)].map(({ values: [value] }) => value).sort()).toEqual([
    1, 2,
  ]);
});

it('deletes from a pack of which a part is damaged, and still tells of that', () => {
  const store = open();
  // Enough to be unpacked apart from the others.
  const irregular = Array.from({ length: 6000 }, (_, i) => `m,host=a v=${Math.sin(i)} ${T + i * 1000}`);
  store.lines([...irregular, `m,host=b v=1 ${T}`, `m,host=b v=2 ${T + 1}`, `m,host=c v=3 ${T}`].join('\n'), 'ms');
  while (store.writer.tend(true));
  const db = openPartition(store.folder, 1, T, false);
  const data = db.prepare<[], Buffer>('SELECT data FROM pack').pluck().get() as Buffer;
  data[1000] = (data[1000] ?? 0) ^ 1;
  db.prepare('UPDATE pack SET data = ?').run(data);
  db.close();

  store.writer.delete('metrics', { start: T, stop: T, tags: { host: 'b' } });
  expect(values(store)).toEqual([2, 3]);
  store.writer.delete('metrics', { start: T, stop: T + 1, tags: { host: 'b' } });
  while (store.writer.tend(true));
  expect(values(store)).toEqual([3]);
  expect(store.damages).toContainEqual(expect.objectContaining({ from: T, to: T + 5_999_001, lost: 6000 }));
});
