import type { ReadHandle } from '../../store/port.ts';
import { planOnce } from '../../store/plan-once.ts';
import { damageIn, damageMark, isWhole, textOf } from '../../store/whole.ts';

/** The first task that was given a text rather than the output of another; exported for the test of its plan. */
export const FIRST_TASK =
  planOnce(`SELECT ${textOf('t', 'input', 'p', { what: 'input of task', id: 't.id' })} AS text, substr(t.history, 1, 100) AS history FROM task t INDEXED BY task_by_job LEFT JOIN payload p ON p.id = t.input_payload
  WHERE t.job = ? AND t.replica = ? AND t.item IS NULL AND t.input_task IS NULL ORDER BY t.seq LIMIT 1`);
/** A forEach that comes first keeps what it was given. */
const FIRST_FAN =
  planOnce(`SELECT ${textOf('f', 'input', 'p', { what: 'input of node', id: 'f.node' })} AS text FROM fan_out f LEFT JOIN payload p ON p.id = f.input_payload
  WHERE f.job = ? AND f.replica = ? AND f.input_task IS NULL LIMIT 1`);
/** Of a job whose workflow makes no task, the output is the input. */
const ONLY_OUTPUT = `SELECT ${textOf('j', 'output', 'p', { what: 'output of job', id: 'j.id' })} AS text FROM job j LEFT JOIN payload p ON p.id = j.output_payload WHERE j.seq = ? AND j.output_task IS NULL`;
const REPLICA_OUTPUT = `SELECT ${textOf('r', 'output', 'p', { what: 'output of replica', id: 'r.replica' })} AS text FROM replica r LEFT JOIN payload p ON p.id = r.output_payload WHERE r.job = ? AND r.replica = ? AND r.output_task IS NULL`;
const UNBORN = 'SELECT replica, texts, sum FROM unborn WHERE job = ? AND replica <= ? ORDER BY replica DESC LIMIT 1';

interface Text {
  text: string | null;
}

/** JSON texts of the first inputs of a job, in order. The first task of a replica has its input. */
export function inputsOf(read: ReadHandle, job: number, inputCount: number, most: number): string[] {
  const texts: string[] = [];
  for (let replica = 0; replica < Math.min(inputCount, most); replica++) {
    const text = inputOf(read, job, replica, inputCount);
    if (text !== null) texts.push(text);
  }
  return texts;
}

/** JSON text of one input of a job; null where it is not known any more, or damaged. */
export function inputOf(read: ReadHandle, job: number, replica: number, inputCount: number): string | null {
  const text = storedInput(read, job, replica, inputCount);
  return damageIn(text) === null ? text : null;
}

const storedInput = (read: ReadHandle, job: number, replica: number, inputCount: number): string | null =>
  firstTask(read, job, replica) ??
  read.query<Text>(FIRST_FAN).get(job, replica)?.text ??
  outputIsInput(read, job, replica, inputCount) ??
  unborn(read, job, replica);

/** Where the first node is no task any more (a forEach), the first one left may be a join, whose text was made of others. */
function firstTask(read: ReadHandle, job: number, replica: number): string | null {
  const task = read.query<Text & { history: string }>(FIRST_TASK).get(job, replica);
  return task && !/^[^\n]* predecessors done/.test(task.history) ? task.text : null;
}

function outputIsInput(read: ReadHandle, job: number, replica: number, inputCount: number): string | null {
  return (
    (inputCount === 1 ? read.query<Text>(ONLY_OUTPUT).get(job) : read.query<Text>(REPLICA_OUTPUT).get(job, replica))
      ?.text ?? null
  );
}

/** Of a large job whose replica has not begun yet. */
function unborn(read: ReadHandle, job: number, replica: number): string | null {
  const chunk = read.query<{ replica: number; texts: Uint8Array; sum: number | null }>(UNBORN).get(job, replica);
  if (chunk && !isWhole(chunk.texts, chunk.sum)) return damageMark(`input of replica ${replica}`);
  return (chunk && Buffer.from(chunk.texts).toString('utf8').split('\n')[replica - chunk.replica]) || null;
}
