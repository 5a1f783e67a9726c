import type { Limits } from '../../../contract/limits.ts';
import type { Environment, TaskState } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import { countTask, uncountTask } from '../../machine/job.ts';
import { isFinallyFailed, nextTask, type TaskEvent, type TaskFacts } from '../../machine/task.ts';
import type { WriteHandle } from '../../store/port.ts';
import type { Crew } from '../queue/worker-pool.ts';
import type { Floor } from '../queue/assigner.ts';
import type { FinalFailure } from '../failures/note.ts';
import { historyLine } from './history.ts';
import { jobFrom, taskFrom, type Memory, type Totals } from './memory.ts';
import type { Plan } from './plan.ts';
import type { Endpoint } from '../../workflows/port.ts';
import type { ChildCheck } from '../children/check.ts';
import type { Fan } from '../foreach/records.ts';
import { stepItem } from '../foreach/count-items.ts';
import type { JobRecord, TaskRecord } from './records.ts';
import type { JobRow, TaskRow } from './rows.ts';
import { DROP_TASK, JOB_BY_SEQ } from './sql.ts';

/** An attempt that ended in this turn, for metrics and for the worker's record. */
export interface EndedAttempt {
  readonly task: TaskRecord;
  readonly facts: TaskFacts;
  readonly workerId: string;
  /** Set by `settle` where it completed. */
  outputText: string | null;
}

/** What is done once the turn is committed. */
export interface Effects {
  readonly leases: { readonly workerId: string; readonly task: TaskRecord; readonly inputText: string }[];
  readonly kills: { readonly workerId: string; readonly ids: readonly string[]; readonly reason: string }[];
  readonly lost: { readonly workerId: string; readonly id: string; readonly attempt: number }[];
  readonly attempts: EndedAttempt[];
  /** Tasks that waited for their child job and were ended meanwhile: the child is to be killed. */
  readonly orphaned: number[];
  /** Workers that got room otherwise than by the end of a task. */
  readonly freed: string[];
  /** Tasks that failed for good, other than by a kill. */
  readonly failures: FinalFailure[];
  /** Inputs of children that are to be checked apart. */
  readonly childChecks: ChildCheck[];
  /** Output of jobs of one replica, by job seq. */
  readonly outputs: Map<number, string>;
}

/**
 * One turn of the engine: a unit of work over the records in memory and the rows of one transaction. Records are
 * changed at once and written by `flush`, each row once however many steps it took; `undo` puts memory back as it was
 * where the transaction is rolled back, so a turn may be run again.
 */
export interface Unit {
  readonly db: WriteHandle;
  readonly memory: Memory;
  readonly crew: Crew;
  readonly limits: Readonly<Limits>;
  readonly now: number;
  readonly random: () => number;
  readonly plan: (workflowId: string, commit: string) => Plan;
  /** What a workflow node calls. */
  readonly endpoint: (workflowId: string, environment: Environment) => Endpoint;
  /** Somebody checks inputs by costly schemas off the event loop. */
  readonly checksApart: boolean;
  readonly effects: Effects;
  /** Records touched in this turn, with what they were before. */
  readonly tasks: Map<TaskRecord, TaskRecord>;
  readonly jobs: Map<JobRecord, JobRecord>;
  readonly dirty: Set<TaskRecord>;
  /** Changes of `memory.counts`, taken over after the commit. */
  readonly counts: Map<
    string,
    { block: number; workflowId: string; environment: string; status: JobRow['status']; jobs: number }
  >;
  /** Fan-outs touched in this turn, with what they were before. */
  readonly fans: Map<Fan, Fan>;
  /** READY tasks that call a workflow, to be started at the end of the turn. */
  readonly starts: { readonly task: TaskRecord; readonly inputText: string | null }[];
  readonly undo: (() => void)[];
  /** The workers as this turn sees them; made where something is handed out. */
  floor: Floor | null;
  /** Something waits that another turn may hand out. */
  goOn: boolean;
}

export type UnitDeps = Pick<Unit, 'memory' | 'crew' | 'limits' | 'random' | 'plan' | 'endpoint' | 'checksApart'>;

export function beginUnit(db: WriteHandle, deps: UnitDeps, now: number): Unit {
  const totals: Totals = { ...deps.memory.totals };
  return {
    ...deps,
    db,
    now,
    effects: {
      leases: [],
      kills: [],
      lost: [],
      attempts: [],
      orphaned: [],
      freed: [],
      failures: [],
      childChecks: [],
      outputs: new Map(),
    },
    tasks: new Map(),
    jobs: new Map(),
    dirty: new Set(),
    counts: new Map(),
    fans: new Map(),
    starts: [],
    undo: [() => Object.assign(deps.memory.totals, totals)],
    floor: null,
    goOn: false,
  };
}

