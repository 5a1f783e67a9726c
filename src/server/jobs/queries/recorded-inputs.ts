import type { RecordedEnd, RecordedNode, Recording } from '../../../contract/replay.ts';
import { Fault } from '../../../lib/fault.ts';
import type { ReadHandle } from '../../store/port.ts';
import { textOf, textOrOutputOf, whole } from '../../store/whole.ts';
import { jobOutputText } from '../lifecycle/job-result.ts';
import type { JobRow } from '../engine/rows.ts';
import { JOB_BY_ID } from '../engine/sql.ts';
import type { RecordedInput, RecordedQuery } from './port.ts';

/** The inputs that an environment was given last, those of the newest job first. Jobs that were killed or begun at a node are left out. */
export function recordedInputs(
  read: ReadHandle,
  { workflowId, environment, count, where }: RecordedQuery,
): RecordedInput[] {
  const from = where.createdFrom === undefined ? 0 : Date.parse(where.createdFrom);
  const to = where.createdTo === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(where.createdTo);
  const statuses = where.status && where.status.length > 0 ? JSON.stringify(where.status) : null;
  const inputs: RecordedInput[] = [];
  for (const job of read
    .query<{ id: string; commit_hash: string; input_count: number }>(ENDED_JOBS)
    .iterate(workflowId, JOBS_SCANNED, environment, from, to, statuses, statuses)) {
    for (let replica = 0; replica < job.input_count && inputs.length < count; replica++)
      inputs.push({ jobId: job.id, replica, commit: job.commit_hash });
    if (inputs.length >= count) break;
  }
  return inputs;
}

interface Row {
  node: string;
  type: string;
  item: number | null;
  state: string;
  input: string;
  output: string | null;
  error_code: string | null;
  error_message: string | null;
  started_at: number | null;
  finished_at: number | null;
}

/**
 * What one replica of a job came to, node by node. `lists`: nodes of which the items are wanted. Throws JOB_NOT_FOUND,
 * DATA_DAMAGED, and RECORDING_TOO_LARGE where its texts have more than `most` characters.
 */
export function recordingText(
  read: ReadHandle,
  { jobId, replica }: Pick<RecordedInput, 'jobId' | 'replica'>,
  lists: readonly string[],
  most: number,
): Recording {
  const job = read.query<JobRow>(JOB_BY_ID).get(jobId);
  if (!job) throw new Fault('JOB_NOT_FOUND', `job ${jobId} no longer exists`);
  let room = most;
  const take = (text: string | null): string | null => {
    whole(text);
    room -= text?.length ?? 0;
    if (room < 0) throw new Fault('RECORDING_TOO_LARGE', `the recorded data of this input exceeds ${most} characters`);
    return text;
  };
  const nodes: Record<string, RecordedNode> = {};
  const items: Record<string, (RecordedEnd & { item: number })[]> = {};
  for (const row of read.query<Row>(TASKS_OF_REPLICA).iterate(job.seq, replica, JSON.stringify(lists))) {
    const end = {
      input: take(row.input) ?? 'null',
      output: row.state === 'COMPLETED' ? (take(row.output) ?? 'null') : null,
      error:
        row.state === 'COMPLETED' || row.error_code === null
          ? null
          : { code: row.error_code, message: row.error_message ?? '' },
    };
    if (row.item !== null) (items[row.node] ??= []).push({ ...end, item: row.item });
    else
      nodes[row.node] = {
        ...end,
        type: row.type,
        ms: row.started_at === null || row.finished_at === null ? null : row.finished_at - row.started_at,
      };
  }
  const output = take(outputOf(read, job, replica));
  const failed =
    output === null
      ? read
          .query<{ node: string; code: string | null; message: string | null }>(FAILURE_OF_REPLICA)
          .get(job.seq, replica)
      : undefined;
  return {
    output,
    failure: failed ? { node: failed.node, code: failed.code ?? '', message: failed.message ?? '' } : null,
    nodes,
    items,
  };
}

/** The output of one replica; null where it did not come to one. */
function outputOf(read: ReadHandle, job: JobRow, replica: number): string | null {
  if (job.input_count > 1)
    return read.query<{ text: string | null }>(OUTPUT_OF_REPLICA).get(job.seq, replica)?.text ?? null;
  return job.failure_task === null
    ? jobOutputText(read, { ...job, response: 'first' }, Number.POSITIVE_INFINITY)
    : null;
}

/** Statements about jobs that have ended, for who runs them again elsewhere. */

/** The newest jobs of a workflow that are looked at; those of the wanted environment are among them. */
export const JOBS_SCANNED = 200_000;

export const ENDED_JOBS = `
  SELECT id, commit_hash, input_count FROM (SELECT * FROM job WHERE workflow_id = ? ORDER BY seq DESC LIMIT ?)
  WHERE environment = ? AND kind IN ('event', 'batch') AND finished_at IS NOT NULL AND killed_at IS NULL AND rerun_node IS NULL AND input_count > 0
    AND created_at >= ? AND created_at <= ? AND (? IS NULL OR status IN (SELECT value FROM json_each(?)))`;

const INPUT = `coalesce(${textOrOutputOf('t', 'input', { payload: 'ip', task: 'b', taskPayload: 'bp' }, { what: 'input of task', id: 't.id' })}, 'null')`;

export const TASKS_OF_REPLICA = `
  SELECT t.node, t.type, t.item, t.state, ${INPUT} AS input, ${textOf('t', 'output', 'op', { what: 'output of task', id: 't.id' })} AS output, t.error_code, t.error_message, t.started_at, t.finished_at
  FROM task t LEFT JOIN payload ip ON ip.id = t.input_payload LEFT JOIN task b ON b.seq = t.input_task LEFT JOIN payload bp ON bp.id = b.output_payload
  LEFT JOIN payload op ON op.id = t.output_payload
  WHERE t.job = ? AND t.replica = ? AND (t.item IS NULL OR t.node IN (SELECT value FROM json_each(?))) ORDER BY t.seq`;

export const OUTPUT_OF_REPLICA = `
  SELECT coalesce(${textOrOutputOf('r', 'output', { payload: 'p', task: 't', taskPayload: 'tp' }, { what: 'output of replica', id: 'r.replica' })}, 'null') AS text FROM replica r
  LEFT JOIN payload p ON p.id = r.output_payload LEFT JOIN task t ON t.seq = r.output_task LEFT JOIN payload tp ON tp.id = t.output_payload
  WHERE r.job = ? AND r.replica = ?`;

export const FAILURE_OF_REPLICA = `
  SELECT node, CASE state WHEN 'FAILED' THEN error_code ELSE state END AS code, error_message AS message FROM task
  WHERE job = ? AND replica = ? AND state IN ('FAILED', 'SCHEDULE_TIMEOUT', 'RUN_TIMEOUT') ORDER BY finished_at, seq LIMIT 1`;
