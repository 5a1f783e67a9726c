import type { JobStatus } from '../../../contract/vocabulary.ts';
import type { Limits } from '../../../contract/limits.ts';
import { jobStatus } from '../../state-machines/job.ts';
import type { TaskReport } from '../../state-machines/report.ts';
import type { Feed } from '../../feed/port.ts';
import type { Secrets } from '../../secrets/port.ts';
import type { ReadHandle } from '../../store/port.ts';
import type { Tracing } from '../../telemetry/port.ts';
import { dataDamaged } from '../../store/whole.ts';
import { currentJobResult } from '../lifecycle/job-result.ts';
import { refusedReport } from '../queue/claim-secrets.ts';
import { leaseFrame } from '../queue/dispatch.ts';
import type { Plan } from './plan.ts';
import type { JobResult } from '../port.ts';
import { attemptPoint, jobPoint, type ShapedPoint } from './metric-points.ts';
import type { JobRecord, TaskRecord } from './records.ts';
import { traceTurn } from './spans.ts';
import type { Waiters } from '../lifecycle/submit.ts';
import type { WorkerPool } from '../queue/port.ts';
import type { Transaction } from './port.ts';
import type { OverviewCounts } from '../queries/port.ts';

export interface AfterCommitDeps {
  readonly read: ReadHandle;
  readonly limits: Readonly<Pick<Limits, 'heavyAnswerBytes' | 'jobOutputBytes'>>;
  readonly workerPool: WorkerPool;
  readonly feed: Pick<Feed, 'publish'>;
  readonly waiters: Waiters;
  readonly overview: OverviewCounts;
  readonly secrets: Pick<Secrets, 'lease'> | null;
  /** Takes a report that the master makes itself, as if it were the worker's. */
  report(workerId: string, report: TaskReport): void;
  measure(point: ShapedPoint): void;
  readonly tracing: Pick<Tracing, 'put'> | null;
  onError(error: unknown): void;
}

/** A call that waits, and what its job came to. */
interface JobNotification {
  readonly jobId: string;
  readonly outcome: JobResult;
}

/**
 * What the world is told once a turn is committed: frames to workers first, then who watches. Returns what is to be called
 * once the turn is durable: it answers the waiting calls, and hands out leases of tasks that act on other systems. Other leases
 * need not wait for that: after a power cut their reports are stale, and nothing was done that cannot be done again.
 */
export function afterCommit(deps: AfterCommitDeps): (tx: Transaction) => () => void {
  return (tx) => {
    // What is taken from a worker first: it may be given the same again, or what leads to it.
    sendRefusals(deps.workerPool, tx);
    const later = sendLeases(deps, tx.effects.leases, (task) => task.node.hasEffects);
    for (const what of tx.effects.damaged) deps.onError(dataDamaged(what));
    const told: JobNotification[] = [];
    for (const [job, before] of tx.jobs) notifyJob(deps, tx, job, before, told);
    for (const task of tx.tasks.keys()) deps.feed.publish('task', task.id);
    for (const id of tx.effects.approvals) deps.feed.publish('approval', id);
    for (const attempt of tx.effects.endedAttempts) {
      if (attempt.task.job.kind !== 'draft') deps.measure(attemptPoint(attempt));
      deps.workerPool.attemptEnded(attempt.workerId, attempt.facts.error?.code === 'WORKER_LOST');
    }
    if (deps.tracing) traceTurn(deps.tracing, deps.read, tx);
    return () => {
      if (later.length > 0) sendLeases(deps, later, () => false);
      for (const { jobId, outcome } of told) deps.waiters.notify(jobId, outcome);
    };
  };
}

/** One frame to each worker that got something. Returns the leases that have to wait. */
function sendLeases(
  { workerPool, secrets, report }: AfterCommitDeps,
  leases: Transaction['effects']['leases'],
  mustWait: (task: TaskRecord) => boolean,
): Transaction['effects']['leases'] {
  const frames = new Map<string, { leases: string[]; plans: Map<string, Plan> }>();
  const later: Transaction['effects']['leases'] = [];
  for (const lease of leases) {
    const { workerId, task, attempt, inputText } = lease;
    // Something later in the turn, or since, may have ended it again.
    if (task.facts.state !== 'SCHEDULED' || task.facts.workerId !== workerId || task.facts.attempt !== attempt)
      continue;
    if (lease.refusal !== null) {
      report(workerId, refusedReport(lease, lease.refusal, Date.now()));
      continue;
    }
    if (mustWait(task)) {
      later.push(lease);
      continue;
    }
    let frame = frames.get(workerId);
    if (!frame) frames.set(workerId, (frame = { leases: [], plans: new Map() }));
    frame.leases.push(
      task.node.secrets.length === 0 || !secrets
        ? leaseFrame(task, inputText)
        : leaseFrame(task, inputText, secrets.lease(task.node.secrets)),
    );
    frame.plans.set(task.job.plan.commit, task.job.plan);
  }
  for (const [workerId, { leases, plans }] of frames) {
    workerPool.lease(
      workerId,
      leases,
      [...plans.values()].map(({ commit, leased }) => ({ commit, nodes: leased })),
    );
    workerPool.changed(workerId);
  }
  return later;
}

