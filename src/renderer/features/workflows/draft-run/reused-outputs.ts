import type { Definition } from '../../../../contract/definition.ts';
import type { DraftNode, DraftRun } from '../../../../contract/drafts.ts';
import { parseJson } from '../../../../lib/json.ts';
import { t } from '../../../../lib/language.ts';

/** True for a payload that came cut; a text that really ends so is read once more for nothing. */
export const isCut = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 250 && value.endsWith('…');

/** A node and all that follow it. */
function nodesAfter({ edges }: Definition, from: string): ReadonlySet<string> {
  const after = new Set([from]);
  for (const id of after) for (const edge of edges) if (edge.from === id) after.add(edge.to);
  return after;
}

/**
 * Outputs of an earlier run that stand in for the nodes which do not depend on `from`, so that a run begins there.
 * `readOutput`: JSON text of a whole output, where it came cut. Throws where an output is not to be had.
 */
export async function reusedOutputs(
  definition: Definition,
  run: DraftRun,
  from: string,
  readOutput: (taskId: string) => Promise<string>,
): Promise<Record<string, unknown>> {
  const after = nodesAfter(definition, from);
  const reused: [string, unknown][] = [];
  for (const { id, type } of definition.nodes) {
    if (type === 'input' || type === 'output' || after.has(id)) continue;
    const ran = run.nodes.find(({ node }) => node === id);
    // What was not reached lies behind a branch that is not taken this time either.
    if (ran?.state === 'COMPLETED') reused.push([id, await outputOf(ran, readOutput)]);
  }
  return Object.fromEntries(reused);
}

async function outputOf(ran: DraftNode, readOutput: (taskId: string) => Promise<string>): Promise<unknown> {
  // A condition hands on what it was given: only its branch is set.
  if (ran.port === 'true' || ran.port === 'false') return ran.port === 'true';
  if (ran.items) {
    const list = Array.isArray(ran.output) ? ran.output : [];
    if (list.length < ran.items.total || list.some(isCut))
      throw new Error(
        t('The output of {node} is too large to be reused: run the whole draft instead.', { node: ran.node }),
      );
    return list;
  }
  return isCut(ran.output) ? parseJson(await readOutput(ran.taskId)) : ran.output;
}
