import type { RecordedEnd, Recording, ReplayResult, ReplayRequest } from '../../contract/replay.ts';
import { OUTSIDE_TYPES } from '../../contract/node-types.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { parseJson } from '../../lib/json.ts';
import type { WalkDeps } from './walk-graph.ts';

/** Why recorded answers may not fit, at most so many lines. */
const ASSUMPTIONS = 20;

/** Answers from a recording, and the notes about those that were given to another question. */
export function createRecordedAnswers(
  recording: Recording,
  { definition, configs }: Pick<ReplayRequest, 'definition' | 'configs'>,
): { answer: WalkDeps['answer']; assumptions: ReplayResult['assumptions'] } {
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  const items = new Map(
    Object.entries(recording.items).map(([node, ends]) => [node, new Map(ends.map((end) => [end.item, end]))]),
  );
  const notes = new Map<string, string>();
  const assume = (node: string, message: string) => {
    if (notes.size < ASSUMPTIONS && !notes.has(node)) notes.set(node, message);
  };

  function found(node: string, type: string, item: number | null): RecordedEnd | undefined {
    if (item !== null) return items.get(node)?.get(item);
    const known = Object.hasOwn(recording.nodes, node) ? recording.nodes[node] : undefined;
    return known?.type === type ? known : undefined;
  }

  return {
    get assumptions() {
      return [...notes].map(([node, message]) => ({ node, message }));
    },
    answer({ node, type, item, input }) {
      if (!OUTSIDE_TYPES.has(type)) return null;
      const end = found(node, type, item);
      const which = item === null ? `the node ${node} (${type})` : `item ${item} of ${node} (${type})`;
      if (!end) return { missing: `${which} makes an external call, and the recorded run has no result for it` };
      if (end.error === null && end.output === null) return { missing: `${which} did not finish in the recorded run` };
      const config = JSON.stringify(nodes.get(node)?.config ?? {});
      if (configs[node] !== undefined && !sameJson(configs[node], config))
        assume(node, `its configuration has changed; the recorded output of the earlier configuration was used`);
      else if (!sameJson(end.input, input))
        assume(node, `its input differs from the recorded input; the recorded output was used anyway`);
      return end.error ? { error: end.error } : { output: end.output ?? 'null' };
    },
  };
}

const sameJson = (a: string, b: string): boolean =>
  a === b || canonicalJson(parseJson(a)) === canonicalJson(parseJson(b));
