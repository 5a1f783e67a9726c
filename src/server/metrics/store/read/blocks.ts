import type Database from 'better-sqlite3';
import { Pack, type PackRow } from '../files/pack.ts';
import { RollBlock } from '../files/read-rolls.ts';
import { PACK_ROW } from '../files/series-book.ts';
import { isRoll } from '../files/sums.ts';

/** The block with that id of a partition; null: it is missing or damaged. */
export type FindBlock<B> = (id: number) => B | null;

/** Bytes of the blocks that are remembered, of all partitions together. */
const REMEMBERED = 4 * 1024 * 1024;

/**
 * Remembers the blocks that were read last: dashboards ask for the same again and again, and reading, checking and
 * unpacking a block takes several times as long as what is read of it. A block never changes: new ones have new ids.
 * `open`: how those of a partition are read; their `bytes` may grow as more of them is asked for.
 */
export function createBlockMemory<B extends { readonly bytes: number }>(
  open: (db: Database.Database) => FindBlock<B>,
  most = REMEMBERED,
): (db: Database.Database) => FindBlock<B> {
  /** The one that was used last stands last. `counted`: of its bytes. */
  const known = new Map<string, { readonly block: B; counted: number }>();
  let held = 0;
  let owners = 0;

  function remember(key: string, block: B, counted: number): void {
    known.delete(key);
    known.set(key, { block, counted: block.bytes });
    held += block.bytes - counted;
    for (const [oldest, { counted: gone }] of known) {
      if (held <= most) break;
      held -= gone;
      known.delete(oldest);
    }
  }

  return (db) => {
    const owner = ++owners;
    const read = open(db);
    return (id) => {
      const key = `${owner}/${id}`;
      const one = known.get(key);
      if (one) {
        remember(key, one.block, one.counted);
        return one.block;
      }
      const block = read(id);
      if (block) remember(key, block, 0);
      return block;
    };
  };
}

export function openRollBlocks(db: Database.Database): FindBlock<RollBlock> {
  const blockOf = db.prepare<[number], { crc: number; data: Uint8Array }>('SELECT crc, data FROM roll WHERE id = ?');
  return (id) => {
    const row = blockOf.get(id);
    return row && isRoll(id, row.data, row.crc) ? new RollBlock(row.data) : null;
  };
}

export function openPacks(db: Database.Database): FindBlock<Pack> {
  let rowOf: Database.Statement<[number], PackRow> | null = null;
  return (id) => {
    // A partition of an earlier format has none until it is written to.
    rowOf ??= db.prepare<[number], PackRow>(PACK_ROW);
    const row = rowOf.get(id);
    return row ? Pack.open(row) : null;
  };
}
