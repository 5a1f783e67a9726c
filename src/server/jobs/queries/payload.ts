import { Fault } from '../../../lib/fault.ts';
import type { ReadHandle } from '../../store/port.ts';
import { textOf, textOrOutputOf, whole } from '../../store/whole.ts';
import { eventStatusText, jobResultInSlices, outputAndErrorText } from '../lifecycle/job-result.ts';
import { checkedInputText } from '../rerun/inputs.ts';
import type { JobRow } from '../engine/rows.ts';
import { JOB_BY_ID } from '../engine/sql.ts';
import type { PayloadRead } from './port.ts';

const JOINS = {
  input:
    'LEFT JOIN payload ip ON ip.id = t.input_payload LEFT JOIN task b ON b.seq = t.input_task LEFT JOIN payload bp ON bp.id = b.output_payload',
  output: 'LEFT JOIN payload op ON op.id = t.output_payload',
} as const;
const TEXTS = { input: ['t.input', 'ip.text', 'b.output', 'bp.text'], output: ['t.output', 'op.text'] } as const;
const CHECKED = {
  input: textOrOutputOf(
    't',
    'input',
    { payload: 'ip', task: 'b', taskPayload: 'bp' },
    { what: 'input of task', id: 't.id' },
  ),
  output: textOf('t', 'output', 'op', { what: 'output of task', id: 't.id' }),
} as const;
const ofTask = (of: 'input' | 'output', found: string): string =>
  `SELECT ${found} AS found FROM task t ${JOINS[of]} WHERE t.id = ?`;
const TEXT = { input: ofTask('input', CHECKED.input), output: ofTask('output', CHECKED.output) } as const;
const sizeOf = (of: 'input' | 'output'): string =>
  ofTask(of, `coalesce(${TEXTS[of].map((text) => `octet_length(${text})`).join(', ')})`);
/** Told by the head of each row: the text itself is not read. */
const SIZE = { input: sizeOf('input'), output: sizeOf('output') } as const;
const STANDS_APART = 'SELECT 1 FROM payload WHERE job = ? LIMIT 1';
/** Replicas whose payloads are together short where none of them is long. */
const FEW = 4;

/** JSON text of a payload; `null` where there is none. `most`: bytes of a job's output. Throws TASK_NOT_FOUND, JOB_NOT_FOUND, DATA_DAMAGED, and VALIDATION_FAILED for inputs that are not known. */
export async function payloadText(read: ReadHandle, ask: PayloadRead, most: number): Promise<string> {
  if ('task' in ask) return whole(found<string>(read, TEXT[ask.of], ask.task)) ?? 'null';
  const job = jobOf(read, ask.job);
  if (ask.of === 'output') {
    const result = await jobResultInSlices(read, job, most);
    if (ask.as === 'status') return eventStatusText(result);
    return ask.as === 'alone' ? (result.outputText ?? 'null') : outputAndErrorText(result);
  }
  return checkedInputText(read, job, ask.first, ask);
}

/** True where reading it costs the event loop next to nothing. Throws TASK_NOT_FOUND, JOB_NOT_FOUND. */
export function isShort(read: ReadHandle, ask: PayloadRead, bytes: number): boolean {
  if ('task' in ask) return (found<number>(read, SIZE[ask.of], ask.task) ?? 0) < bytes;
  const { seq, input_count } = jobOf(read, ask.job);
  return (
    (input_count <= FEW || (ask.of === 'input' && ask.replica !== null)) &&
    read.query(STANDS_APART).get(seq) === undefined
  );
}

function found<T>(read: ReadHandle, statement: string, taskId: string): T | null {
  const row = read.query<{ found: T | null }>(statement).get(taskId);
  if (!row) throw new Fault('TASK_NOT_FOUND', `task ${taskId} not found`);
  return row.found;
}

function jobOf(read: ReadHandle, jobId: string): JobRow {
  const row = read.query<JobRow>(JOB_BY_ID).get(jobId);
  if (!row) throw new Fault('JOB_NOT_FOUND', `job ${jobId} not found`);
  return row;
}
