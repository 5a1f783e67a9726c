import { type ReactNode, useMemo } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import { layoutGraph, type PlacedNode } from '../../../ui/graph/layout.ts';
import { nodeStyle } from '../node-styles.ts';
import css from './Gallery.module.css';

const BOX = { width: 26, height: 22 };
const GAPS = { columnGap: 14, rowGap: 8 };
const ICON = 14;
/** Around it, for the lines of the boxes. */
const EDGE = 1;

/** The graph of a definition in small: what kind its nodes are and how they are connected. Its words are beside it. */
export function TemplatePreview({ nodes, edges }: Pick<Definition, 'nodes' | 'edges'>): ReactNode {
  const layout = useMemo(
    () =>
      layoutGraph(
        nodes.map(({ id }) => ({ id, ...BOX })),
        edges,
        GAPS,
      ),
    [nodes, edges],
  );
  return (
    <svg
      className={css['preview']}
      width={layout.width + 2 * EDGE}
      height={layout.height + 2 * EDGE}
      viewBox={`${-EDGE} ${-EDGE} ${layout.width + 2 * EDGE} ${layout.height + 2 * EDGE}`}
      aria-hidden="true"
    >
      {edges.map(({ from, to, port }) => (
        <path key={`${from} ${to} ${port ?? ''}`} d={curve(layout.nodes.get(from), layout.nodes.get(to))} />
      ))}
      {nodes.map(({ id, type }) => {
        const placed = layout.nodes.get(id);
        const { icon: Icon, kind } = nodeStyle(type);
        return (
          placed && (
            <g key={id} data-kind={kind} className={css['node']}>
              <rect x={placed.x} y={placed.y} width={BOX.width} height={BOX.height} rx="5" />
              <Icon
                x={placed.x + (BOX.width - ICON) / 2}
                y={placed.y + (BOX.height - ICON) / 2}
                size={ICON}
                stroke={1.8}
              />
            </g>
          )
        );
      })}
    </svg>
  );
}

/** From the right of one node to the left of the other. */
function curve(from: PlacedNode | undefined, to: PlacedNode | undefined): string {
  if (!from || !to) return '';
  const [x, y] = [from.x + BOX.width, from.y + BOX.height / 2];
  const [left, middle] = [to.x, to.y + BOX.height / 2];
  const half = (left - x) / 2;
  return `M${x},${y} C${x + half},${y} ${left - half},${middle} ${left},${middle}`;
}
