import type { Lease } from '../../contract/worker-protocol.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import { newTask } from '../machine/task.ts';
import type { Crew, Station } from './crew.ts';
import { historyLine } from './history.ts';
import type { PlanNode } from './plan.ts';
import { eventsOf } from './points.ts';
import { NO_TEXT, type JobRecord, type TaskRecord, type TextRef } from './records.ts';
import { flushTasks } from './flush.ts';
import { count, enterQueue, keepQueued, loadTask, step, touchTask, type Unit } from './unit.ts';
import type { TaskRow } from './rows.ts';
import { CLAIMABLE } from './sql.ts';

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
}

/** Makes a task, READY and counted. */
export function bear(unit: Unit, { job, node, replica, input, at, reason, id }: Birth): TaskRecord {
  const task: TaskRecord = {
    seq: unit.memory.totals.nextTask++,
    id: id ?? uuidv7(unit.now),
    job,
    node,
    replica,
    item: null,
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
  return task;
}

/** Leases a new READY task at once where nothing is queued before it and a worker has room; else it is queued. `begun`: its replica is under way, which comes first. */
export function place(unit: Unit, task: TaskRecord, inputText: string, begun: boolean): void {
  // The task itself is counted as READY already.
  const station = unit.memory.totals.ready === 1 ? roomiest(unit.crew) : null;
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
  task.inputBytes = inputText.length;
  task.inputEvents = eventsOf(inputText);
}

/** Hands queued tasks to workers that have room; where the queue in memory runs out, its next part is read in. */
export function dispatch(unit: Unit): void {
  const { memory, crew } = unit;
  const wanted = Math.min(room(crew), memory.totals.ready, CLAIMED_PER_TURN);
  for (let taken = 0; taken < wanted; taken++) {
    if (!memory.queue.first()) readQueue(unit);
    const next = memory.queue.first();
    const station = roomiest(crew);
    if (!next || !station) return;
    lease(unit, next.task, station, next.inputText);
  }
}

/** Reads the next part of the queue in, oldest job first. What is too long to be kept is handed out at once, as far as there is room. */
function readQueue(unit: Unit): void {
  flushTasks(unit);
  for (const row of unit.db.query<TaskRow & { input_text: string | null }>(CLAIMABLE).all(CLAIMED_PER_TURN)) {
    const task = loadTask(unit, row);
    const text = row.input_text ?? 'null';
    if (keepQueued(unit, task, text, row.input_task !== null || row.attempt > 1)) continue;
    const station = roomiest(unit.crew);
    if (station) lease(unit, task, station, text);
  }
}

export function room(crew: Crew): number {
  let free = 0;
  for (const { accepting, capacity, load } of crew.stations()) if (accepting && capacity > load) free += capacity - load;
  return free;
}

function roomiest(crew: Crew): Station | null {
  let best: Station | null = null;
  for (const station of crew.stations()) {
    if (station.accepting && station.load < station.capacity && (best === null || station.capacity - station.load > best.capacity - best.load)) best = station;
  }
  return best;
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

/** The lease as the frame carries it; the input goes in as the text it is. */
export function leaseText({ id, job, node, replica, item, facts, chain }: TaskRecord, inputText: string): string {
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
  };
  return `${JSON.stringify(lease).slice(0, -1)},"input":${inputText}}`;
}
