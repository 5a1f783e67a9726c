import type { useStoreApi } from '@xyflow/react';

/** All nodes have one size and known ways in and out: the canvas library need not measure them, which it would do with each that comes into sight. A note is as high as its text. */
export function measureNotesAlone(store: ReturnType<typeof useStoreApi>): void {
  const { updateNodeInternals } = store.getState();
  store.setState({
    updateNodeInternals: (updates) =>
      updateNodeInternals(
        new Map([...updates].filter(([, { nodeElement }]) => nodeElement.classList.contains('react-flow__node-note'))),
      ),
  });
}
