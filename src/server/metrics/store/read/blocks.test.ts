import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeRolls } from '../files/roll-up.ts';
import { rollSum } from '../files/sums.ts';
import { createBlockMemory, openRollBlocks } from './blocks.ts';

describe('blocks of roll-ups', () => {
  let db: Database.Database;
  beforeEach(() => {
    db = new Database(':memory:');
    db.exec('CREATE TABLE roll (id INTEGER PRIMARY KEY, crc INTEGER NOT NULL, data BLOB NOT NULL)');
  });
  afterEach(() => void db.close());

  function put(id: number, crc?: number): void {
    const minutes = Float64Array.from({ length: 120 }, (_, i) => i);
    // Large enough, and alike enough, to be compressed.
    const parts = { count: minutes.map(() => 3), sum: minutes.map((i) => (i * 7919) % 97) };
    const data = encodeRolls(
      Array.from({ length: 20 }, (_, field) => ({ series: id, field, minutes, parts, isDense: true })),
    );
    db.prepare('INSERT INTO roll VALUES (?, ?, ?)').run(id, crc ?? rollSum(id, data), data);
  }
  const removeAll = () => db.exec('DELETE FROM roll');

  it('are read once', () => {
    put(1);
    const find = createBlockMemory(openRollBlocks)(db);
    const block = find(1);
    expect(block?.bytes).toBeGreaterThan(0);
    removeAll();
    expect(find(1)).toBe(block);
    expect(find(2)).toBeNull();
  });

  it('are told apart by their partition', () => {
    put(1);
    const memory = createBlockMemory(openRollBlocks);
    const [find, findInOther] = [memory(db), memory(db)];
    expect(findInOther(1)).not.toBe(find(1));
  });

  it('that are damaged or missing are none, and are asked for again', () => {
    put(1, 0);
    const find = createBlockMemory(openRollBlocks)(db);
    expect(find(1)).toBeNull();
    expect(find(2)).toBeNull();
    removeAll();
    put(1);
    put(2);
    expect([find(1)?.bytes, find(2)?.bytes]).toEqual([expect.any(Number), expect.any(Number)]);
  });

  it('are forgotten, the one that was used longest ago first, with what was asked of them counted', () => {
    for (const id of [1, 2, 3]) put(id);
    const sizeOf = (id: number) => createBlockMemory(openRollBlocks)(db)(id)?.bytes ?? 0;
    const find = createBlockMemory(openRollBlocks, sizeOf(1) + sizeOf(2) + sizeOf(3))(db);
    const blocks = [1, 2, 3].map(find);
    expect(find(1)).toBe(blocks[0]);
    const before = blocks[1]?.bytes ?? 0;
    blocks[1]?.section('sum');
    blocks[1]?.section('sum');
    const grown = (blocks[1]?.bytes ?? 0) - before;
    removeAll();
    // It grew beyond what may be held: of the others the one goes that was used longest ago.
    expect(grown).toBeGreaterThan(0);
    expect(find(2)).toBe(blocks[1]);
    expect(find(3)).toBeNull();
    expect(find(1)).toBe(blocks[0]);
  });

  it('of which one alone is more than may be held are read each time', () => {
    put(1);
    const find = createBlockMemory(openRollBlocks, 1)(db);
    expect(find(1)?.bytes).toBeGreaterThan(1);
    removeAll();
    expect(find(1)).toBeNull();
  });
});
