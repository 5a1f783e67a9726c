import { isPacked, jsonTextOf, packTexts } from '../../../lib/packed-inputs.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import { jobStatus, newJob } from '../../state-machines/job.ts';
import { startReplica, startReplicas, needsExpansion, TASKS_PER_TURN } from './task-expansion.ts';
import type { Plan } from '../engine/plan.ts';
import type { Submission, Submitted, JobResult, Jobs } from '../port.ts';
import { NO_TEXT, type JobRecord, type Lineage } from '../engine/records.ts';
import { JOB_BY_ID } from '../engine/sql.ts';
import { touchJob } from '../engine/transaction.ts';
import type { Transaction, Engine, Memory } from '../engine/port.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { JobKind } from '../../../contract/vocabulary.ts';
import type { TraceContext } from '../../../lib/trace-context.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Store } from '../../store/port.ts';
import type { Runnable } from '../../workflows/port.ts';
import type { JobRow } from '../engine/rows.ts';
import { createIdempotency, findEarlierCall, recordCall } from './idempotency.ts';
import { jobResult } from './job-result.ts';

/** Makes the job and its first tasks; where a worker has room they are leased in the same transaction. */
export function submit(tx: Transaction, submission: Submission, plan: Plan): Submitted {
  const { idempotency, environment } = submission;
  if (idempotency) {
    const scope = { ...idempotency, workflowId: plan.workflowId, environment: environment ?? '' };
    const earlier = findEarlierCall(tx.db, scope, tx.limits, tx.now);
    if (earlier) return { kind: 'repeated', ...earlier };
    // The key and its job go to the database together.
    const job = makeJob(tx, { ...submission, awaited: false }, plan);
    const status = jobStatus(job.facts);
    const accepted = submission.awaited ? null : status;
    recordCall(tx, scope, { bodyHash: idempotency.bodyHash, jobId: job.id, accepted });
    return { kind: 'created', jobId: job.id, status };
  }
  const job = makeJob(tx, submission, plan);
  const { rerunOf = null, rerunNode = null } = job.lineage ?? {};
  const after = { workflowId: plan.workflowId, commit: plan.commit, inputCount: job.inputCount };
  submission.audit?.(tx.db, {
    action: rerunOf === null ? 'job.create' : 'job.rerun',
    target: `job:${job.id}`,
    before: null,
    after: rerunOf === null ? after : { ...after, rerunOf, fromNode: rerunNode },
  });
  return { kind: 'created', jobId: job.id, status: jobStatus(job.facts) };
}

/** Makes a job and begins the life of its inputs. */
export function makeJob(
  tx: Transaction,
  {
    environment,
    kind,
    inputs,
    externalId,
    labels = null,
    trace = null,
    startedBy = null,
    priority = 0,
    keySeq = null,
    replicaRunTimeoutSeconds,
    awaited = false,
    lineage = null,
  }: Submission,
  plan: Plan,
): JobRecord {
  const { memory, now } = tx;
  const job: JobRecord = {
    seq: memory.totals.nextJob++,
    id: uuidv7(now),
    plan,
    environment,
    kind,
    externalId,
    labels: labels && Object.keys(labels).length > 0 ? JSON.stringify(labels) : null,
    startedBy,
    trace: traceOf(tx, trace, kind, lineage),
    inputCount: inputs.length,
    createdAt: now,
    priority,
    keySeq,
    replicaTimeoutSeconds: replicaRunTimeoutSeconds,
    facts: newJob(now),
    replicaDeadline: replicaRunTimeoutSeconds === null ? null : now + replicaRunTimeoutSeconds * 1000,
    killedAt: null,
    retriedAt: null,
    failure: null,
    failureAt: null,
    output: NO_TEXT,
    held: 0,
    lineage,
    foreachRecords: null,
    progress: null,
    unwritten:
      awaited && plan.isFreeOfSideEffects && inputs.length === 1 && lineage === null && !needsExpansion(plan, inputs)
        ? []
        : null,
    stored: null,
  };
  touchJob(tx, job);
  memory.jobs.set(job.seq, job);
  memory.jobsById.set(job.id, job);
  if (isPacked(inputs)) startReplicas(tx, job, inputs);
  else if (needsExpansion(plan, inputs, lineage?.rerunNode ?? null))
    startReplicas(tx, job, packTexts(inputs.map(jsonTextOf)));
  else inputs.forEach((input, replica) => startReplica(tx, job, replica, jsonTextOf(input)));
  return job;
}

/** The trace of a job that is made: children are part of their parent's, and what authors try out is not traced by itself. */
const traceOf = (
  { tracing }: Transaction,
  given: TraceContext | null,
  kind: JobKind,
  lineage: Lineage | null,
): TraceContext | null =>
  tracing === null || kind === 'draft' || (lineage !== null && lineage.parentTaskId !== null)
    ? given
    : tracing.decide(given);

export interface SubmissionsDeps {
  readonly engine: Engine;
  readonly store: Store;
  readonly memory: Memory;
  readonly limits: Readonly<Limits>;
  readonly waiters: Waiters;
  plan(runnable: Runnable): Plan;
  /** Goes on with the tasks of large jobs. */
  resumeExpansion(): void;
  now(): number;
}

