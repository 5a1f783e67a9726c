import { SNAPSHOT_SECONDS } from '../../../contract/operations.ts';
import type { Limits } from '../../../contract/limits.ts';
import { Fault } from '../../../lib/fault.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import type { Store } from '../../store/port.ts';
import type { BulkPurpose, Target } from './port.ts';
import type { ChunkRow } from './chunk.ts';
import type { SnapshotRow } from './operation-rows.ts';
import type { TargetSnapshot } from './scan-queries.ts';
import * as sql from './sql.ts';

/** Parts that one transaction writes. */
const CHUNKS = 50;

/**
 * Fixed sets of jobs: those of operations, and those that a dry run counted. What a person confirms is what they were
 * shown, however many jobs match by then. Snapshots outlive a restart of the master.
 */
export function createSnapshots({ store, limits, now }: { store: Store; limits: Readonly<Limits>; now(): number }) {
  const { read } = store;
  let last = read.query<{ n: number | null }>(sql.LAST_SNAPSHOT).get()?.n ?? 0;

  return {
    /** Writes the parts of a set of jobs, of an operation or (below zero) of a snapshot. */
    async write(owner: number, { chunks }: Pick<TargetSnapshot, 'chunks'>): Promise<void> {
      let first = 0;
      for (let i = 0; i < chunks.length; i += CHUNKS)
        await store.write((db) => {
          for (const { jobs, count, leftOut } of chunks.slice(i, i + CHUNKS)) {
            db.statement(sql.INSERT_CHUNK).run(owner, first, jobs, leftOut);
            first += count;
          }
        });
    },

    /** Keeps what a dry run counted; its id. */
    async keep(target: Target, purpose: BulkPurpose, taken: TargetSnapshot): Promise<string> {
      const seq = ++last;
      await this.write(-seq, taken);
      const at = now();
      const id = uuidv7(at);
      const filter = 'ids' in target ? null : JSON.stringify(target.filter);
      await store.write((db) =>
        db
          .statement(sql.INSERT_SNAPSHOT)
          .run(seq, id, JSON.stringify(purpose), filter, taken.total, at, JSON.stringify(taken.places)),
      );
      return id;
    },

    /** Throws SNAPSHOT_EXPIRED, also for an id that was never one. */
    find(id: string, held = false): SnapshotRow {
      const row = read.query<SnapshotRow>(sql.SNAPSHOT_BY_ID).get(id);
      const isHeld = held && row?.held_until !== null && row !== undefined && row.held_until > now();
      if (!row || (!isHeld && row.created_at + SNAPSHOT_SECONDS * 1000 <= now()))
        throw new Fault(
          'SNAPSHOT_EXPIRED',
          `the snapshot ${id} has expired: a dry run is valid for ${SNAPSHOT_SECONDS / 60} minutes. Start a new dry run`,
        );
      return row;
    },

    /**
     * Makes the jobs of a snapshot those of an operation. `isSame`: what the dry run left out is known for it, too. Throws
     * SNAPSHOT_EXPIRED where it was deleted meanwhile: its row goes before its parts.
     */
    async copy({ id, seq }: SnapshotRow, operation: number, isSame: boolean, held = false): Promise<void> {
      const firsts = read
        .query<ChunkRow>(sql.SNAPSHOT_CHUNKS)
        .all(-seq)
        .map(({ first }) => first)
        .toReversed();
      for (let i = 0; i < firsts.length; i += CHUNKS) {
        const [from, until] = [firsts[i] ?? 0, firsts[i + CHUNKS] ?? Number.MAX_SAFE_INTEGER];
        await store.write((db) => db.statement(sql.COPY_CHUNKS).run(operation, Number(isSame), -seq, from, until));
      }
      this.find(id, held);
    },

    /** Deletes snapshots that are out of date, and the oldest beyond the number that is kept. */
    async clean(): Promise<void> {
      // One that a start has just found is copied before it goes.
      const until = now() - (SNAPSHOT_SECONDS + 60) * 1000;
      for (;;) {
        const found = read.query<{ seq: number }>(sql.SURPLUS_SNAPSHOT).get(now(), until, now(), limits.bulkSnapshots);
        if (!found) return;
        await store.write((db) => db.statement(sql.DELETE_SNAPSHOT).run(found.seq));
        while ((await store.write((db) => db.statement(sql.DELETE_CHUNKS).run(-found.seq, CHUNKS))) > 0);
      }
    },

    /** What was written of operations and snapshots that were never accepted must be gone before their numbers are given again. */
    async clearOrphans(lastOperation: number): Promise<void> {
      while ((await store.write((db) => db.statement(sql.ORPHAN_CHUNKS).run(lastOperation, CHUNKS))) > 0);
    },
  };
}