function sendRefusals(workerPool: WorkerPool, { effects }: Transaction): void {
  for (const { workerId, ids, reason } of effects.kills) workerPool.kill(workerId, ids, reason);
  for (const workerId of effects.freedWorkers) workerPool.changed(workerId);
  const lost = Map.groupBy(effects.lostLeases, ({ workerId }) => workerId);
  for (const [workerId, refused] of lost) workerPool.lost(workerId, refused);
  for (const workerId of new Set(effects.endedAttempts.map((attempt) => attempt.workerId)))
    workerPool.changed(workerId);
}

function notifyJob(
  { read, limits, waiters, feed, overview, measure }: AfterCommitDeps,
  tx: Transaction,
  job: JobRecord,
  before: JobRecord,
  told: JobNotification[],
): void {
  const { finishedAt } = job.facts;
  const wasFinished = before.facts.finishedAt !== null && before.stored !== null;
  const failedNow = job.failure !== null && job.failure !== before.failure;
  // The overview and the metrics tell of what workflows do, not of what their authors try.
  if (job.kind !== 'draft') count();
  if (waiters.has(job.id) && (finishedAt !== null || failedNow))
    told.push({
      jobId: job.id,
      outcome: currentJobResult(read, job, tx.effects.outputs.get(job.seq), limits),
    });
  feed.publish('job', job.id);

  function count(): void {
    if (isNew(before)) overview.created(job.createdAt);
    if (finishedAt !== null && !wasFinished) {
      const status = jobStatus(job.facts);
      const durationMs = Math.max(0, finishedAt - (job.retriedAt ?? job.createdAt));
      overview.finished({
        createdAt: job.createdAt,
        at: finishedAt,
        durationMs,
        failed: countsAsFailed(status, job.killedAt),
      });
      measure(jobPoint(job, durationMs, finishedAt));
      if (status === 'COMPLETED' && job.lineage?.rerunOf)
        for (const { created_at } of recovered(read, job.id, job.lineage.rerunOf)) overview.recovered(created_at);
    } else if (finishedAt === null && wasFinished && countsAsFailed(jobStatus(before.facts), before.killedAt))
      overview.recovered(job.createdAt);
  }
}

/** What was killed has not failed: somebody meant it. */
const countsAsFailed = (status: JobStatus, killedAt: number | null): boolean =>
  killedAt === null && status !== 'COMPLETED' && status !== 'EMPTY';

/** Reruns of reruns that are looked back through. */
const MOST_RERUNS = 20;

/** The failed jobs that a rerun which completed has made good, unless another one did before. */
function recovered(read: ReadHandle, id: string, rerunOf: string): Rerun[] {
  const found: Rerun[] = [];
  for (let [by, of]: [string, string | null] = [id, rerunOf]; of !== null && found.length < MOST_RERUNS;) {
    const job = read.query<Rerun>(RERUN).get(by, of);
    if (!job || job.again > 0 || !countsAsFailed(job.status, job.killed_at)) break;
    found.push(job);
    [by, of] = [of, job.rerun_of];
  }
  return found;
}
interface Rerun extends Record<string, unknown> {
  readonly status: JobStatus;
  readonly created_at: number;
  readonly killed_at: number | null;
  readonly rerun_of: string | null;
  readonly again: number;
}
const RERUN = `SELECT status, created_at, killed_at, rerun_of,
  EXISTS (SELECT 1 FROM job r WHERE r.rerun_of = job.id AND r.id <> ? AND r.status = 'COMPLETED') AS again FROM job WHERE id = ?`;

/** It was made in this turn. */
const isNew = ({ stored, unwritten }: JobRecord): boolean =>
  stored === null && (unwritten === null || unwritten.length === 0);
