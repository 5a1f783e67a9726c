import { Fault } from '../../../lib/fault.ts';
import type { ReadHandle } from '../../store/port.ts';
import { jobResultInSlices, outputAndErrorText } from '../lifecycle/job-result.ts';
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
const ofTask = (of: 'input' | 'output', what: (column: string) => string): string =>
  `SELECT coalesce(${TEXTS[of].map(what).join(', ')}) AS found FROM task t ${JOINS[of]} WHERE t.id = ?`;
const TEXT = { input: ofTask('input', (text) => text), output: ofTask('output', (text) => text) } as const;
/** Told by the head of each row: the text itself is not read. */
const SIZE = {
  input: ofTask('input', (text) => `octet_length(${text})`),
  output: ofTask('output', (text) => `octet_length(${text})`),
} as const;
const STANDS_APART = 'SELECT 1 FROM payload WHERE job = ? LIMIT 1';
/** Replicas whose payloads are together short where none of them is long. */
const FEW = 4;

/** JSON text of a payload; `null` where there is none. `most`: bytes of a job's output. Throws TASK_NOT_FOUND, JOB_NOT_FOUND, and VALIDATION_FAILED for inputs that are not known. */
export async function payloadText(read: ReadHandle, ask: PayloadRead, most: number): Promise<string> {
  if ('task' in ask) return found<string>(read, TEXT[ask.of], ask.task) ?? 'null';
  const job = jobOf(read, ask.job);
  return ask.of === 'output'
    ? outputAndErrorText(await jobResultInSlices(read, job, most))
    : checkedInputText(read, job, ask.first, ask);
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
