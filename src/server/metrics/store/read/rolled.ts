import type Database from 'better-sqlite3';

/** By series the block that has its roll-ups. */
export type RolledSeries = ReadonlyMap<number, number>;

/** Which series of a partition have roll-ups. `mergeOwners`: else those that have owners have none. */
export type FindRolled = (series: readonly number[], mergeOwners: boolean) => RolledSeries;

/** Series of a query up to which each is looked up by itself. */
const FEW = 64;
/** Series that are remembered, of all partitions together: some 50 bytes each. */
const REMEMBERED = 200_000;

interface Known {
  /** What `PRAGMA data_version` said: another number when the file was written to since. */
  readonly version: number;
  readonly rolled: RolledSeries;
  readonly merged: RolledSeries;
}

/** Remembers for the partitions that were read last which of their series have roll-ups. */
export function createRolledMemory(): (db: Database.Database) => FindRolled {
  const known = new Map<object, Known>();
  let held = 0;

  const sizeOf = ({ rolled, merged }: Known): number => merged.size + (rolled === merged ? 0 : rolled.size);
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

  return (db) => {
    const owner = {};
    const version = db.prepare<[], number>('SELECT data_version FROM pragma_data_version').pluck();
    const allRolled = db.prepare<[], { sid: number; rolled: number }>(
      'SELECT sid, rolled FROM series WHERE rolled > 0',
    );
    const allOwned = db.prepare<[], number>('SELECT DISTINCT sid FROM chunk WHERE job0 IS NOT NULL').pluck();
    const rolledOf = db.prepare<[number], number>('SELECT rolled FROM series WHERE sid = ? AND rolled > 0').pluck();
    const isOwned = db
      .prepare<[number], number>('SELECT 1 FROM chunk WHERE sid = ? AND job0 IS NOT NULL LIMIT 1')
      .pluck();

    function few(series: readonly number[], mergeOwners: boolean): RolledSeries {
      const found = new Map<number, number>();
      for (const sid of series) {
        const block = rolledOf.get(sid);
        if (block !== undefined && (mergeOwners || isOwned.get(sid) === undefined)) found.set(sid, block);
      }
      return found;
    }

    return (series, mergeOwners) => {
      if (series.length <= FEW) return few(series, mergeOwners);
      const now = version.get() ?? 0;
      let one = known.get(owner);
      // The one that was used last stands last.
      forget(owner);
      if (one?.version !== now) {
        const merged = new Map(allRolled.all().map(({ sid, rolled }) => [sid, rolled]));
        const owned = allOwned.all();
        const rolled = owned.length === 0 ? merged : new Map(merged);
        for (const sid of owned) (rolled as Map<number, number>).delete(sid);
        one = { version: now, rolled, merged };
      }
      remember(owner, one);
      return mergeOwners ? one.merged : one.rolled;
    };
  };
}
