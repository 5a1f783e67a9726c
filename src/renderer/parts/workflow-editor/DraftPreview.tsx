import { Text } from '@mantine/core';
import { memo, type ReactNode, useCallback, useMemo } from 'react';
import { t } from '../../../lib/language.ts';
import { GraphView } from '../graph/GraphView.tsx';
import type { DraftGraph, DraftNode } from '../workflow-text/draft-graph.ts';
import { NodeBox } from './NodeBox.tsx';

const SIZE = { width: 168, height: 46 };

export interface DraftPreviewProps {
  readonly graph: DraftGraph;
  /** Places in the list of nodes, of those with a fault. */
  readonly faulty: ReadonlySet<number>;
  readonly onOpen: (node: DraftNode) => void;
}

/** The graph of a draft, as far as it can be read. A click on a node leads to its place in the text. */
export const DraftPreview = memo(function DraftPreview({ graph, faulty, onOpen }: DraftPreviewProps): ReactNode {
  const nodes = useMemo(() => graph.nodes.map((node) => ({ ...node, ...SIZE })), [graph]);
  const nameOf = useCallback((node: DraftNode) => `${node.name}, ${node.type || 'no type'}${faulty.has(node.index) ? ', with a fault' : ''}`, [faulty]);
  const draw = useCallback((node: DraftNode) => <NodeBox type={node.type} name={node.name} faulty={faulty.has(node.index)} />, [faulty]);
  if (nodes.length === 0) {
    return (
      <Text size="sm" c="dimmed" p="md">
        {t('The graph is drawn here as soon as there is a node.')}
      </Text>
    );
  }
  return <GraphView label={t('Graph of this draft')} nodes={nodes} edges={graph.edges} direction="down" nodeLabel={nameOf} renderNode={draw} onOpen={onOpen} />;
});
