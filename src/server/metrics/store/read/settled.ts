import type Database from 'better-sqlite3';
import { SERIES_ROW } from '../files/series-book.ts';
import { seriesSum, type SeriesRow } from '../files/sums.ts';

/** By series the block, or the pack, that has it. */
export type SeriesBlocks = ReadonlyMap<number, number>;

/** What compacting has made of series of a partition. */
export interface Settled {
  /** Those that have roll-ups. */
  readonly rolled: SeriesBlocks;
  /** Those of which a pack has all that is sealed. */
  readonly packed: SeriesBlocks;
}

/** `mergeOwners`: else series that have owners have no roll-ups. */
export type FindSettled = (series: readonly number[], mergeOwners: boolean) => Settled;

/** Series of a query up to which each is looked up by itself. */
const FEW = 64;
/** Series that are remembered, of all partitions together: some 50 bytes each. */
const REMEMBERED = 200_000;
const NONE: SeriesBlocks = new Map();

interface Known extends Settled {
  /** What `PRAGMA data_version` said: another number when the file was written to since. */
  readonly version: number;
  readonly merged: SeriesBlocks;
}

const isPacked = (row: SeriesRow): boolean => row.pack > 0 && row.chunks === 0 && seriesSum(row) === row.tie;

/** Remembers for the partitions that were read last what was made of their series. `hasPacks`: false as long as one is of an earlier format. */
export function createSettledMemory(): (db: Database.Database, hasPacks: () => boolean) => FindSettled {
  const known = new Map<object, Known>();
  let held = 0;

  const sizeOf = ({ rolled, merged, packed }: Known): number =>
    merged.size + packed.size + (rolled === merged ? 0 : rolled.size);
  function forget(owner: object): void {
    const one = known.get(owner);
    if (!one) return;
    held -= sizeOf(one);
    known.delete(owner);
  }
  function remember(owner: object, one: Known): void {
    known.set(owner, one);
    held += sizeOf(one);
    for (const oldest of known.keys()) {
      if (held <= REMEMBERED || oldest === owner) break;
      forget(oldest);
    }
  }

  return (db, hasPacks) => {
    const owner = {};
    const version = db.prepare<[], number>('SELECT data_version FROM pragma_data_version').pluck();
    const allRolled = db.prepare<[], { sid: number; rolled: number }>(
      'SELECT sid, rolled FROM series WHERE rolled > 0',
    );
    const allOwned = db.prepare<[], number>('SELECT DISTINCT sid FROM chunk WHERE job0 IS NOT NULL').pluck();
    const allPacked = () =>
      db
        .prepare<[], SeriesRow>('SELECT sid, rolled, pack, chunks, sum, tie FROM series WHERE pack > 0 AND chunks = 0')
        .all();
    const rolledOf = db.prepare<[number], number>('SELECT rolled FROM series WHERE sid = ? AND rolled > 0').pluck();
    const isOwned = db
      .prepare<[number], number>('SELECT 1 FROM chunk WHERE sid = ? AND job0 IS NOT NULL LIMIT 1')
      .pluck();
    let rowOf: Database.Statement<[number], SeriesRow> | null = null;

    function few(series: readonly number[], mergeOwners: boolean): Settled {
      const rolled = new Map<number, number>();
      const packed = new Map<number, number>();
      if (hasPacks()) rowOf ??= db.prepare<[number], SeriesRow>(SERIES_ROW);
      for (const sid of series) {
        const block = rolledOf.get(sid);
        if (block !== undefined && (mergeOwners || isOwned.get(sid) === undefined)) rolled.set(sid, block);
        const row = rowOf?.get(sid);
        if (row && isPacked(row)) packed.set(sid, row.pack);
      }
      return { rolled, packed };
    }

    function all(now: number): Known {
      const merged = new Map(allRolled.all().map(({ sid, rolled }) => [sid, rolled]));
      const owned = allOwned.all();
      const rolled = owned.length === 0 ? merged : new Map(merged);
      for (const sid of owned) rolled.delete(sid);
      const packed = hasPacks()
        ? new Map(
            allPacked()
              .filter(isPacked)
              .map(({ sid, pack }) => [sid, pack]),
          )
        : NONE;
      return { version: now, rolled, merged, packed };
    }

    return (series, mergeOwners) => {
      if (series.length <= FEW) return few(series, mergeOwners);
      const now = version.get() ?? 0;
      let one = known.get(owner);
      // The one that was used last stands last.
      forget(owner);
      if (one?.version !== now) one = all(now);
      remember(owner, one);
      return { rolled: mergeOwners ? one.merged : one.rolled, packed: one.packed };
    };
  };
}
