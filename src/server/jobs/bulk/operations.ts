import { pageOf } from '../../../lib/page.ts';
import { parseStored } from '../../../lib/json.ts';
import type { JobFilter } from '../../../contract/jobs.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { Operation, OperationResult } from '../../../contract/operations.ts';
import type { Page } from '../../../contract/shapes.ts';
import { every } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import type { AuditNote } from '../../access/port.ts';
import type { Feed } from '../../feed/port.ts';
import type { Store, WriteHandle } from '../../store/port.ts';
import { endBackfill, noteBackfill } from './backfill-operation.ts';
import { deleteOldOperations } from './delete-old-operations.ts';
import type { BulkPurpose, Operations, SnapshotTarget, Target } from './port.ts';
import { dryRunReruns } from './rerun-dry-run.ts';
import type { RerunDeps } from './rerun-prepare.ts';
import { operationView, parsePlaces, type OperationRow } from './operation-rows.ts';
import { chunkAt, createRunner } from './runner.ts';
import type { Scan } from './scan.ts';
import { abortOperation } from './operation-slice.ts';
import { createSnapshots } from './snapshots.ts';
import * as sql from './sql.ts';
import type { Engine } from '../engine/port.ts';

export interface OperationsDeps {
  readonly engine: Engine;
  readonly store: Store;
  readonly scan: Scan;
  readonly limits: Readonly<Limits>;
  readonly reruns: RerunDeps;
  /** Goes on with the tasks of large jobs. */
  resumeExpansion(): void;
  readonly feed: Pick<Feed, 'publish'>;
  /** READY tasks that wait for a worker. */
  ready(): number;
  now(): number;
  onError(error: unknown): void;
}

const KEEP_MS = 60_000;

const insertOperation = (db: WriteHandle, row: OperationRow): void =>
  void db
    .statement(sql.INSERT_OPERATION)
    .run(
      row.seq,
      row.id,
      row.kind,
      row.status,
      row.filter,
      row.non_retryable,
      row.rerun,
      row.total,
      row.created_at,
      row.finished_at,
      row.created_by,
      row.from_snapshot,
      row.places,
    );

