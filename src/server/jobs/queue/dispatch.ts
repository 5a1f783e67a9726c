import type { Lease } from '../../../contract/worker-protocol.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import { newTask } from '../../state-machines/task.ts';
import { claimSecrets } from './claim-secrets.ts';
import { createAssigner, isShort, needsOf, VERY_SHORT_TASK_MS } from './assigner.ts';
import { allHaveRoom } from './concurrency-limits.ts';
import { flushTasks, touchTask } from '../engine/transaction.ts';
import { historyLine } from '../../state-machines/task-history.ts';
import type { Plan, PlanNode } from '../engine/plan.ts';
import { countEvents } from '../engine/metric-points.ts';
import { recordProgress } from '../engine/replica-progress.ts';
import { loadQueueHead } from './load-queue-head.ts';
import { NO_TEXT, type JobRecord, type TaskRecord, type TextRef } from '../engine/records.ts';
import { INPUT_OF_TASK } from '../engine/sql.ts';
import { damageIn } from '../../store/whole.ts';
import { damageFailure } from '../engine/damage-failure.ts';
import { countInJob, enqueueTask, applyTaskEvent, withholdTask } from '../engine/apply-task-event.ts';
import type { Assigner, Chooser, PoolWorker, QueueLane } from './port.ts';
import type { Transaction } from '../engine/port.ts';

/** Most queued tasks that one turn hands out or reads in, so that it stays short. */
const CLAIMED_PER_TURN = 256;

export interface NewTask {
  readonly job: JobRecord;
  readonly node: PlanNode;
  readonly replica: number;
  readonly input: TextRef;
  readonly at: number;
  readonly reason: string;
  readonly id?: string;
  readonly item?: number;
}

/** Makes a task, READY and counted. */
export function createTask(tx: Transaction, { job, node, replica, input, at, reason, id, item }: NewTask): TaskRecord {
  const task: TaskRecord = {
    seq: tx.memory.totals.nextTask++,
    id: id ?? uuidv7(tx.now),
    job,
    node,
    replica,
    item: item ?? null,
    facts: newTask(at, node.retries),
    withheld: false,
    input,
    output: NO_TEXT,
    port: null,
    leasedAs: 'other',
    chain: [],
    inputBytes: 0,
    inputEvents: 1,
    historyLines: historyLine(null, 'READY', at, 1, null, reason),
    retryEntries: '',
    stored: null,
  };
  touchTask(tx, task);
  countInJob(tx, task, null, at);
  // After `countInJob`, which keeps what the job was before.
  if (job.unwritten !== null) job.unwritten = [...job.unwritten, task];
  recordProgress(task);
  return task;
}

/** Leases a new READY task at once where nothing is queued before it and a worker has room; else it is queued. `begun`: its replica is under way, which comes first. */
export function dispatchOrEnqueue(tx: Transaction, task: TaskRecord, queuedInputText: string, begun: boolean): void {
  if (task.node.child !== null) {
    // The master runs it, at the end of this turn or in one soon after.
    withholdTask(tx, task);
    tx.childStarts.push({ task, inputText: queuedInputText });
    return;
  }
  // The task itself is counted as READY already.
  const isAlone = tx.memory.totals.ready === 1 && allHaveRoom(tx.memory.concurrencyLimits.forJob(task.job));
  const worker = isAlone ? takerOf(tx, task) : null;
  if (worker) leaseTask(tx, task, worker, queuedInputText);
  else enqueueTask(tx, task, queuedInputText, begun);
}

/** Assigns a READY task to a worker; the frame goes out after the commit. Where its input is damaged it fails, with no worker. */
export function leaseTask(tx: Transaction, task: TaskRecord, worker: PoolWorker, inputText: string): void {
  const damaged = damageIn(inputText);
  if (damaged !== null) {
    const at = Math.max(tx.now, task.facts.readyAt);
    applyTaskEvent(tx, task, { on: 'assign', at, workerId: null });
    applyTaskEvent(tx, task, { on: 'fail', at, fault: damageFailure(tx, damaged), backoffMs: 0 });
    // The lists of this turn have been looked at already.
    tx.needsAnotherTurn = true;
    return;
  }
  if (!applyTaskEvent(tx, task, { on: 'assign', at: Math.max(tx.now, task.facts.readyAt), workerId: worker.id }))
    return;
  task.chain = chainAfter(task);
  measureInput(task, inputText);
  const refusal = task.node.secrets.length === 0 ? null : claimSecrets(tx, task);
  tx.effects.leases.push({ workerId: worker.id, task, attempt: task.facts.attempt, inputText, refusal });
}

/** Size of the input, for metrics: an array counts its items, all else is one event. */
export function measureInput(task: TaskRecord, inputText: string): void {
  task.inputBytes = Buffer.byteLength(inputText);
  task.inputEvents = countEvents(inputText);
}

