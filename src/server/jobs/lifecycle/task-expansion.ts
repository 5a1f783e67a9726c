import { unpackChunk, type PackedInputs } from '../../../lib/packed-inputs.ts';
import { damageMark, isWhole, sumOf } from '../../store/whole.ts';
import { openTasks } from '../../state-machines/job.ts';
import { storeReplicaOutput } from './complete-task.ts';
import { flushTasks, touchJob } from '../engine/transaction.ts';
import { createTask, dispatchOrEnqueue } from '../queue/dispatch.ts';
import type { Plan } from '../engine/plan.ts';
import type { JobRecord, TextRef } from '../engine/records.ts';
import { startReplicaFrom } from '../rerun/start-replica.ts';
import { storeText } from '../engine/write-rows.ts';
import { loadJob } from '../engine/load-records.ts';
import type { Memory, Transaction } from '../engine/port.ts';

/**
 * Task expansion of large jobs. A job is accepted whole in one transaction: its row, the texts of all its inputs, its first
 * tasks. The inputs that are left become tasks in slices, turn by turn, so that no job holds the event loop; they are
 * taken up again after a restart. While any are left the job has an open task and does not finish, so that it never
 * looks done.
 */
export const TASKS_PER_TURN = 200;
/** Tasks that keep a job open whose tasks have all ended. */
const KEEP_OPEN = 16;

const PUT = 'INSERT INTO unborn (job, chunk, replica, count, texts, sum) VALUES (?, ?, ?, ?, ?, ?)';
const NEXT = 'SELECT chunk, replica, count, begun, tasks, texts, sum FROM unborn WHERE job = ? ORDER BY chunk LIMIT 1';
const BEGUN = 'UPDATE unborn SET begun = ?, tasks = ? WHERE job = ? AND chunk = ?';
const DONE = 'DELETE FROM unborn WHERE job = ? AND chunk = ?';
const INPUT_OF =
  'SELECT input AS text, input_sum AS sum, input_payload AS payload, input_task AS task FROM task WHERE job = ? AND replica = ? AND item IS NULL AND node = ?';

interface Row {
  chunk: number;
  replica: number;
  count: number;
  begun: number;
  tasks: number;
  texts: Uint8Array;
  sum: number | null;
}

/** First tasks of one replica, about. One that makes no task still has its output to be noted; a rerun from a node may take many over. */
const widthOf = ({ first, nodes }: Plan, from: string | null): number =>
  Math.max(1, from === null ? first.length : nodes.size);
const fromOf = ({ lineage }: JobRecord): string | null => lineage?.rerunNode ?? null;

/** True where the inputs are too many to become tasks in one turn. */
export const needsExpansion = (plan: Plan, inputs: { readonly length: number }, from: string | null = null): boolean =>
  inputs.length * widthOf(plan, from) > TASKS_PER_TURN;

/** Begins the life of a job's inputs: at once, or of many the first slice. */
export function startReplicas(tx: Transaction, job: JobRecord, inputs: PackedInputs): void {
  if (!needsExpansion(job.plan, inputs, fromOf(job))) {
    let replica = 0;
    for (const chunk of inputs.chunks) for (const text of unpackChunk(chunk)) startReplica(tx, job, replica++, text);
    return;
  }
  let replica = 0;
  inputs.chunks.forEach(({ count, texts }, chunk) => {
    tx.db.statement(PUT).run(job.seq, chunk, replica, count, texts, sumOf(texts));
    replica += count;
  });
  setPendingInputs(tx, job.seq, inputs.length);
  expandJob(tx, job, tx.memory.turnBudget.steps);
}

/** The first tasks of one replica. */
export function startReplica(tx: Transaction, job: JobRecord, replica: number, text: string): void {
  const input = storeText(tx, job.seq, text);
  for (let k = 0; k < widthOf(job.plan, fromOf(job)); k++) createFirstTask(tx, job, replica, k, input, text);
}

function createFirstTask(
  tx: Transaction,
  job: JobRecord,
  replica: number,
  k: number,
  input: TextRef,
  text: string,
): void {
  const { plan } = job;
  const from = fromOf(job);
  if (from !== null) {
    if (k === 0) startReplicaFrom(tx, job, replica, from, input, text);
    return;
  }
  if (k === 0 && plan.outputIsInput) storeReplicaOutput(tx, job, replica, input, text);
  const node = plan.nodes.get(plan.first[k] ?? '');
  if (node)
    dispatchOrEnqueue(tx, createTask(tx, { job, node, replica, input, at: tx.now, reason: 'submitted' }), text, false);
}