/** Bulk operations. Those that an earlier run of the master did not end go on. */
export function createOperations({
  engine,
  store,
  scan,
  limits,
  reruns,
  resumeExpansion,
  feed,
  ready,
  now,
  onError,
}: OperationsDeps): {
  operations: Operations;
  /** The number of a snapshot, for an export of its jobs. Throws SNAPSHOT_EXPIRED. */
  snapshot(id: string): number;
  close(): Promise<void>;
} {
  const { read } = store;
  let last = read.query<{ n: number | null }>(sql.LAST_OPERATION).get()?.n ?? 0;
  const changed = (id: string) => feed.publish('operation', id);
  const runner = createRunner({
    engine,
    read,
    reruns,
    resumeExpansion,
    isFull: (done) => limits.bulkReadyTasks > 0 && done >= limits.bulkReadyTasks && ready() >= limits.bulkReadyTasks,
    changed,
    onError,
  });
  const snapshots = createSnapshots({ store, limits, now });
  const stopKeeping = every(
    KEEP_MS,
    async () => {
      await deleteOldOperations(store, limits, now());
      await snapshots.clean();
    },
    onError,
  );
  const starting = new Set<number>();

  const rowOf = (id: string): OperationRow => {
    const row = read.query<OperationRow>(sql.OPERATION_BY_ID).get(id);
    if (!row)
      throw new Fault(
        'OPERATION_NOT_FOUND',
        `operation ${id} not found; finished operations are kept for ${limits.operationRetentionDays} days`,
      );
    return row;
  };

  const cleared = snapshots.clearOrphans(last);
  cleared.catch(onError);

  /** Makes the jobs that are meant those of an operation: all at this moment, or those of a snapshot. */
  async function takeTargets(
    seq: number,
    target: Target | SnapshotTarget,
    purpose: BulkPurpose,
  ): Promise<Pick<OperationRow, 'total' | 'filter' | 'from_snapshot' | 'places'>> {
    if ('snapshot' in target) {
      const snapshot = snapshots.find(target.snapshot, target.held);
      const isSame = snapshot.purpose === JSON.stringify(purpose);
      await snapshots.copy(snapshot, seq, isSame, target.held);
      const { total, filter, places } = snapshot;
      return { total, filter, places, from_snapshot: Number(isSame) };
    }
    const taken = await scan.snapshotTargets(target, purpose, limits.bulkJobs);
    await snapshots.write(seq, { ...taken, chunks: taken.chunks.map((chunk) => ({ ...chunk, leftOut: null })) });
    return {
      total: taken.total,
      filter: 'ids' in target ? null : JSON.stringify(target.filter),
      from_snapshot: 0,
      places: JSON.stringify(taken.places),
    };
  }

  function accept(
    row: OperationRow,
    target: Target | SnapshotTarget,
    purpose: BulkPurpose,
    audit: AuditNote | undefined,
  ): Promise<void> {
    return store.write((db) => {
      insertOperation(db, row);
      const what =
        'ids' in target
          ? { ids: target.ids.length }
          : 'filter' in target
            ? { filter: target.filter }
            : { snapshot: target.snapshot, filter: row.filter === null ? null : parseStored(row.filter) };
      audit?.(db, {
        action: `job.bulk-${row.kind}`,
        target: `operation:${row.id}`,
        before: null,
        after: { ...what, total: row.total, ...saidOf(purpose) },
      });
    });
  }

  const operations: Operations = {
    async beginBackfill({ total, place, actor }, also) {
      await cleared;
      const at = now();
      const row: OperationRow = {
        ...{ seq: ++last, id: uuidv7(at), kind: 'backfill', status: total === 0 ? 'DONE' : 'RUNNING' },
        ...{ filter: null, non_retryable: 0, rerun: null, total, done: 0, failed: 0, cursor: null, changed: 0 },
        ...{ created_at: at, finished_at: total === 0 ? at : null, created_by: actor, from_snapshot: 0 },
        places: JSON.stringify([place]),
      };
      await store.write((db) => {
        insertOperation(db, row);
        also(db, row.id);
      });
      changed(row.id);
      return operationView(row);
    },
    noteBackfill: (db, id, result) => noteBackfill(db, id, result, now()),
    endBackfill: (db, id, reason) => endBackfill(db, id, reason, now()),
    async dryRun({ target, ...purpose }) {
      await cleared;
      await engine.written();
      const taken = await scan.snapshotTargets(target, purpose, limits.bulkJobs);
      const left = taken.leftOut.reduce((sum, { count }) => sum + count, 0);
      const counts =
        purpose.kind === 'rerun'
          ? await dryRunReruns({ ...reruns, scan, limits }, target, purpose.choice)
          : { count: taken.total, eligible: taken.total - left, ineligible: [...taken.leftOut] };
      return { ...counts, snapshot: await snapshots.keep(target, purpose, taken) };
    },
    async submit({ target, ...purpose }, actor, audit): Promise<Operation> {
      if (runner.size + starting.size >= limits.bulkOperations)
        throw new Fault(
          'OVERLOADED',
          `${limits.bulkOperations} bulk operations are already running: wait for one to finish, or abort one`,
        );
      await cleared;
      await engine.written();
      const seq = ++last;
      starting.add(seq);
      try {
        const { total, ...taken } = await takeTargets(seq, target, purpose);
        const at = now();
        const row: OperationRow = {
          seq,
          id: uuidv7(at),
          kind: purpose.kind,
          status: total === 0 ? 'DONE' : 'RUNNING',
          non_retryable: Number(purpose.kind !== 'rerun' && purpose.nonRetryable),
          rerun: purpose.kind === 'rerun' ? JSON.stringify(purpose.choice) : null,
          total,
          ...taken,
          done: 0,
          failed: 0,
          cursor: null,
          changed: 0,
          created_at: at,
          finished_at: total === 0 ? at : null,
          created_by: actor,
        };
        await accept(row, target, purpose, audit);
        if (row.status === 'RUNNING') runner.add(row);
        changed(row.id);
        return operationView(row);
      } finally {
        starting.delete(seq);
      }
    },
    snapshotTotal(id) {
      const { total, filter } = snapshots.find(id);
      return { total, filter: filter === null ? null : parseStored<JobFilter>(filter) };
    },
    holdSnapshot: (db, id, until) => void db.statement(sql.HOLD_SNAPSHOT).run(until, id),
    snapshotJobs(id, wanted) {
      const { seq, total } = snapshots.find(id, true);
      const [from, to] = [wanted.page * wanted.size, Math.min(total, (wanted.page + 1) * wanted.size)];
      const items: { jobId: string }[] = [];
      for (let place = from, chunk = chunkAt(read, -seq, from); place < to && chunk; place++) {
        if (place >= chunk.first + chunk.jobs.length) chunk = chunkAt(read, -seq, place);
        const job = chunk?.jobs[place - chunk.first];
        if (job === undefined) break;
        const jobId = typeof job === 'string' ? job : read.query<{ id: string }>(sql.JOB_ID_AT).get(job)?.id;
        if (jobId !== undefined) items.push({ jobId });
      }
      return pageOf(items, wanted, total);
    },
    async list(wanted) {
      const { page, size, within = null } = wanted;
      const ids = within === null ? [] : [JSON.stringify(within)];
      const totalItems =
        read.query<{ n: number }>(within === null ? sql.COUNT_OPERATIONS : sql.COUNT_OPERATIONS_WITHIN).get(...ids)
          ?.n ?? 0;
      const items = read
        .query<OperationRow>(within === null ? sql.OPERATIONS : sql.OPERATIONS_WITHIN)
        .all(...ids, size, page * size)
        .map(operationView);
      return pageOf(items, wanted, totalItems);
    },
    get: async (id) => operationView(rowOf(id)),
    places: (id) => parsePlaces(rowOf(id)),
    snapshotPlaces: (id) => parsePlaces(snapshots.find(id)),
    async results(id, wanted): Promise<Page<OperationResult>> {
      const { page, size, ok } = wanted;
      const { seq, done, failed, kind } = rowOf(id);
      const totalItems = ok === undefined ? done : ok ? done - failed : failed;
      const from = page * size;
      const rows =
        ok === undefined
          ? read.query<ResultRow>(sql.RESULTS).all(seq, from, size)
          : read.query<ResultRow>(sql.RESULTS_BY_OK).all(seq, Number(ok), from, size);
      const items = rows.map((row) => ({
        jobId: row.job_id,
        ok: row.ok === 1,
        code: row.code,
        message: row.message,
        ...(kind === 'rerun' ? { newJobId: row.new_job_id } : {}),
      }));
      return pageOf(items, wanted, totalItems);
    },
    async abort(id, audit) {
      const { seq } = rowOf(id);
      const row = await engine.enqueue(1, (tx) => {
        const current = tx.db.query<OperationRow>(sql.OPERATION_BY_SEQ).get(seq);
        if (current?.status !== 'RUNNING') return current;
        abortOperation(tx, current, chunkAt(tx.db, seq, current.done));
        audit?.(tx.db, {
          action: 'operation.abort',
          target: `operation:${id}`,
          before: { status: 'RUNNING' },
          after: { status: 'ABORTED', total: current.total, done: current.done },
        });
        return current;
      });
      changed(id);
      return operationView(row ?? rowOf(id));
    },
  };
  return {
    operations,
    snapshot: (id) => snapshots.find(id).seq,
    async close() {
      await Promise.all([runner.close(), stopKeeping(), cleared.catch(() => undefined)]);
    },
  };
}

interface ResultRow {
  job_id: string;
  ok: number;
  code: string | null;
  message: string | null;
  new_job_id: string | null;
}

/** What else was asked for, for the audit log. */
function saidOf(purpose: BulkPurpose): object {
  if (purpose.kind !== 'rerun') return purpose.nonRetryable ? { includeNonRetryable: true } : {};
  const { commit, completed, again } = purpose.choice;
  return { commit, ...(completed ? { includeCompleted: true } : {}), ...(again ? { includeRerun: true } : {}) };
}
