import type { JobFailure } from '../../contract/api.ts';
import { isoOrNull } from '../../lib/clock.ts';
import { jobStatus } from '../machine/job.ts';
import type { ReadHandle } from '../store/port.ts';
import { failureOf } from './memory.ts';
import type { Outcome } from './port.ts';
import type { JobRecord } from './records.ts';
import type { JobRow } from './rows.ts';

const OUTPUT_OF_ONE = `
  SELECT coalesce(j.output, p.text, t.output, tp.text) AS text FROM job j
  LEFT JOIN payload p ON p.id = j.output_payload LEFT JOIN task t ON t.seq = j.output_task LEFT JOIN payload tp ON tp.id = t.output_payload
  WHERE j.seq = ?`;
const OUTPUTS = `
  SELECT r.replica, coalesce(r.output, p.text, t.output, tp.text) AS text FROM replica r
  LEFT JOIN payload p ON p.id = r.output_payload LEFT JOIN task t ON t.seq = r.output_task LEFT JOIN payload tp ON tp.id = t.output_payload
  WHERE r.job = ? ORDER BY r.replica LIMIT ?`;

type Ended = Pick<JobRow, 'seq' | 'input_count' | 'response'>;

/** The output of a job all of whose replicas ended well, as JSON text in the form that its workflow answers with. */
export function outputTextOf(read: ReadHandle, { seq, input_count, response }: Ended): string {
  if (input_count === 1) return shaped(response, [read.query<{ text: string | null }>(OUTPUT_OF_ONE).get(seq)?.text ?? 'null']);
  const wanted = response === 'first' ? 1 : input_count;
  const texts = Array.from({ length: wanted === 1 && input_count === 0 ? 0 : wanted }, () => 'null');
  for (const { replica, text } of read.query<{ replica: number; text: string | null }>(OUTPUTS).all(seq, wanted)) {
    if (replica < texts.length) texts[replica] = text ?? 'null';
  }
  return shaped(response, texts);
}

/** `list`: an array, one output for each input; `first`: the first alone. */
export function shaped(response: 'list' | 'first', texts: readonly string[]): string {
  return response === 'first' ? (texts[0] ?? 'null') : `[${texts.join(',')}]`;
}

/** What a job came to, from its row. */
export function outcomeOf(read: ReadHandle, row: JobRow): Outcome {
  // Every end but that of collected items notes a failure.
  const ended = row.finished_at !== null && row.failure_task === null;
  return { jobId: row.id, status: row.status, finishedAt: isoOrNull(row.finished_at), outputText: ended ? outputTextOf(read, row) : null, failure: failureOf(row) };
}

/** The same from its record, with the output of a single replica at hand. */
export function outcomeNow(read: ReadHandle, job: JobRecord, single: string | undefined): Outcome {
  const status = jobStatus(job.facts);
  const { finishedAt } = job.facts;
  const ended = finishedAt !== null && job.failure === null;
  const { response } = job.plan;
  const text = () => (single === undefined ? outputTextOf(read, { seq: job.seq, input_count: job.inputCount, response }) : shaped(response, [single]));
  return { jobId: job.id, status, finishedAt: isoOrNull(finishedAt), outputText: ended ? text() : null, failure: job.failure };
}

/** `{output, error}` of a job (contract §5). */
export function outputAndError(outcome: Outcome): string {
  return `{"output":${outcome.outputText ?? 'null'},"error":${failureText(outcome.failure)}}`;
}

/** What the status URL of an event call answers. */
export function eventStatus({ jobId, status, finishedAt, outputText, failure }: Outcome): string {
  return `{"jobId":${JSON.stringify(jobId)},"status":"${status}","finishedAt":${JSON.stringify(finishedAt)},"output":${outputText ?? 'null'},"error":${failureText(failure)}}`;
}

const failureText = (failure: JobFailure | null): string => (failure === null ? 'null' : JSON.stringify(failure));
