import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JobFailure } from '../../../contract/jobs.ts';
import { LIMITS, type Limits } from '../../../contract/limits.ts';
import { isoOrNull } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { jobStatus } from '../../state-machines/job.ts';
import type { ReadHandle } from '../../store/port.ts';
import { textOrOutputOf, whole } from '../../store/whole.ts';
import type { JobResult } from '../port.ts';
import type { JobRecord } from '../engine/records.ts';
import type { JobRow } from '../engine/rows.ts';
import { jobFailure } from '../engine/load-records.ts';

const OUTPUT = (row: string, named: { what: string; id: string }) =>
  textOrOutputOf(row, 'output', { payload: 'p', task: 't', taskPayload: 'tp' }, named);
const OUTPUT_OF_ONE = `
  SELECT ${OUTPUT('j', { what: 'output of job', id: 'j.id' })} AS text FROM job j
  LEFT JOIN payload p ON p.id = j.output_payload LEFT JOIN task t ON t.seq = j.output_task LEFT JOIN payload tp ON tp.id = t.output_payload
  WHERE j.seq = ?`;
const OUTPUTS = (what: string) => `
  SELECT r.replica, ${what} FROM replica r
  LEFT JOIN payload p ON p.id = r.output_payload LEFT JOIN task t ON t.seq = r.output_task LEFT JOIN payload tp ON tp.id = t.output_payload
  WHERE r.job = ? AND r.replica >= ? AND r.replica < ? ORDER BY r.replica`;
const TEXTS = OUTPUTS(`${OUTPUT('r', { what: 'output of replica', id: 'r.replica' })} AS text`);
/** Told by the head of each row: the texts themselves are not read. */
const SIZES = OUTPUTS(
  'coalesce(octet_length(r.output), octet_length(p.text), octet_length(t.output), octet_length(tp.text)) AS size',
);
/** Replicas that are read at once; of a job with more, whoever can wait reads the next in another turn. */
const SLICE = 1000;

type OutputLimits = Readonly<Pick<Limits, 'heavyAnswerBytes' | 'jobOutputBytes'>>;
type Ended = Pick<JobRow, 'seq' | 'input_count' | 'response'>;

/** Why a job that ended well has no output to show. */
export class OutputTooLarge extends Error {}

/** The output of a job all of whose replicas ended well, as JSON text in the form that its workflow answers with. Throws `OutputTooLarge`, and DATA_DAMAGED. */
export function jobOutputText(read: ReadHandle, job: Ended, most: number = LIMITS.jobOutputBytes): string {
  const slices = outputSlices(read, job, most);
  for (;;) {
    const step = slices.next();
    if (step.done) return step.value;
  }
}

