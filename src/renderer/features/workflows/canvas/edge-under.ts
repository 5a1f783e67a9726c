import { edgeFromFlowId } from './flow.ts';
import type { WorkflowEdge } from '../../../../contract/definition.ts';
import type { Point } from '../definition/edits.ts';

/** The drawn edge at one of these places of the window, also below what is dragged over it; null: there is none. */
export function edgeUnder(spots: readonly Point[], host: Element | null): Element | null {
  for (const { x, y } of spots) {
    const edge = document
      .elementsFromPoint(x, y)
      .find((element) => element.closest('.react-flow__edge') !== null)
      ?.closest('.react-flow__edge');
    if (edge && host?.contains(edge)) return edge;
  }
  return null;
}

/** Shows the edge that a node would be put into, and that alone. */
export function highlightEdge(host: Element | null, edge: Element | null): void {
  for (const marked of host?.querySelectorAll('[data-into]') ?? [])
    if (marked !== edge) marked.removeAttribute('data-into');
  edge?.setAttribute('data-into', '');
}

export const drawnEdge = (edge: Element | null): WorkflowEdge | null => {
  const id = edge?.getAttribute('data-id');
  return id ? edgeFromFlowId(id) : null;
};
