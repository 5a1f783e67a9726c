import type { Definition } from '../../../../contract/definition.ts';
import type { DraftRun } from '../../../../contract/drafts.ts';

/** What a node is given, as far as the last draft run and the example input tell. `known: false`: run the draft to learn it. */
export type NodeInput =
  | { readonly known: true; readonly value: unknown; readonly from: 'run' | 'sample' }
  | { readonly known: false };

const UNKNOWN: NodeInput = { known: false };

/** By the rules of the contract: one predecessor hands on its output, several give an object keyed by those that ran, or with `join: "value"` the one that ran. */
export function nodeInput(
  definition: Definition,
  nodeId: string,
  run: DraftRun | null,
  sample: { readonly value: unknown } | null,
): NodeInput {
  const node = definition.nodes.find(({ id }) => id === nodeId);
  if (!node) return UNKNOWN;
  if (node.type === 'input') return sample ? { known: true, value: sample.value, from: 'sample' } : UNKNOWN;
  const edges = definition.edges.filter(({ to }) => to === nodeId);
  const outputs = edges.flatMap(({ from, port }) => {
    const output = outputOf(definition, from, run, sample, port);
    return output ? [{ from, ...output }] : [];
  });
  const [first] = outputs;
  if (first && edges.length === 1) return { known: true, value: first.value, from: first.source };
  if (first && node.join === 'value') return { known: true, value: first.value, from: first.source };
  if (first)
    return { known: true, value: Object.fromEntries(outputs.map(({ from, value }) => [from, value])), from: 'run' };
  // Edges may have changed since: what it was given then is still better than nothing.
  const before = run?.nodes.find((one) => one.node === nodeId);
  return before ? { known: true, value: before.input, from: 'run' } : UNKNOWN;
}

function outputOf(
  definition: Definition,
  id: string,
  run: DraftRun | null,
  sample: { readonly value: unknown } | null,
  port: string | undefined,
): { value: unknown; source: 'run' | 'sample' } | null {
  if (definition.nodes.find((node) => node.id === id)?.type === 'input')
    return sample && { value: sample.value, source: 'sample' };
  const ran = run?.nodes.find((node) => node.node === id);
  if (!ran || ran.state !== 'COMPLETED' || (port !== undefined && ran.port !== null && ran.port !== port)) return null;
  return { value: ran.output, source: 'run' };
}