/** Makes up to `most` of the tasks that a job still owes; nothing where it owes none. */
export function expandJob(tx: Transaction, job: JobRecord, most: number): void {
  const { memory, db } = tx;
  const left = memory.pendingInputs.get(job.seq);
  if (left === undefined) return;
  touchJob(tx, job);
  const row = db.query<Row>(NEXT).get(job.seq);
  if (row === undefined) return setPendingInputs(tx, job.seq, 0);
  const width = widthOf(job.plan, fromOf(job));
  const start = row.begun * width + row.tasks;
  const end = Math.min(start + most, row.count * width);
  const begun = Math.floor(end / width);
  const texts = isWhole(row.texts, row.sum) ? unpackChunk(row, row.begun, Math.ceil(end / width) - row.begun) : null;
  let input: TextRef | null = row.tasks === 0 ? null : inputOf(tx, job, row.replica + row.begun);
  for (let made = start; made < end; made++) {
    const at = Math.floor(made / width);
    const text = texts
      ? (texts[at - row.begun] ?? 'null')
      : damageMark(`input of replica ${row.replica + at} of job ${job.id}`);
    if (made % width === 0 || input === null) input = storeText(tx, job.seq, text);
    createFirstTask(tx, job, row.replica + at, made % width, input, text);
  }
  if (begun === row.count) db.statement(DONE).run(job.seq, row.chunk);
  else db.statement(BEGUN).run(begun, end - begun * width, job.seq, row.chunk);
  setPendingInputs(tx, job.seq, left - (begun - row.begun));
}

/** Where the input of a replica is kept that an earlier slice began; null: its first task was a list, which has come in and gone since. */
function inputOf(tx: Transaction, job: JobRecord, replica: number): TextRef | null {
  flushTasks(tx, job);
  return tx.db.query<TextRef>(INPUT_OF).get(job.seq, replica, job.plan.first[0] ?? '') ?? null;
}

function setPendingInputs({ memory: { pendingInputs }, undo }: Transaction, seq: number, inputs: number): void {
  const before = pendingInputs.get(seq);
  const set = (left: number | undefined) =>
    void (left === undefined || left === 0 ? pendingInputs.delete(seq) : pendingInputs.set(seq, left));
  set(inputs);
  undo.push(() => set(before));
}

/** Inputs of all jobs that are still to become tasks. */
export function countPendingInputs({ pendingInputs }: Memory): number {
  let sum = 0;
  for (const inputs of pendingInputs.values()) sum += inputs;
  return sum;
}

/** Goes on where all tasks of a job have ended that has more to come. Called once the operations of a turn are done. */
export function continuePendingJobs(tx: Transaction): void {
  if (tx.memory.pendingInputs.size === 0) return;
  for (const job of [...tx.jobs.keys()])
    if (tx.memory.pendingInputs.has(job.seq) && openTasks(job.facts) === 0) expandJob(tx, job, KEEP_OPEN);
}

/** Expands what is left, job by job in turn. `resume` begins where it does not run; `close` waits for the slice under way. */
export function createTaskExpansion({
  memory,
  enqueue,
  onError,
}: {
  memory: Memory;
  enqueue(weight: number, op: (tx: Transaction) => void): Promise<void>;
  onError(error: unknown): void;
}) {
  let running: Promise<void> | null = null;
  let closed = false;

  async function run() {
    try {
      while (memory.pendingInputs.size > 0) {
        for (const seq of [...memory.pendingInputs.keys()]) {
          if (closed) return;
          await enqueue(TASKS_PER_TURN, (tx) => expandJob(tx, loadJob(tx, seq), memory.turnBudget.steps));
        }
      }
    } catch (error) {
      // The store refuses writes: the periodic check begins again.
      onError(error);
    } finally {
      running = null;
    }
  }

  return {
    resume() {
      if (memory.pendingInputs.size > 0 && !closed) running ??= run();
    },
    async close() {
      closed = true;
      await running;
    },
  };
}