/** What a caller does with a job that it sends in: submits it, and waits for its end. */
export function createSubmissions({
  engine,
  store,
  memory,
  limits,
  waiters,
  plan,
  resumeExpansion,
  now,
}: SubmissionsDeps): Pick<
  Jobs,
  'submit' | 'call' | 'submitOnce' | 'findIdempotent' | 'acceptIdempotent' | 'wait' | 'result'
> {
  const { read } = store;
  const resultOf = (jobId: string): JobResult | null => {
    const row = read.query<JobRow>(JOB_BY_ID).get(jobId);
    return row ? jobResult(read, row, limits) : null;
  };

  function make<T>(
    { inputs, runnable }: Pick<Submission, 'inputs' | 'runnable'>,
    run: (tx: Transaction, plan: Plan) => T,
  ): Promise<T> {
    const known = plan(runnable);
    const weight = 1 + Math.min(inputs.length * known.first.length, TASKS_PER_TURN);
    const made = engine.enqueue(weight, (tx) => run(tx, known));
    return needsExpansion(known, inputs) ? made.finally(resumeExpansion) : made;
  }

  /** What a job came to that is known by its row; nobody is told of what a power cut could take back. */
  async function known(jobId: string): Promise<JobResult> {
    const result = resultOf(jobId);
    await store.durable();
    if (!result) throw new Fault('JOB_NOT_FOUND', `job ${jobId} not found`);
    return result;
  }

  return {
    submit: (submission) => make(submission, (tx, plan) => submit(tx, submission, plan)),
    async call(submission, seconds, leaving) {
      let ended: Promise<JobResult | null> | undefined;
      let give = () => {};
      try {
        const { jobId } = await make(submission, (tx, plan) => {
          const job = submit(tx, { ...submission, idempotency: null, awaited: true }, plan);
          // From now on: a short job may end before this turn is on the disk.
          ended = new Promise((resolve) => {
            give = waiters.watch(job.jobId, seconds, resolve);
            leaving?.(give);
            tx.undo.push(give);
          });
          return job;
        });
        const outcome = await ended;
        if (outcome) return outcome;
        await engine.written();
        return await known(jobId);
      } finally {
        give();
      }
    },
    submitOnce: (submission, { claim, made }) =>
      make(submission, (tx, plan) => {
        if (!claim(tx.db)) return null;
        // What tells that it was made and the job go to the database together.
        const job = makeJob(tx, { ...submission, idempotency: null }, plan);
        made(tx.db, job.id);
        return { kind: 'created', jobId: job.id, status: jobStatus(job.facts) } as const;
      }),
    ...createIdempotency({ store, limits, now }),
    async wait(jobId, seconds, leaving) {
      const live = memory.jobsById.get(jobId);
      if (live && live.facts.finishedAt === null && !live.failure) {
        const ended = await waiters.wait(jobId, seconds, leaving);
        if (ended) return ended;
        await engine.written();
      }
      const result = await known(jobId);
      if (result.finishedAt !== null || result.failure || live) return result;
      return (await waiters.wait(jobId, seconds, leaving)) ?? resultOf(jobId) ?? result;
    },
    async result(jobId) {
      await engine.written();
      const result = resultOf(jobId);
      await store.durable();
      return result;
    },
  };
}

/** Calls that wait for the end of a job. */
export interface Waiters {
  /** Resolves with the outcome, or null after `seconds` or once `leave` is called. */
  wait(jobId: string, seconds: number, leaving: ((leave: () => void) => void) | undefined): Promise<JobResult | null>;
  /** Calls back with the same. Returns what ends the wait with null. */
  watch(jobId: string, seconds: number, ended: (outcome: JobResult | null) => void): () => void;
  has(jobId: string): boolean;
  notify(jobId: string, outcome: JobResult): void;
  /** Ends every wait with null. */
  close(): void;
}

export function createWaiters(): Waiters {
  const waiting = new Map<string, Set<(outcome: JobResult | null) => void>>();

  function watch(jobId: string, seconds: number, ended: (outcome: JobResult | null) => void): () => void {
    const all = waiting.get(jobId) ?? new Set();
    waiting.set(jobId, all);
    const settle = (outcome: JobResult | null) => {
      clearTimeout(timer);
      all.delete(settle);
      if (all.size === 0 && waiting.get(jobId) === all) waiting.delete(jobId);
      ended(outcome);
    };
    const give = () => settle(null);
    // Longer waits than a timer can hold end with the process.
    const timer = setTimeout(give, Math.min(Math.max(seconds, 0) * 1000, 2 ** 31 - 1));
    all.add(settle);
    return give;
  }

  return {
    watch,
    wait: (jobId, seconds, leaving) =>
      new Promise((resolve) => {
        const give = watch(jobId, seconds, resolve);
        leaving?.(give);
      }),
    has: (jobId) => waiting.has(jobId),
    notify(jobId, outcome) {
      for (const settle of [...(waiting.get(jobId) ?? [])]) settle(outcome);
    },
    close() {
      for (const all of [...waiting.values()]) for (const settle of [...all]) settle(null);
    },
  };
}
