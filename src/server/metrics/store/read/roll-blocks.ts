import type Database from 'better-sqlite3';
import { RollBlock } from '../files/read-rolls.ts';
import { isRoll } from '../files/sums.ts';

/** The roll-ups of that block of a partition; null: they are missing or damaged. */
export type FindRollBlock = (id: number) => RollBlock | null;

/** Bytes of the blocks that are remembered, of all partitions together. */
const REMEMBERED = 4 * 1024 * 1024;

/**
 * Remembers the blocks that were read last: dashboards ask for the same again and again, and reading, checking and
 * unpacking a block takes several times as long as what is read of it. A block never changes: new ones have new ids.
 */
export function createRollBlockMemory(most = REMEMBERED): (db: Database.Database) => FindRollBlock {
  /** The one that was used last stands last. `counted`: of its bytes, which grow as more of it is asked for. */
  const known = new Map<string, { readonly block: RollBlock; counted: number }>();
  let held = 0;
  let owners = 0;

  function remember(key: string, block: RollBlock, counted: number): void {
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
    const blockOf = db.prepare<[number], { crc: number; data: Uint8Array }>('SELECT crc, data FROM roll WHERE id = ?');
    return (id) => {
      const key = `${owner}/${id}`;
      const one = known.get(key);
      if (one) {
        remember(key, one.block, one.counted);
        return one.block;
      }
      const row = blockOf.get(id);
      if (!row || !isRoll(id, row.data, row.crc)) return null;
      const block = new RollBlock(row.data);
      remember(key, block, 0);
      return block;
    };
  };
}
