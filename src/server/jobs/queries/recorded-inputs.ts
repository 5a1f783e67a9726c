import type { RecordedEnd, RecordedNode, Recording } from '../../../contract/trial.ts';
import { Fault } from '../../../lib/fault.ts';
import type { ReadHandle } from '../../store/port.ts';
import { jobOutputText } from '../lifecycle/job-result.ts';
import type { JobRow } from '../engine/rows.ts';
import { JOB_BY_ID } from '../engine/sql.ts';
import * as sql from './recorded-sql.ts';
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
    .query<{ id: string; commit_hash: string; input_count: number }>(sql.ENDED_JOBS)
    .iterate(workflowId, sql.LOOKED_AT, environment, from, to, statuses, statuses)) {
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
 * and SHADOW_TOO_LARGE where its texts have more than `most` characters.
 */
export function recordingText(
  read: ReadHandle,
  { jobId, replica }: Pick<RecordedInput, 'jobId' | 'replica'>,
  lists: readonly string[],
  most: number,
): Recording {
  const job = read.query<JobRow>(JOB_BY_ID).get(jobId);
  if (!job) throw new Fault('JOB_NOT_FOUND', `the job ${jobId} is gone`);
  let room = most;
  const take = (text: string | null): string | null => {
    room -= text?.length ?? 0;
    if (room < 0) throw new Fault('SHADOW_TOO_LARGE', `what was recorded of it has more than ${most} characters`);
    return text;
  };
  const nodes: Record<string, RecordedNode> = {};
  const items: Record<string, (RecordedEnd & { item: number })[]> = {};
  for (const row of read.query<Row>(sql.TASKS_OF_REPLICA).iterate(job.seq, replica, JSON.stringify(lists))) {
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
          .query<{ node: string; code: string | null; message: string | null }>(sql.FAILURE_OF_REPLICA)
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
    return read.query<{ text: string | null }>(sql.OUTPUT_OF_REPLICA).get(job.seq, replica)?.text ?? null;
  return job.failure_task === null
    ? jobOutputText(read, { ...job, response: 'first' }, Number.POSITIVE_INFINITY)
    : null;
}