/** The same, with a rest between slices: the replicas of one job can be many. */
export async function jobOutputTextInSlices(read: ReadHandle, job: Ended, most: number): Promise<string> {
  const slices = outputSlices(read, job, most);
  for (;;) {
    const step = slices.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}

function* outputSlices(
  read: ReadHandle,
  { seq, input_count, response }: Ended,
  most: number,
): Generator<undefined, string> {
  if (input_count === 1)
    return responseText(response, [whole(read.query<{ text: string | null }>(OUTPUT_OF_ONE).get(seq)?.text) ?? 'null']);
  const wanted = response === 'first' ? Math.min(1, input_count) : input_count;
  const texts: string[] = [];
  let bytes = 0;
  for (let from = 0; from < wanted; from += SLICE) {
    const to = Math.min(wanted, from + SLICE);
    for (const { size } of read.query<{ size: number | null }>(SIZES).all(seq, from, to)) bytes += size ?? 0;
    if (bytes > most)
      throw new OutputTooLarge(
        `the outputs of all replicas exceed ${most} bytes: send fewer inputs per call, or return less data from the workflow`,
      );
    for (let i = from; i < to; i++) texts.push('null');
    for (const { replica, text } of read.query<{ replica: number; text: string | null }>(TEXTS).all(seq, from, to))
      texts[replica] = whole(text) ?? 'null';
    yield;
  }
  return responseText(response, texts);
}

/** True where the output of a job that ended well has so many bytes that the event loop must not read it. */
export function isLongOutput(
  read: ReadHandle,
  { seq, input_count, response }: Ended,
  { heavyAnswerBytes, jobOutputBytes }: OutputLimits,
): boolean {
  const wanted = response === 'first' ? Math.min(1, input_count) : input_count;
  let bytes = 0;
  for (const { size } of read.query<{ size: number | null }>(SIZES).all(seq, 0, wanted)) bytes += size ?? 0;
  // One that is too large is told of by its size alone.
  return bytes >= heavyAnswerBytes && bytes <= jobOutputBytes;
}

/** `list`: an array, one output for each input; `first`: the first alone. */
export function responseText(response: 'list' | 'first', texts: readonly string[]): string {
  return response === 'first' ? (texts[0] ?? 'null') : `[${texts.join(',')}]`;
}

/** What a job came to, from its row. */
export function jobResult(read: ReadHandle, row: JobRow, limits: OutputLimits): JobResult {
  if (endedWell(row) && isLongOutput(read, row, limits))
    return { ...resultFromRow(row, () => 'null'), outputText: null, outputApart: true };
  return resultFromRow(row, () => jobOutputText(read, row, limits.jobOutputBytes));
}

/** The same where what is damaged is told as the failure of the job: for who goes on with it. */
export const jobResultOrDamage = (read: ReadHandle, row: JobRow): JobResult =>
  resultFromRow(row, () => jobOutputText(read, row), true);

/** The same for a job that may have very many replicas. */
export async function jobResultInSlices(read: ReadHandle, row: JobRow, most: number): Promise<JobResult> {
  if (!endedWell(row)) return resultFromRow(row, () => '');
  try {
    const text = await jobOutputTextInSlices(read, row, most);
    return resultFromRow(row, () => text);
  } catch (error) {
    return resultFromRow(row, () => {
      throw error;
    });
  }
}

// Every end but that of collected items notes a failure.
const endedWell = (row: Pick<JobRow, 'finished_at' | 'failure_task'>): boolean =>
  row.finished_at !== null && row.failure_task === null;

function resultFromRow(row: JobRow, text: () => string, toldDamage = false): JobResult {
  const outcome = { jobId: row.id, status: row.status, finishedAt: row.finished_at };
  return endedWell(row)
    ? { ...outcome, ...outputOrFailure(text, toldDamage) }
    : { ...outcome, outputText: null, failure: jobFailure(row) };
}

function outputOrFailure(text: () => string, toldDamage: boolean): Pick<JobResult, 'outputText' | 'failure'> {
  try {
    return { outputText: text(), failure: null };
  } catch (error) {
    const damaged = toldDamage && error instanceof Fault && error.code === 'DATA_DAMAGED';
    if (!damaged && !(error instanceof OutputTooLarge)) throw error;
    return {
      outputText: null,
      failure: {
        taskId: '',
        node: '',
        taskCode: damaged ? 'DATA_DAMAGED' : 'OUTPUT_TOO_LARGE',
        taskMessage: error.message,
      },
    };
  }
}

/** The same from its record, with the output of a single replica at hand. */
export function currentJobResult(
  read: ReadHandle,
  job: JobRecord,
  single: string | undefined,
  limits: OutputLimits,
): JobResult {
  const outcome = { jobId: job.id, status: jobStatus(job.facts), finishedAt: job.facts.finishedAt };
  if (job.facts.finishedAt === null || job.failure !== null)
    return { ...outcome, outputText: null, failure: job.failure };
  const { response } = job.plan;
  const ended = { seq: job.seq, input_count: job.inputCount, response };
  if (single === undefined && isLongOutput(read, ended, limits))
    return { ...outcome, outputText: null, outputApart: true, failure: null };
  return {
    ...outcome,
    ...outputOrFailure(
      () =>
        single === undefined
          ? jobOutputText(read, ended, limits.jobOutputBytes)
          : responseText(response, [whole(single)]),
      true,
    ),
  };
}

/** `{output, error}` of a job. */
export function outputAndErrorText(outcome: JobResult): string {
  return `{"output":${outcome.outputText ?? 'null'},"error":${failureText(outcome.failure)}}`;
}

/** What the status URL of an event call answers. */
export function eventStatusText({ jobId, status, finishedAt, outputText, failure }: JobResult): string {
  return `{"jobId":${JSON.stringify(jobId)},"status":"${status}","finishedAt":${JSON.stringify(isoOrNull(finishedAt))},"output":${outputText ?? 'null'},"error":${failureText(failure)}}`;
}

const failureText = (failure: JobFailure | null): string => (failure === null ? 'null' : JSON.stringify(failure));
