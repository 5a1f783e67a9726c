import type { Definition } from '../../../../contract/definition.ts';
import type { TestReport } from '../../../../contract/workflow-tests.ts';
import { t } from '../../../../lib/language.ts';
import type { NodeRun } from '../canvas/flow.ts';
import { edgeKey } from '../definition/edits.ts';

/** What the cases reach, for the canvas. Of nodes and edges that are newer than the run nothing is known. */
export interface CanvasCoverage {
  readonly nodes: ReadonlyMap<string, NodeRun>;
  /** By key; true: a case takes it. */
  readonly edges: ReadonlyMap<string, boolean>;
}

export function canvasCoverage({ nodes }: Definition, { coverage }: TestReport): CanvasCoverage {
  const reached = new Set(coverage.nodes);
  const missed = new Set(coverage.missed);
  return {
    nodes: new Map(
      nodes.flatMap(({ id }): [string, NodeRun][] =>
        reached.has(id)
          ? [[id, { state: 'done', text: t('tested') }]]
          : missed.has(id)
            ? [[id, { state: 'missed', text: t('not tested') }]]
            : [],
      ),
    ),
    edges: new Map([
      ...(coverage.edges ?? []).map((edge) => [edgeKey(edge), true] as const),
      ...(coverage.missedEdges ?? []).map((edge) => [edgeKey(edge), false] as const),
    ]),
  };
}

/** `big → ask (true)`. */
export const edgeText = ({ from, to, port }: { from: string; to: string; port?: string }): string =>
  `${from} → ${to}${port === undefined ? '' : ` (${port})`}`;

/** How much of a workflow its cases reach, in words. */
export function coverageText({ coverage: { nodes, missed, edges, missedEdges } }: TestReport): string {
  const of = (some: readonly unknown[], others: readonly unknown[]) => ({
    some: some.length,
    all: some.length + others.length,
  });
  const ofNodes = t('{some} of {all} nodes', of(nodes, missed));
  return edges && missedEdges ? `${ofNodes}, ${t('{some} of {all} edges', of(edges, missedEdges))}` : ofNodes;
}