/** Call before a task's record is changed. */
export function touchTask(unit: Unit, task: TaskRecord): void {
  if (!unit.tasks.has(task)) unit.tasks.set(task, { ...task });
  unit.dirty.add(task);
}

/** Call before a job's record is changed. */
export function touchJob(unit: Unit, job: JobRecord): void {
  if (!unit.jobs.has(job)) unit.jobs.set(job, { ...job });
}

/** Applies an event; false where the state does not allow it, and then nothing changed. */
export function step(unit: Unit, task: TaskRecord, event: TaskEvent): boolean {
  const before = task.facts;
  const taken = nextTask(before, event);
  if (!taken) return false;
  touchTask(unit, task);
  const wasWithheld = task.withheld;
  if (wasWithheld) release(unit, task);
  const after = taken.facts;
  task.facts = after;
  task.lines += historyLine(before.state, after.state, event.at, after.attempt, after.workerId, taken.reason);
  count(unit, task, before, event.at);
  if (before.state === 'READY') leaveQueue(unit, task);
  else if (after.state === 'READY') {
    // Items wait for a place in their forEach, and no worker takes what the master runs.
    if (task.item !== null || task.node.child !== null) withhold(unit, task);
    else enterQueue(unit, task, null, true);
  }
  const held = executing(before.state);
  if (held && !executing(after.state)) giveBack(unit, task, before, event);
  else if (!held && executing(after.state)) acquire(unit, task);
  const fails = task.item === null || stepItem(unit, task, before, wasWithheld, event);
  if (isFinallyFailed(after)) noteFailure(unit, task, after, event.at, fails);
  return true;
}

/** Counts a task in its job: a step, or (before = null) its birth. */
export function count(unit: Unit, task: TaskRecord, before: TaskFacts | null, at: number): void {
  const { job, facts } = task;
  touchJob(unit, job);
  job.facts = countTask(job.facts, before, facts, at);
  if (before) bump(unit.memory.totals, before, -1);
  bump(unit.memory.totals, facts, 1);
}

function bump(totals: Totals, { state, retryAt }: TaskFacts, by: 1 | -1): void {
  if (state === 'READY') totals.ready += by;
  else if (state === 'SCHEDULED') totals.scheduled += by;
  else if (state === 'RUNNING') totals.running += by;
  else if (state === 'FAILED' && retryAt !== null) totals.retrying += by;
}

const executing = (state: TaskState): boolean => state === 'SCHEDULED' || state === 'RUNNING';

/** Keeps a READY task in memory for the next worker that has room; where there is no place, it waits in the database alone. */
export function enterQueue(unit: Unit, task: TaskRecord, inputText: string | null, begun: boolean): void {
  const { queue } = unit.memory;
  if (!queue.get(task.id) && !keepQueued(unit, task, inputText, begun)) queue.spill(task);
}

/** False where the queue in memory has no room for it. */
export function keepQueued(unit: Unit, task: TaskRecord, inputText: string | null, begun: boolean): boolean {
  const { queue } = unit.memory;
  if (!queue.add(task, inputText, begun)) return false;
  touchJob(unit, task.job);
  task.job.held++;
  unit.undo.push(() => void queue.remove(task));
  return true;
}

/** Keeps a READY task from being handed out; it is neither in the queue nor counted as one that waits for a worker. */
export function withhold(unit: Unit, task: TaskRecord): void {
  touchTask(unit, task);
  leaveQueue(unit, task);
  task.withheld = true;
  unit.memory.totals.ready--;
  unit.memory.totals.withheld++;
}

/** A withheld task may be handed out from now on: call `place` next, or take a step with it. */
export function release(unit: Unit, task: TaskRecord): void {
  touchTask(unit, task);
  task.withheld = false;
  unit.memory.totals.withheld--;
  unit.memory.totals.ready++;
}

/** Takes a task out of the queue in memory, if it is there. Its job was touched before. */
export function leaveQueue({ memory, undo }: Unit, task: TaskRecord): void {
  const place = memory.queue.remove(task);
  if (place === null) return;
  task.job.held--;
  undo.push(() => void memory.queue.add(task, place.inputText, place.begun, true));
}

