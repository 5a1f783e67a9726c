import type { Lease } from '../../../contract/worker-protocol.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import { newTask } from '../../machine/task.ts';
import type { Station } from './worker-pool.ts';
import { openFloor, type Floor } from './assigner.ts';
import { isOpen } from './concurrency-limits.ts';
import { flushTasks } from '../engine/flush.ts';
import { historyLine } from '../engine/history.ts';
import type { Line } from './lanes.ts';
import type { PlanNode } from '../engine/plan.ts';
import { eventsOf } from '../engine/metric-points.ts';
import { noteProgress } from '../engine/replica-progress.ts';
import { refill } from './load-queue-head.ts';
import { NO_TEXT, type JobRecord, type TaskRecord, type TextRef } from '../engine/records.ts';
import { count, enterQueue, step, touchTask, withhold, type Unit } from '../engine/transaction.ts';
import { INPUT_OF_TASK } from '../engine/sql.ts';

/** Most queued tasks that one turn hands out or reads in, so that it stays short. */
const CLAIMED_PER_TURN = 256;

export interface Birth {
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
export function bear(unit: Unit, { job, node, replica, input, at, reason, id, item }: Birth): TaskRecord {
  const task: TaskRecord = {
    seq: unit.memory.totals.nextTask++,
    id: id ?? uuidv7(unit.now),
    job,
    node,
    replica,
    item: item ?? null,
    facts: newTask(at, node.retries),
    withheld: false,
    input,
    output: NO_TEXT,
    port: null,
    chain: [],
    inputBytes: 0,
    inputEvents: 1,
    lines: historyLine(null, 'READY', at, 1, null, reason),
    entries: '',
    stored: null,
  };
  touchTask(unit, task);
  count(unit, task, null, at);
  // After `count`, which keeps what the job was before.
  if (job.unwritten !== null) job.unwritten = [...job.unwritten, task];
  noteProgress(task);
  return task;
}

/** Leases a new READY task at once where nothing is queued before it and a worker has room; else it is queued. `begun`: its replica is under way, which comes first. */
export function place(unit: Unit, task: TaskRecord, inputText: string, begun: boolean): void {
  if (task.node.child !== null) {
    // The master runs it, at the end of this turn or in one soon after.
    withhold(unit, task);
    unit.starts.push({ task, inputText });
    return;
  }
  // The task itself is counted as READY already.
  const isAlone = unit.memory.totals.ready === 1 && isOpen(unit.memory.gates.of(task.job));
  const station = isAlone ? floorOf(unit).take(task.node.handler) : null;
  if (station) lease(unit, task, station, inputText);
  else enterQueue(unit, task, inputText, begun);
}

/** Assigns a READY task to a worker; the frame goes out after the commit. */
export function lease(unit: Unit, task: TaskRecord, station: Station, inputText: string): void {
  if (!step(unit, task, { on: 'assign', at: Math.max(unit.now, task.facts.readyAt), workerId: station.id })) return;
  task.chain = chainOf(task);
  measure(task, inputText);
  unit.effects.leases.push({ workerId: station.id, task, inputText });
}

/** Size of the input, for metrics: an array counts its items, all else is one event. */
export function measure(task: TaskRecord, inputText: string): void {
  task.inputBytes = Buffer.byteLength(inputText);
  task.inputEvents = eventsOf(inputText);
}

/** Hands queued tasks to workers that have room, in the order of the queue; where the queue in memory runs low, more is read in. */
export function dispatch(unit: Unit): void {
  const { memory, now } = unit;
  const { queue, totals } = memory;
  const floor = totals.ready > 0 ? floorOf(unit) : null;
  if (floor?.hasAnyRoom()) {
    const open = (line: Line) => floor.hasRoom(line.handler) && isOpen(line.gates);
    let { more } = refill(unit, open);
    for (let taken = 0; ; taken++) {
      const next = queue.pick(open, now);
      if (!next) {
        const found = refill(unit, open);
        ({ more } = found);
        if (found.added === 0) break;
        continue;
      }
      if (taken >= CLAIMED_PER_TURN) {
        more = true;
        break;
      }
      const station = floor.take(next.task.node.handler);
      if (!station) break;
      queue.serve(next, now);
      lease(unit, next.task, station, next.inputText ?? inputText(unit, next.task));
    }
    unit.goOn = more && floor.hasAnyRoom();
  }
  queue.turn++;
}

const floorOf = (unit: Unit): Floor => (unit.floor ??= openFloor(unit.crew));

/** The input of a task that was queued without it, which may have been in this very turn. */
function inputText(unit: Unit, task: TaskRecord): string {
  if (task.stored === null) flushTasks(unit, task.job);
  return unit.db.query<{ input_text: string | null }>(INPUT_OF_TASK).get(task.seq)?.input_text ?? 'null';
}

/**
 * The rest of the linear chain that a lease carries. Ids follow from the first task's, so that they are the same
 * after a restart of the master and at every attempt.
 */
export function chainOf({ id, node }: Pick<TaskRecord, 'id' | 'node'>): TaskRecord['chain'] {
  return node.chain.map((next, i) => ({ id: idAfter(id, i + 1), node: next }));
}

const TAIL = 2 ** 48;

/** The UUID whose last 48 bits (random in version 7) are `steps` further on. */
export function idAfter(id: string, steps: number): string {
  return id.slice(0, 24) + ((Number.parseInt(id.slice(24), 16) + steps) % TAIL).toString(16).padStart(12, '0');
}

/** The lease as the frame carries it; the input goes in as the text it is. Secrets are in the frame alone, never in a record. */
export function leaseText(
  { id, job, node, replica, item, facts, chain }: TaskRecord,
  inputText: string,
  secrets?: Lease['secrets'],
): string {
  const lease: Omit<Lease, 'input'> = {
    id,
    attempt: facts.attempt,
    jobId: job.id,
    workflowId: job.plan.workflowId,
    environment: job.environment,
    commit: job.plan.commit,
    node: node.id,
    replica,
    item,
    chain: [...chain],
    ...(secrets === undefined ? {} : { secrets }),
  };
  return `${JSON.stringify(lease).slice(0, -1)},"input":${inputText}}`;
}
