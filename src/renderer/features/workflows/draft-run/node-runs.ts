import type { Definition } from '../../../../contract/definition.ts';
import type { DraftNode, DraftRun } from '../../../../contract/drafts.ts';
import { t } from '../../../../lib/language.ts';
import type { EdgeRun } from '../canvas/flow.ts';
import { edgeKey } from '../definition/edits.ts';
import { formatDuration } from '../../../ui/Duration.tsx';

/** What the canvas shows of a node that a draft run came to. */
export interface NodeRun {
  readonly state: 'done' | 'failed' | 'skipped' | 'running';
  readonly text: string;
}

/** Of each edge, by its key: `taken` by the run, which goes on beyond it now (`active`), or passed it by (`missed`). Edges that it may yet take are left out. */
export function edgeRuns(
  definition: Definition,
  run: DraftRun | null,
  upTo: string | null,
): ReadonlyMap<string, EdgeRun> | null {
  if (!run) return null;
  const nodes = new Map(run.nodes.map((node) => [node.node, node]));
  const types = new Map(definition.nodes.map(({ id, type }) => [id, type]));
  const isOver = run.finishedAt !== null && run.error === null && upTo === null;
  const runs = new Map<string, EdgeRun>();
  for (const edge of definition.edges) {
    const [from, to] = [nodes.get(edge.from), nodes.get(edge.to)];
    const isDone = types.get(edge.from) === 'input' || from?.state === 'COMPLETED';
    const left = isDone && (edge.port ?? null) === (from?.port ?? null);
    // The output node makes no task: it is reached with the end of the run.
    const reached = to !== undefined || (types.get(edge.to) === 'output' && isOver);
    if (left && reached) runs.set(edgeKey(edge), to && !isEnded(to) ? 'active' : 'taken');
    else if (isOver || (isDone && !left)) runs.set(edgeKey(edge), 'missed');
  }
  return runs;
}

const isEnded = ({ state, error }: DraftNode): boolean =>
  error !== null || state === 'COMPLETED' || state === 'FAILED' || state.endsWith('TIMEOUT');

const SHOWN = 60;

/** Of each node, for the canvas. Nodes that an ended run did not reach are skipped; before its end nothing is known of them. */
export function nodeRuns(
  definition: Definition,
  run: DraftRun | null,
  upTo: string | null,
): ReadonlyMap<string, NodeRun> | null {
  if (!run) return null;
  const runs = new Map<string, NodeRun>();
  const failed = run.error !== null;
  for (const { id, type } of definition.nodes) {
    const found = run.nodes.find((node) => node.node === id);
    if (found) runs.set(id, ofNode(found));
    else if (type === 'output' && upTo === null && run.finishedAt !== null && !failed)
      runs.set(id, { state: 'done', text: preview(run.output) });
    else if (type !== 'input' && type !== 'output' && run.finishedAt !== null && upTo === null && !failed)
      runs.set(id, { state: 'skipped', text: t('not reached') });
  }
  return runs;
}

function ofNode({ state, ms, output, error, items, port, standIn }: DraftNode): NodeRun {
  if (error) return { state: 'failed', text: error.message };
  if (state === 'FAILED' || state === 'RUN_TIMEOUT' || state === 'SCHEDULE_TIMEOUT')
    return { state: 'failed', text: state };
  if (state !== 'COMPLETED') return { state: 'running', text: items ? `${items.done} / ${items.total}` : t('running') };
  const parts = [
    ms === null || ms < 1 ? '' : formatDuration(ms),
    port === null ? '' : `→ ${port}`,
    standIn ? t('mock') : '',
    items ? `× ${items.total}` : '',
    preview(output),
  ];
  return { state: 'done', text: parts.filter((part) => part !== '').join(' · ') };
}

/** One line of a value. */
export function preview(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
  const line = text.slice(0, SHOWN * 2).replaceAll(/\s+/g, ' ');
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
