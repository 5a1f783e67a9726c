import type { WorkflowEdge } from '../../../../contract/definition.ts';
import type { CanvasSelection } from './builder.ts';
import { edgeFromFlowId } from './flow.ts';

/** The nodes among what is chosen: notes and frames have a slash in their id. */
export const selectedNodes = ({ flowIds }: CanvasSelection): ReadonlySet<string> =>
  new Set(flowIds.filter((id) => !id.includes('/')));

/** The node that is chosen alone, of nodes. */
export function oneNode(chosen: CanvasSelection): string | null {
  const [first, ...more] = selectedNodes(chosen);
  return first !== undefined && more.length === 0 ? first : null;
}

/** The edge that is chosen alone. */
export function oneEdge({ flowIds, edges: [first, ...more] }: CanvasSelection): WorkflowEdge | null {
  return first !== undefined && more.length === 0 && flowIds.length === 0 ? edgeFromFlowId(first) : null;
}

/** What a key pressed at `target` is for: the box or wire that has the focus, if it is none of those chosen; else what is chosen. Tab moves the focus and chooses nothing. */
export function keyTarget(target: EventTarget | null, chosen: CanvasSelection): CanvasSelection {
  if (!(target instanceof Element)) return chosen;
  const box = target.closest('.react-flow__node')?.getAttribute('data-id');
  if (box) return chosen.flowIds.includes(box) ? chosen : { flowIds: [box], edges: [] };
  const wire = target.closest('.react-flow__edge')?.getAttribute('data-id');
  if (wire) return chosen.edges.includes(wire) ? chosen : { flowIds: [], edges: [wire] };
  return chosen;
}

/**
 * Whether a key of the canvas is left to what has the focus: Enter presses a button, wherever that stands; the settings beside
 * the canvas and the outcome over it keep all of them, or Delete on a button there would take the node away.
 */
export const isHandledByFocus = (target: Pick<Element, 'closest'>, key: string): boolean =>
  target.closest('aside, [data-own-keys]') !== null ||
  (key === 'enter' && target.closest('button, a[href], summary') !== null);
