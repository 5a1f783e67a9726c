import { pageOf } from '../../../lib/page.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { Operation, OperationResult } from '../../../contract/operations.ts';
import type { Page } from '../../../contract/shapes.ts';
import { every } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import type { AuditNote } from '../../access/port.ts';
import type { Feed } from '../../feed/port.ts';
import type { Store } from '../../store/port.ts';
import { deleteOldOperations } from './delete-old-operations.ts';
import type { BulkRequest, Operations } from './port.ts';
import { dryRunReruns } from './rerun-dry-run.ts';
import type { RerunDeps } from './rerun-prepare.ts';
import { operationView, type OperationRow } from './operation-rows.ts';
import { chunkAt, createRunner } from './runner.ts';
import type { Scan } from './scan.ts';
import { abortOperation } from './operation-slice.ts';
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

/** Chunks that one transaction writes. */
const CHUNKS = 50;
const KEEP_MS = 60_000;

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
}: OperationsDeps): { operations: Operations; close(): Promise<void> } {
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
  const stopKeeping = every(KEEP_MS, () => deleteOldOperations(store, limits, now()), onError);
  const freezing = new Set<number>();

  const rowOf = (id: string): OperationRow => {
    const row = read.query<OperationRow>(sql.OPERATION_BY_ID).get(id);
    if (!row)
      throw new Fault(
        'OPERATION_NOT_FOUND',
        `operation ${id} not found; finished operations are kept for ${limits.operationRetentionDays} days`,
      );
    return row;
  };

  /** What was written of operations that were never accepted must be gone before their numbers are given again. */
  const cleared = (async () => {
    const upTo = last;
    while ((await store.write((db) => db.statement(sql.ORPHAN_CHUNKS).run(upTo, CHUNKS))) > 0);
  })();
  cleared.catch(onError);

  async function freeze(seq: number, { target }: BulkRequest): Promise<number> {
    const { total, chunks } =
      'ids' in target
        ? { total: target.ids.length, chunks: [JSON.stringify(target.ids)] }
        : await scan.freeze(target.filter, limits.bulkJobs);
    let first = 0;
    for (let i = 0; i < chunks.length; i += CHUNKS) {
      const rows = chunks.slice(i, i + CHUNKS).map((jobs) => {
        const row = { first, jobs };
        first += 'ids' in target ? total : jobs.split(',').length;
        return row;
      });
      await store.write((db) => {
        for (const row of rows) db.statement(sql.INSERT_CHUNK).run(seq, row.first, row.jobs);
      });
    }
    return total;
  }

  function accept(row: OperationRow, request: BulkRequest, audit: AuditNote | undefined): Promise<void> {
    const { target } = request;
    return store.write((db) => {
      db.statement(sql.INSERT_OPERATION).run(
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
      );
      const what = 'ids' in target ? { ids: target.ids.length } : { filter: target.filter };
      audit?.(db, {
        action: `job.bulk-${row.kind}`,
        target: `operation:${row.id}`,
        before: null,
        after: { ...what, total: row.total, ...saidOf(request) },
      });
    });
  }

  const operations: Operations = {
    async dryRun(request) {
      await engine.written();
      const { target } = request;
      return request.kind === 'rerun'
        ? dryRunReruns({ ...reruns, scan, limits }, target, request.choice)
        : scan.survey(target, { kind: request.kind, nonRetryable: request.nonRetryable });
    },
    async submit(request, actor, audit): Promise<Operation> {
      if (runner.size + freezing.size >= limits.bulkOperations)
        throw new Fault(
          'OVERLOADED',
          `${limits.bulkOperations} bulk operations are already running: wait for one to finish, or abort one`,
        );
      await cleared;
      await engine.written();
      const seq = ++last;
      freezing.add(seq);
      try {
        const total = await freeze(seq, request);
        const at = now();
        const { kind, target } = request;
        const row: OperationRow = {
          seq,
          id: uuidv7(at),
          kind,
          status: total === 0 ? 'DONE' : 'RUNNING',
          filter: 'ids' in target ? null : JSON.stringify(target.filter),
          non_retryable: Number(kind !== 'rerun' && request.nonRetryable),
          rerun: kind === 'rerun' ? JSON.stringify(request.choice) : null,
          total,
          done: 0,
          failed: 0,
          cursor: null,
          changed: 0,
          created_at: at,
          finished_at: total === 0 ? at : null,
          created_by: actor,
        };
        await accept(row, request, audit);
        if (row.status === 'RUNNING') runner.add(row);
        changed(row.id);
        return operationView(row);
      } finally {
        freezing.delete(seq);
      }
    },
    async list(wanted) {
      const { page, size } = wanted;
      const totalItems = read.query<{ n: number }>(sql.COUNT_OPERATIONS).get()?.n ?? 0;
      const items = read
        .query<OperationRow>(sql.OPERATIONS)
        .all(size, page * size)
        .map(operationView);
      return pageOf(items, wanted, totalItems);
    },
    get: async (id) => operationView(rowOf(id)),
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
function saidOf(request: BulkRequest): object {
  if (request.kind !== 'rerun') return request.nonRetryable ? { includeNonRetryable: true } : {};
  const { commit, completed, again } = request.choice;
  return { commit, ...(completed ? { includeCompleted: true } : {}), ...(again ? { includeRerun: true } : {}) };
}
