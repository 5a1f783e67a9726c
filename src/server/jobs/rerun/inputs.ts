import { setImmediate as nextTurn } from 'node:timers/promises';
import { Fault } from '../../../lib/fault.ts';
import { parseJson } from '../../../lib/json.ts';
import { jsonTextOf, packTexts, type PackedInputs } from '../../../lib/packed.ts';
import type { ReadHandle } from '../../store/port.ts';
import { outputTextOf } from '../outcome.ts';
import type { Plan } from '../plan.ts';
import type { JobRow } from '../rows.ts';
import { finishedNodes, reuseOf } from './reuse.ts';
import * as sql from './sql.ts';

/** Replicas that one turn of the event loop looks at. */
const SLICE = 100;

/** The inputs of a job, or (with `node`) what that node was given, one JSON text for each replica. Throws VALIDATION_FAILED where one is not known. */
export async function inputsOf(read: ReadHandle, job: JobRow, plan: Plan, node: string | null): Promise<PackedInputs> {
  const texts: string[] = [];
  if (node === null && plan.first.length === 0) return packTexts(handedOn(read, job));
  await eachReplica(job, (replica) => {
    const text = (node === null ? plan.first : [node]).map((id) => given(read, job.seq, replica, id)).find((known) => known !== undefined);
    if (text === undefined)
      throw node === null
        ? unknown('/inputs', `the input of replica ${replica} is not known: give inputs`)
        : unknown('/inputs', `the node ${node} was not reached in replica ${replica}, so it has no input to begin with: give inputs, one for each replica`);
    texts.push(text);
  });
  return packTexts(texts);
}

/** Throws VALIDATION_FAILED where a node before `from` has not finished in some replica: it would have to run first. */
export async function checkBefore(read: ReadHandle, job: JobRow, plan: Plan, from: string): Promise<void> {
  await eachReplica(job, (replica) => {
    const { missing } = reuseOf(plan.graph, finishedNodes(read, job.seq, replica), from);
    if (missing !== null) throw unknown('/fromNode', `the node ${missing}, on which ${from} depends, has not finished in replica ${replica}: begin with that, or run the whole job again`);
  });
}

async function eachReplica(job: JobRow, look: (replica: number) => void): Promise<void> {
  for (let replica = 0; replica < job.input_count; replica++) {
    if (replica > 0 && replica % SLICE === 0) await nextTurn();
    look(replica);
  }
}

function given(read: ReadHandle, job: number, replica: number, node: string): string | undefined {
  return (read.query<{ text: string }>(sql.INPUT_OF_NODE).get(job, replica, node) ?? read.query<{ text: string }>(sql.INPUT_OF_FAN).get(job, replica, node))?.text;
}

/** Where nothing stands between input and output, the one is the other. */
function handedOn(read: ReadHandle, job: JobRow): string[] {
  if (job.input_count === 0) return [];
  return (parseJson(outputTextOf(read, { ...job, response: 'list' }, Number.POSITIVE_INFINITY)) as unknown[]).map(jsonTextOf);
}

const unknown = (pointer: string, message: string): Fault => new Fault('VALIDATION_FAILED', message, { errors: [{ pointer, message }] });
