import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Fault, invalidAt } from '../../../lib/fault.ts';
import { parseJson } from '../../../lib/json.ts';
import { jsonTextOf, packTexts, unpackChunk, type PackedInputs } from '../../../lib/packed-inputs.ts';
import type { ReadHandle } from '../../store/port.ts';
import { damageMark, isWhole, whole } from '../../store/whole.ts';
import { jobOutputText } from '../lifecycle/job-result.ts';
import type { Plan } from '../engine/plan.ts';
import type { JobRow } from '../engine/rows.ts';
import { finishedNodes, planReuse } from './reuse.ts';
import * as sql from './sql.ts';

/** Replicas that one turn of the event loop looks at. */
const SLICE = 100;

/** The inputs of a job, or (with `node`) what that node was given, one JSON text for each replica. Throws VALIDATION_FAILED where one is not known, DATA_DAMAGED. */
export async function inputsOf(read: ReadHandle, job: JobRow, plan: Plan, node: string | null): Promise<PackedInputs> {
  return packTexts(
    await inputTexts(read, job, plan.first, node, (what) =>
      invalidAt('/inputs', `${what}: provide one input for each replica`),
    ),
  );
}

/** Which inputs are asked for: those of the job or of one of its nodes, of one replica or of all. */
export interface InputsRequest {
  readonly node: string | null;
  readonly replica: number | null;
}

/** Throws VALIDATION_FAILED for a node or a replica that the job does not have. */
export function validateInputsRequest(job: JobRow, plan: Plan, { node, replica }: InputsRequest): void {
  if (node !== null && !plan.nodes.has(node))
    throw invalidAt('/node', `no node ${node} that creates tasks found in commit ${job.commit_hash}`);
  if (replica !== null && replica >= job.input_count)
    throw invalidAt('/replica', `the job has ${job.input_count} inputs; replicas are numbered from 0`);
}

/** JSON text of what a job (or one of its nodes) was given: of one replica, or the list of all. Throws VALIDATION_FAILED where it is not known. */
export async function inputText(read: ReadHandle, job: JobRow, plan: Plan, which: InputsRequest): Promise<string> {
  validateInputsRequest(job, plan, which);
  return checkedInputText(read, job, plan.first, which);
}

/** The same for what was checked; `first`: the nodes that the job begins with. */
export async function checkedInputText(
  read: ReadHandle,
  job: JobRow,
  first: readonly string[],
  { node, replica }: InputsRequest,
): Promise<string> {
  const texts = await inputTexts(
    read,
    job,
    first,
    node,
    (what) => invalidAt(node === null ? '/replica' : '/node', what),
    replica,
  );
  return replica === null ? `[${texts.join(',')}]` : (texts[0] ?? 'null');
}

async function inputTexts(
  read: ReadHandle,
  job: JobRow,
  first: readonly string[],
  node: string | null,
  missing: (what: string) => Fault,
  only: number | null = null,
): Promise<string[]> {
  if (node === null && first.length === 0)
    return only === null ? handedOn(read, job) : handedOn(read, job).slice(only, only + 1);
  const texts: string[] = [];
  const nodes = node === null ? first : [node];
  const pending = node === job.rerun_node ? pendingInputs(read, job.seq) : () => undefined;
  const look = (replica: number) => {
    let text: string | undefined;
    for (const id of nodes) if ((text ??= given(read, job.seq, replica, id)) !== undefined) break;
    text ??= pending(replica);
    if (text === undefined)
      throw missing(
        node === null
          ? `the input of replica ${replica} is no longer stored`
          : `node ${node} did not run in replica ${replica}, so it has no input`,
      );
    texts.push(whole(text));
  };
  if (only === null) await eachReplica(job, look);
  else look(only);
  return texts;
}

/** Inputs that no task was made of yet. What a rerun was given is given to the node that it begins with. */
function pendingInputs(read: ReadHandle, job: number): (replica: number) => string | undefined {
  let first = 0;
  let texts: readonly string[] = [];
  return (replica) => {
    if (replica < first || replica >= first + texts.length) {
      const row = read
        .query<{ replica: number; texts: Uint8Array; sum: number | null }>(sql.PENDING_INPUTS)
        .get(job, replica);
      if (!row) return undefined;
      if (!isWhole(row.texts, row.sum)) return damageMark(`input of replica ${replica}`);
      first = row.replica;
      texts = unpackChunk(row);
    }
    return texts[replica - first];
  };
}

/** Throws VALIDATION_FAILED where a node before `from` has not finished in some replica: it would have to run first. */
export async function checkEarlierNodesFinished(
  read: ReadHandle,
  job: JobRow,
  plan: Plan,
  from: string,
): Promise<void> {
  await eachReplica(job, (replica) => {
    const { missing } = planReuse(plan.graph, finishedNodes(read, job.seq, replica), from);
    if (missing !== null)
      throw invalidAt(
        '/fromNode',
        `node ${missing}, which ${from} depends on, has not finished in replica ${replica}: rerun from ${missing}, or rerun the whole job`,
      );
  });
}

async function eachReplica(job: JobRow, look: (replica: number) => void): Promise<void> {
  for (let replica = 0; replica < job.input_count; replica++) {
    if (replica > 0 && replica % SLICE === 0) await nextTurn();
    look(replica);
  }
}

function given(read: ReadHandle, job: number, replica: number, node: string): string | undefined {
  return (
    read.query<{ text: string }>(sql.INPUT_OF_NODE).get(job, replica, node) ??
    read.query<{ text: string }>(sql.INPUT_OF_FOREACH).get(job, replica, node)
  )?.text;
}

/** Where nothing stands between input and output, the one is the other. */
function handedOn(read: ReadHandle, job: JobRow): string[] {
  if (job.input_count === 0) return [];
  return parseJson<unknown[]>(jobOutputText(read, { ...job, response: 'list' }, Number.POSITIVE_INFINITY)).map(
    jsonTextOf,
  );
}
