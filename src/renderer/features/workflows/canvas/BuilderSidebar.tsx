import { memo, type ReactNode, useContext } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import type { After, Point } from '../definition/edits.ts';
import type { CanvasSelection } from './builder.ts';
import { BuilderContext } from './builder-context.ts';
import { positionAfterNode } from './connect-rules.ts';
import type { Faults } from './faults.ts';
import { Outline } from './Outline.tsx';
import { Palette, type PaletteTab } from './Palette.tsx';
import type { Panes } from './panes.ts';
import { oneNode } from './selection.ts';
import type { CanvasQuestion } from './use-canvas-dialog.ts';

export interface BuilderSidebarProps {
  readonly definition: Definition;
  readonly places: ReadonlyMap<string, Point>;
  readonly nodeFaults: Faults['nodes'];
  readonly selection: CanvasSelection;
  /** The nodes of the selection. */
  readonly chosenNodes: ReadonlySet<string>;
  readonly selectAndShow: (ids: readonly string[]) => void;
  /** Opens the form of a node. */
  readonly open: (nodeId: string) => void;
  readonly add: (type: string, after: After | null, at: Point | null) => string | undefined;
  readonly ask: (what: CanvasQuestion) => void;
  readonly find: () => void;
  readonly isOpen: boolean;
  readonly tab: PaletteTab;
  readonly setTab: (tab: PaletteTab) => void;
  readonly setPanes: (change: Partial<Panes>) => void;
}

/** Left of the canvas: the palette, and the outline as one of its tabs. Stays as it is while only places on the canvas are dragged. */
export const BuilderSidebar = memo(function BuilderSidebar({
  definition,
  places,
  nodeFaults,
  selection,
  chosenNodes,
  selectAndShow,
  open,
  add,
  ask,
  find,
  isOpen,
  tab,
  setTab,
  setPanes,
}: BuilderSidebarProps): ReactNode {
  const builder = useContext(BuilderContext);
  if (!builder) return null;
  const moveBy = (id: string, dx: number, dy: number) => {
    const place = places.get(id);
    if (place) builder.move(new Map([[id, { x: place.x + dx, y: place.y + dy }]]), true);
  };
  return (
    <Palette
      definition={definition}
      onAdd={(type) => add(type, positionAfterNode(definition, oneNode(selection), type), null)}
      outline={
        <Outline
          definition={definition}
          nodeFaults={nodeFaults}
          selected={chosenNodes}
          onSelect={selectAndShow}
          onOpen={open}
          onAddAfter={(from) => ask({ what: 'add', after: { from }, at: null })}
          onConnect={(from) => ask({ what: 'connect', from })}
          onRemove={(what) =>
            builder.remove('node' in what ? { flowIds: [what.node], edges: [] } : { flowIds: [], edges: [what.edge] })
          }
          onMove={moveBy}
        />
      }
      isOpen={isOpen}
      onFold={(palette) => setPanes({ palette })}
      tab={tab}
      onTab={setTab}
      onFind={find}
    />
  );
});
