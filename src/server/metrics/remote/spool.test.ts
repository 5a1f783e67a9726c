import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { openSpool } from './spool.ts';

function open(folder = temporaryFolder('spool'), mostBytes = 100_000) {
  const dropped: number[] = [];
  const spool = openSpool(folder, {
    mostBytes: () => mostBytes,
    now: () => 5,
    onDropped: (items) => dropped.push(items),
  });
  return { folder, spool, dropped };
}
const bytes = (text: string) => new TextEncoder().encode(text);

it('gives batches back in their order, over a restart too', () => {
  const { folder, spool } = open();
  spool.put(bytes('one'), 1);
  spool.put(bytes('second'), 2);
  const again = open(folder).spool;
  expect([again.items, again.bytes]).toEqual([3, 2 * 4096]);
  const first = again.first();
  expect(first && again.read(first)?.toString()).toBe('one');
  if (first) again.done(first);
  again.put(bytes('third'), 3);
  const second = again.first();
  expect(second && again.read(second)?.toString()).toBe('second');
  if (second) again.done(second);
  expect(readdirSync(folder)).toHaveLength(1);
  expect(again.oldestAt).toBe(5);
});

it('drops the oldest where there is no room', () => {
  const { spool, dropped } = open(undefined, 10_000);
  for (const text of ['aaaa', 'bbbb', 'cccc']) spool.put(bytes(text), 7);
  expect(dropped).toEqual([7]);
  const first = spool.first();
  expect(first && spool.read(first)?.toString()).toBe('bbbb');
  // One that is larger than all the room is kept alone.
  spool.put(bytes('x'.repeat(50_000)), 1);
  expect([spool.items, dropped]).toEqual([1, [7, 7, 7]]);
});

it('takes nothing for a batch that is not as it was written', () => {
  const { folder, spool } = open();
  spool.put(bytes('whole'), 1);
  const [name = ''] = readdirSync(folder);
  writeFileSync(join(folder, name), 'wh0le');
  writeFileSync(join(folder, 'half.tmp'), 'x');
  const again = open(folder).spool;
  const first = again.first();
  expect(first?.items).toBe(1);
  expect(first && again.read(first)).toBeNull();
  expect(readdirSync(folder)).toEqual([name]);
});