/** Hands queued tasks to workers that have room, in the order of the queue; where the queue in memory runs low, more is read in. */
export function dispatchQueued(tx: Transaction): void {
  const { queue, totals } = tx.memory;
  if (totals.ready > 0) {
    const assigner = assignerOf(tx);
    let left = CLAIMED_PER_TURN;
    left -= dispatchWhile(tx, assigner, left, () => true);
    // The order stays: the first that is not short waits for a free slot, and all behind it with it.
    left -= dispatchWhile(tx, assigner.ahead, left, (task) => isShort(tx, task));
    dispatchWhile(tx, assigner.furtherAhead, left, (task) => isShort(tx, task, VERY_SHORT_TASK_MS));
  }
  queue.turn++;
}

/** Hands out at most `most` tasks, up to the first that may not go. Returns how many. */
function dispatchWhile(tx: Transaction, assigner: Chooser, most: number, mayGo: (task: TaskRecord) => boolean): number {
  const { now, memory } = tx;
  const { queue } = memory;
  if (!assigner.hasAnyRoom()) return 0;
  const open = (lane: QueueLane) => assigner.hasRoom(lane) && allHaveRoom(lane.limits);
  let { more } = loadQueueHead(tx, open);
  let taken = 0;
  for (;;) {
    const next = queue.pickNext(open, now);
    if (!next) {
      const found = loadQueueHead(tx, open);
      ({ more } = found);
      if (found.added === 0) break;
      continue;
    }
    if (!mayGo(next.task)) return taken;
    if (taken >= most) {
      more = true;
      break;
    }
    const worker = assigner.assign(next.jobInLane.lane);
    if (!worker) break;
    queue.markDispatched(next, now);
    leaseTask(tx, next.task, worker, next.inputText ?? inputText(tx, next.task));
    taken++;
  }
  tx.needsAnotherTurn ||= more && assigner.hasAnyRoom();
  return taken;
}

const assignerOf = (tx: Transaction): Assigner => (tx.assigner ??= createAssigner(tx.workerPool));

/** Who takes the only task that waits: a free slot comes before what is leased ahead. */
function takerOf(tx: Transaction, task: TaskRecord): PoolWorker | null {
  const [assigner, needs] = [assignerOf(tx), needsOf(task)];
  return assigner.assign(needs) ?? (isShort(tx, task) ? assigner.ahead.assign(needs) : null);
}

/** The input of a task that was queued without it, which may have been in this very turn. */
function inputText(tx: Transaction, task: TaskRecord): string {
  if (task.stored === null) flushTasks(tx, task.job);
  return tx.db.query<{ input_text: string | null }>(INPUT_OF_TASK).get(task.seq)?.input_text ?? 'null';
}

/**
 * The rest of the linear chain that a lease carries. Ids follow from the first task's, so that they are the same
 * after a restart of the master and at every attempt.
 */
export function chainAfter({ id, node }: Pick<TaskRecord, 'id' | 'node'>): TaskRecord['chain'] {
  return node.chain.map((next, i) => ({ id: chainTaskId(id, i + 1), node: next }));
}

const TAIL = 2 ** 48;
const LOW = 2 ** 24;

/** The UUID whose last 48 bits (random in version 7) are `steps` further on, or, negative, back. */
export function chainTaskId(id: string, steps: number): string {
  const low = Number.parseInt(id.slice(30), 16) + steps;
  // Most often no digit is carried beyond the last six, and to write a small number is ten times as quick.
  if (low >= 0 && low < LOW) return id.slice(0, 30) + low.toString(16).padStart(6, '0');
  return id.slice(0, 24) + ((Number.parseInt(id.slice(24), 16) + steps + TAIL) % TAIL).toString(16).padStart(12, '0');
}

/** What of a lease follows from its node, as JSON text. */
const leaseTexts = new WeakMap<PlanNode, string>();

function nodeText(plan: Plan, node: PlanNode): string {
  let text = leaseTexts.get(node);
  if (text === undefined) {
    const { workflowId, commit } = plan;
    text = JSON.stringify({ workflowId, commit, node: node.id } satisfies Partial<Lease>).slice(1, -1);
    leaseTexts.set(node, text);
  }
  return text;
}

/** The lease as the frame carries it; the input goes in as the text it is. Secrets are in the frame alone, never in a record. */
export function leaseFrame(
  { id, job, node, replica, item, facts, chain }: TaskRecord,
  inputText: string,
  secrets?: Lease['secrets'],
): string {
  // By hand: IDs and numbers need no escapes, and this is on the way of every event.
  const next = chain.map((one) => `{"id":"${one.id}","node":${JSON.stringify(one.node)}}`).join(',');
  const more: Pick<Lease, 'trace' | 'secrets'> = {
    ...(job.trace === null ? {} : { trace: job.trace }),
    ...(secrets === undefined ? {} : { secrets }),
  };
  const rest = job.trace === null && secrets === undefined ? '' : `,${JSON.stringify(more).slice(1, -1)}`;
  return `{"id":"${id}","attempt":${facts.attempt},"jobId":"${job.id}","environment":${job.environment === null ? 'null' : `"${job.environment}"`},${nodeText(job.plan, node)},"replica":${replica},"item":${item},"chain":[${next}]${rest},"input":${inputText}}`;
}
