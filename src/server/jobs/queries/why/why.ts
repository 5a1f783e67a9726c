import type { Why } from '../../../../contract/tasks.ts';
import type { WaitKind, WaitReason } from '../../../../contract/vocabulary.ts';
import { iso, isoOrNull } from '../../../../lib/clock.ts';
import type { ReadHandle } from '../../../store/port.ts';
import { slotsInUse } from '../../../state-machines/worker.ts';
import { acceptsHandler, freeSlots, servesEnvironment } from '../../queue/assigner.ts';
import type { Plan, PlanNode } from '../../engine/plan.ts';
import type { JobRow, TaskRow } from '../../engine/rows.ts';
import { JOB_BY_SEQ, WITHHELD } from '../../engine/sql.ts';
import { queuePosition, queueView } from './queue-position.ts';
import { sentence, type WaitingState } from './sentence.ts';
import type { WorkerPool, PoolWorker, ConcurrencyLimit } from '../../queue/port.ts';
import type { Memory } from '../../engine/port.ts';
import type { QueueView } from '../port.ts';

export interface WhyDeps {
  readonly read: ReadHandle;
  readonly memory: Memory;
  readonly workerPool: WorkerPool;
  plan(workflowId: string, commit: string): Plan;
  /** Counts on the thread for long reads. */
  position(seen: QueueView): Promise<number>;
  now(): number;
}

/** While fewer tasks wait, what is before one of them is counted at once. */
const FEW_WAIT = 1000;

const TASK_BY_ID = 'SELECT * FROM task WHERE id = ?';
const WAIT = 'SELECT kind, name, due_at, approval FROM wait WHERE task = ?';
const CHILD = 'SELECT job_id FROM child WHERE task = ?';
const ITEMS = 'SELECT active FROM fan_out WHERE job = ? AND replica = ? AND node = ?';

/** Why a task is not running, or that it is; null where there is no such task. Rows have to say what memory does. */
export async function explainTask(deps: WhyDeps, taskId: string): Promise<Why | null> {
  const row = deps.read.query<TaskRow>(TASK_BY_ID).get(taskId);
  const job = row && deps.read.query<JobRow>(JOB_BY_SEQ).get(row.job);
  if (!row || !job) return null;
  const isWaiting = row.state === 'READY' && row.ready_deadline !== WITHHELD;
  // All but the place is of this moment, while the place is counted.
  const standingAt = standingOf(deps, row, job);
  const standing = standingAt(isWaiting ? await placeOf(deps, job, row) : null);
  const { why } = standing;
  return { ...why, message: sentence(standing) };
}

async function placeOf({ read, memory, position }: WhyDeps, job: JobRow, row: TaskRow): Promise<number> {
  const { ready } = memory.totals;
  const seen = queueView(read, memory, job, row);
  const place = ready < FEW_WAIT ? queuePosition(read, seen) : await position(seen);
  // The thread may read a moment later than memory was looked at.
  return Math.max(1, Math.min(place, ready));
}

function standingOf(deps: WhyDeps, row: TaskRow, job: JobRow): (position: number | null) => WaitingState {
  const { read, memory, workerPool } = deps;
  const outer = deps.plan(job.workflow_id, job.commit_hash).nodes.get(row.node);
  const node = row.item === null ? outer : (outer?.foreach?.item ?? outer);
  const online = [...workerPool.workers()].filter(({ state }) => state !== 'Down');
  // To a task, the workers of other environments are not there.
  const workers = online.filter((worker) => servesEnvironment(worker, job.environment));
  const name = node?.handler ?? null;
  const able = workers.filter((worker) => acceptsHandler(worker, name));
  const withheld = row.state === 'READY' && row.ready_deadline === WITHHELD;
  const limit = row.state !== 'READY' ? null : withheld ? itemLimit(read, row, outer) : gateLimit(memory, job);
  const isChild = (node?.child ?? null) !== null;
  const wait = node?.wait ? waitOf(read, row) : null;
  const total = memory.totals.ready;
  const now = deps.now();
  const rest = {
    slots: {
      used: workers.reduce((sum, worker) => sum + slotsInUse(worker), 0),
      total: workers.reduce((sum, { capacity }) => sum + capacity, 0),
      workers: workers.length,
      accepting: workers.filter(({ accepting }) => accepting).length,
    },
    handler: name === null ? null : { name, workers: able.map(({ id }) => id) },
    limit,
    wait,
    childJobId: isChild ? (read.query<{ job_id: string }>(CHILD).get(row.seq)?.job_id ?? null) : null,
    retryAt: isoOrNull(row.retry_at),
    scheduleTimeoutAt: row.state === 'READY' && !withheld ? iso(row.ready_deadline) : null,
    runTimeoutAt:
      row.state === 'RUNNING' && node && wait === null && row.started_at !== null
        ? iso(row.started_at + node.runTimeoutMs)
        : null,
  };
  return (position) => {
    const reason = reasonOf(row, { able, workers, online, name, isLimited: limit !== null, isChild, wait, position });
    const queue = position === null ? null : { position, total };
    return {
      why: { taskId: row.id, state: row.state, reason, queue, ...rest },
      row,
      environment: job.environment,
      online: online.length,
      able: able.length,
      free: able.filter((worker) => freeSlots(worker) > 0).length,
      now,
    };
  };
}

