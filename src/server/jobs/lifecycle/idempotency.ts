import type { Limits } from '../../../contract/limits.ts';
import type { JobStatus } from '../../../contract/vocabulary.ts';
import type { ReadHandle, Store } from '../../store/port.ts';
import type { Transaction } from '../engine/port.ts';
import { ACCEPT_IDEMPOTENT, FIND_IDEMPOTENT, PUT_IDEMPOTENT } from '../engine/sql.ts';
import type { EarlierCall, IdempotencyScope, Jobs } from '../port.ts';

const HOUR_MS = 3_600_000;

/** Idempotency keys: a call that comes again under the same key gets the job of the first one, for `idempotencyHours`. */

interface IdempotencyRow {
  job_id: string;
  body_hash: string;
  accepted: JobStatus | null;
}

/** The call that came first under a key; undefined: there is none, or its time is over. */
export function findEarlierCall(
  read: ReadHandle,
  { keyId, workflowId, environment, key }: IdempotencyScope,
  { idempotencyHours }: Pick<Limits, 'idempotencyHours'>,
  now: number,
): EarlierCall | undefined {
  const row = read
    .query<IdempotencyRow>(FIND_IDEMPOTENT)
    .get(keyId, workflowId, environment, key, now - idempotencyHours * HOUR_MS);
  return row && { jobId: row.job_id, bodyHash: row.body_hash, accepted: row.accepted };
}

/** Keeps a key with its job, in the transaction that makes the job. `accepted`: the status that its caller is answered at once. */
export function recordCall(
  { db, now }: Pick<Transaction, 'db' | 'now'>,
  { keyId, workflowId, environment, key }: IdempotencyScope,
  { bodyHash, jobId, accepted }: EarlierCall,
): void {
  db.statement(PUT_IDEMPOTENT).run(keyId, workflowId, environment, key, bodyHash, jobId, now, accepted);
}

export function createIdempotency({
  store,
  limits,
  now,
}: {
  store: Store;
  limits: Readonly<Limits>;
  now(): number;
}): Pick<Jobs, 'findIdempotent' | 'acceptIdempotent'> {
  return {
    findIdempotent: (scope) => findEarlierCall(store.read, scope, limits, now()) ?? null,
    async acceptIdempotent({ keyId, workflowId, environment, key }, jobId, status) {
      await store.write((db) =>
        db.statement(ACCEPT_IDEMPOTENT).run(status, keyId, workflowId, environment, key, jobId),
      );
    },
  };
}
