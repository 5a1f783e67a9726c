import { Text } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { GraphView } from '../graph/GraphView.tsx';
import { type DraftGraph, type DraftNode } from '../workflow-text/draft-graph.ts';
import { NodeBox } from './NodeBox.tsx';

const WIDTH = 168;
const HEIGHT = 46;

/** The graph of a draft, as far as it can be read. A click on a node leads to its place in the text. */
export function DraftPreview({ graph, faulty, onOpen }: { graph: DraftGraph; faulty: ReadonlySet<number>; onOpen: (node: DraftNode) => void }): ReactNode {
  const signature = JSON.stringify(graph);
  // Most key presses change no node and no edge; the drawing then stays as it is.
  const [nodes, edges] = useMemo(() => {
    const same = JSON.parse(signature) as DraftGraph;
    return [same.nodes.map((node) => ({ ...node, width: WIDTH, height: HEIGHT })), same.edges] as const;
  }, [signature]);
  if (nodes.length === 0) {
    return (
      <Text size="sm" c="dimmed" p="md">
        The graph is drawn here as soon as there is a node.
      </Text>
    );
  }
  return (
    <GraphView
      label="Graph of this draft"
      nodes={nodes}
      edges={edges}
      direction="down"
      nodeLabel={(node) => `${node.name}, ${node.type || 'no type'}${faulty.has(node.index) ? ', with a fault' : ''}`}
      renderNode={(node) => <NodeBox type={node.type} name={node.name} faulty={faulty.has(node.index)} />}
      onOpen={onOpen}
    />
  );
}