interface Facts {
  readonly able: readonly PoolWorker[];
  /** Those that serve its environment, of those that are not Down. */
  readonly workers: readonly PoolWorker[];
  readonly online: readonly PoolWorker[];
  readonly name: string | null;
  readonly isLimited: boolean;
  readonly isChild: boolean;
  readonly wait: Why['wait'];
  readonly position: number | null;
}

function reasonOf({ state, worker_id, retry_at }: TaskRow, facts: Facts): WaitReason {
  if (state === 'RUNNING' && facts.wait) return WAITING[facts.wait.for];
  if (state === 'SCHEDULED' || state === 'RUNNING')
    return worker_id === null && facts.isChild ? 'CHILD_RUNNING' : 'RUNNING';
  if (state === 'FAILED' && retry_at !== null) return 'BACK_OFF';
  if (state !== 'READY') return 'FINISHED';
  if (facts.isLimited && facts.position === null) return 'CONCURRENCY_LIMIT';
  // What the master runs itself needs no worker.
  if (facts.isChild) return 'NEXT';
  if (facts.online.length === 0) return 'NO_WORKERS';
  if (facts.workers.length === 0) return 'ENVIRONMENT_NOT_SERVED';
  if (facts.able.length === 0) return facts.name === null ? 'NO_WORKERS' : 'HANDLER_NOT_REGISTERED';
  if (facts.able.every(({ drained }) => drained)) return 'ALL_DRAINED';
  if (!facts.able.some(({ accepting }) => accepting)) return 'ALL_UNHEALTHY';
  if (facts.isLimited) return 'CONCURRENCY_LIMIT';
  if (facts.position === 1) return 'NEXT';
  return facts.able.some((worker) => freeSlots(worker) > 0) ? 'QUEUED' : 'ALL_MAXED';
}

const WAITING = {
  time: 'WAITING_TIME',
  signal: 'WAITING_SIGNAL',
  approval: 'WAITING_APPROVAL',
} as const satisfies Readonly<Record<WaitKind, WaitReason>>;

function waitOf(read: ReadHandle, { seq }: TaskRow): Why['wait'] {
  const row = read.query<{ kind: WaitKind; name: string; due_at: number; approval: string | null }>(WAIT).get(seq);
  if (!row) return null;
  const { kind, name, due_at: dueAt, approval } = row;
  return { for: kind, name: kind === 'signal' ? name : null, dueAt: iso(dueAt), approvalId: approval };
}

function gateLimit({ concurrencyLimits }: Memory, job: JobRow): Why['limit'] {
  const full = concurrencyLimits
    .forIds(job.workflow_id, job.key_seq)
    .find(({ used, most }: ConcurrencyLimit) => used >= most);
  return full ? { scope: full.scope, name: full.name, most: full.most, used: full.used } : null;
}

function itemLimit(read: ReadHandle, { job, replica, node, item }: TaskRow, outer: PlanNode | undefined): Why['limit'] {
  if (item === null || !outer?.foreach) return null;
  return {
    scope: 'forEach',
    name: node,
    most: outer.foreach.concurrency,
    used: read.query<{ active: number }>(ITEMS).get(job, replica, node)?.active ?? 0,
  };
}