function acquire(unit: Unit, task: TaskRecord): void {
  const { memory, crew, undo } = unit;
  const { workerId } = task.facts;
  // What the master runs itself is with no worker.
  if (workerId === null) return;
  const station = crew.station(workerId);
  memory.leased.set(task.id, task);
  task.job.held++;
  memory.gates.took(task.job);
  if (station) station.load++;
  undo.push(() => {
    memory.leased.delete(task.id);
    memory.gates.gave(task.job);
    if (station) station.load--;
  });
}

function giveBack(unit: Unit, task: TaskRecord, before: TaskFacts, event: TaskEvent): void {
  const { memory, crew, undo, effects } = unit;
  const { workerId } = before;
  const byMaster = event.on === 'kill' || event.on === 'run-timeout' || event.on === 'replica-timeout';
  if (workerId === null) {
    if (byMaster) effects.orphaned.push(task.seq);
    return;
  }
  const station = crew.station(workerId);
  memory.leased.delete(task.id);
  task.job.held--;
  memory.gates.gave(task.job);
  if (station) station.load--;
  undo.push(() => {
    memory.leased.set(task.id, task);
    memory.gates.took(task.job);
    if (station) station.load++;
  });
  effects.attempts.push({ task, facts: task.facts, workerId, outputText: null });
  if (byMaster)
    effects.kills.push({
      workerId,
      ids: [task.id, ...task.chain.map(({ id }) => id)],
      reason: task.facts.error?.code ?? event.on,
    });
}

/** `fails`: it fails its replica too, and so the job. */
function noteFailure(
  { effects, memory }: Unit,
  { id, seq, node, job }: TaskRecord,
  { error, workerId }: TaskFacts,
  at: number,
  fails: boolean,
): void {
  const code = error?.code ?? '';
  if (code !== 'KILLED' && job.kind !== 'draft')
    effects.failures.push({ taskId: id, node: node.id, code, message: error?.message ?? '', workerId, at, job });
  if (fails)
    for (const seek of memory.seeks)
      if (seek.job === job.seq)
        Object.assign(seek, { state: 0, cursor: seek.state === 0 ? Math.min(seek.cursor, seq - 1) : seq - 1 });
  if (job.failure || !fails) return;
  job.failure = { taskId: id, node: node.id, taskCode: error?.code ?? '', taskMessage: error?.message ?? '' };
  job.failureAt = at;
}

/** A RUNNING task goes on without its worker, which has done its part. */
export function detach(unit: Unit, task: TaskRecord): void {
  const { memory, crew, undo, effects } = unit;
  const { workerId } = task.facts;
  if (workerId === null) return;
  touchTask(unit, task);
  touchJob(unit, task.job);
  const station = crew.station(workerId);
  task.facts = { ...task.facts, workerId: null };
  memory.leased.delete(task.id);
  task.job.held--;
  memory.gates.gave(task.job);
  if (station) station.load--;
  if (memory.late.delete(task)) undo.push(() => void memory.late.add(task));
  undo.push(() => {
    memory.leased.set(task.id, task);
    memory.gates.took(task.job);
    if (station) station.load++;
  });
  effects.freed.push(workerId);
}

/** Takes a COMPLETED task out of the job and of the database, as if it had never been. */
export function dropTask(unit: Unit, task: TaskRecord): void {
  const { job, stored, seq } = task;
  const { memory, undo } = unit;
  touchJob(unit, job);
  job.facts = uncountTask(job.facts, task.facts);
  unit.dirty.delete(task);
  if (memory.late.delete(task)) undo.push(() => void memory.late.add(task));
  if (stored !== null) unit.db.statement(DROP_TASK).run(seq);
  task.job.progress?.get(task.replica)?.made.delete(task.node.id);
}

/** The job's record, from memory or read in. */
export function loadJob(unit: Unit, seq: number): JobRecord {
  const known = unit.memory.jobs.get(seq);
  if (known) return known;
  const row = unit.db.query<JobRow>(JOB_BY_SEQ).get(seq);
  // It was there when the caller looked: old jobs are removed at any time.
  if (!row) throw new Fault('JOB_NOT_FOUND', 'the job was removed');
  const job = jobFrom(row, unit.plan(row.workflow_id, row.commit_hash));
  unit.memory.jobs.set(seq, job);
  unit.memory.jobsById.set(job.id, job);
  touchJob(unit, job);
  return job;
}

/** The task's record: the one in memory, or made from its row. Flush before reading rows. */
export function loadTask(unit: Unit, row: TaskRow): TaskRecord {
  return unit.memory.leased.get(row.id) ?? unit.memory.queue.get(row.id) ?? taskFrom(row, loadJob(unit, row.job));
}
