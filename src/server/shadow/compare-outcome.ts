import type { WorkflowNode } from '../../contract/definition.ts';
import type { ReplayResult } from '../../contract/replay.ts';
import { type ShadowVerdict } from '../../contract/vocabulary.ts';
import { OUTSIDE_TYPES } from '../../contract/node-types.ts';
import type { ResultSummary } from './rows.ts';

/** Ends that say nothing about the workflow: another run of the same commit may well end otherwise. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set([
  'KILLED',
  'WORKER_LOST',
  'REPLICA_TIMEOUT',
  'SCHEDULE_TIMEOUT',
  'RUN_TIMEOUT',
]);

export interface OutcomeComparison {
  readonly verdict: ShadowVerdict;
  readonly patterns: readonly string[];
  readonly complete: boolean;
  readonly facts: Omit<ResultSummary, 'cut'>;
  /** JSON texts; `before` is null where it is the same as `after`. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What a replay says about the candidate. */
export function compareOutcome(answer: ReplayResult): OutcomeComparison {
  const { recorded, output, failure, missing, assumptions, differences } = answer;
  const facts = {
    reason: null,
    differences: differences.items,
    total: differences.total,
    assumptions,
    msBefore: rounded(answer.recordedMs),
    msAfter: rounded(answer.ms),
    errorBefore: recorded.failure,
    errorAfter: failure,
  };
  const of = (verdict: ShadowVerdict): OutcomeComparison => ({
    verdict,
    patterns: differences.patterns,
    complete: differences.complete,
    facts,
    before: recorded.output,
    after: output,
  });
  if (recorded.failure && FROM_OUTSIDE.has(recorded.failure.code))
    return unknown(
      'ENDED_FROM_OUTSIDE',
      `the job ended with ${recorded.failure.code}, which is not a result of the workflow: nothing to compare with`,
    );
  if (missing) return unknown('NOT_RECORDED', missing.message);
  if (!recorded.failure && failure) return of('failing');
  if (recorded.failure && !failure) return of('mended');
  if (recorded.failure && failure)
    return of(recorded.failure.node === failure.node && recorded.failure.code === failure.code ? 'same' : 'different');
  return of(differences.total === 0 ? 'same' : 'different');
}

/** An input that could not be run. */
export const unknown = (code: string, message: string): OutcomeComparison => ({
  verdict: 'unknown',
  patterns: [],
  complete: true,
  before: null,
  after: null,
  facts: {
    reason: { code, message },
    differences: [],
    total: 0,
    assumptions: [],
    msBefore: null,
    msAfter: null,
    errorBefore: null,
    errorAfter: null,
  },
});

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms * 10) / 10);

const innerType = (node: WorkflowNode): string | null =>
  node.type === 'forEach' ? String((node.config?.['node'] as { type?: unknown } | undefined)?.type) : null;

/** Lists whose items reach outside. */
export const externalForeachNodes = (nodes: readonly WorkflowNode[]): string[] =>
  nodes.filter((node) => OUTSIDE_TYPES.has(innerType(node) ?? '')).map(({ id }) => id);

/** Configurations of what reaches outside, as JSON texts by node. */
export const externalNodeConfigs = (nodes: readonly WorkflowNode[]): Record<string, string> =>
  Object.fromEntries(
    nodes
      .filter((node) => OUTSIDE_TYPES.has(node.type) || OUTSIDE_TYPES.has(innerType(node) ?? ''))
      .map((node) => [node.id, JSON.stringify(node.config ?? {})]),
  );
