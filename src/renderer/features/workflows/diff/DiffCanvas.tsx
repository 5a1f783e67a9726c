import { Text } from '@mantine/core';
import { IconArrowsMove, IconMinus, IconPencil, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import type { CommitDiff } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { GraphView } from '../../../ui/graph/GraphView.tsx';
import type { LayoutEdge } from '../../../ui/graph/layout.ts';
import { NodeBox } from '../NodeBox.tsx';
import { Entry, Fields, WholeNode } from './Changes.tsx';
import classes from './DiffCanvas.module.css';
import { diffGraph, diffLayout, type DiffEdge, type DiffKind, type DiffNode } from './diff-graph.ts';
import type { ReadableDiff } from './shape.ts';

const ICONS = { added: IconPlus, removed: IconMinus, changed: IconPencil, moved: IconArrowsMove, same: null } as const;
const wordOf = (kind: DiffKind): string =>
  ({ added: t('Added'), removed: t('Removed'), changed: t('Changed'), moved: t('Moved'), same: t('Unchanged') })[kind];

/** Both versions as one drawing; what a node differs in stands beside it. */
export function DiffCanvas({
  diff,
  readable,
  from,
  to,
  height,
}: {
  diff: CommitDiff;
  readable: ReadableDiff;
  from: Definition;
  to: Definition;
  height: string;
}): ReactNode {
  const graph = useMemo(() => diffGraph(diff, readable, from, to), [diff, readable, from, to]);
  const layout = useMemo(() => diffLayout(graph, from, to), [graph, from, to]);
  const [chosen, setChosen] = useState<string | null>(
    () => graph.nodes.find(({ kind }) => kind !== 'same' && kind !== 'moved')?.id ?? null,
  );
  const open = useCallback((node: DiffNode) => setChosen(node.id), []);
  const label = useCallback(
    (node: DiffNode) => `${node.name}, ${node.kind === 'same' ? `${node.type}, ${wordOf('same')}` : captionOf(node)}`,
    [],
  );
  const draw = useCallback((node: DiffNode) => <Box node={node} selected={node.id === chosen} />, [chosen]);
  const tone = useCallback((edge: LayoutEdge) => {
    // The view hands back the edges that it was given.
    const { kind } = edge as DiffEdge;
    return kind === 'same' ? ('faint' as const) : kind;
  }, []);
  const node = graph.nodes.find(({ id }) => id === chosen);
  return (
    <div className={classes.box}>
      <div className={classes.split}>
        <div className={classes.canvas} style={{ height }}>
          <GraphView
            label={t('Both versions as one graph')}
            nodes={graph.nodes}
            layout={layout}
            nodeLabel={label}
            renderNode={draw}
            onOpen={open}
            selected={chosen}
            edgeTone={tone}
          />
        </div>
        <section
          className={`card ${classes.side}`}
          style={{ maxHeight: height }}
          aria-label={t('Node changes')}
          aria-live="polite"
          tabIndex={0}
        >
          {node ? (
            <Detail node={node} readable={readable} from={from} to={to} />
          ) : (
            <Text size="sm" c="dimmed">
              {t('Select a node in the graph to see its changes.')}
            </Text>
          )}
        </section>
      </div>
    </div>
  );
}

/** What stands under its name; its label has the same words. */
const captionOf = ({ kind, type }: DiffNode): string => (kind === 'same' ? type : `${wordOf(kind)} · ${type}`);

function Box({ node, selected }: { node: DiffNode; selected: boolean }): ReactNode {
  const Mark = ICONS[node.kind];
  return (
    <NodeBox
      type={node.type}
      name={node.name}
      isSelected={selected}
      change={node.kind}
      line={
        <span className={classes.mark}>
          {Mark && <Mark size={13} aria-hidden="true" />}
          {captionOf(node)}
        </span>
      }
    />
  );
}

function Detail({
  node,
  readable,
  from,
  to,
}: {
  node: DiffNode;
  readable: ReadableDiff;
  from: Definition;
  to: Definition;
}): ReactNode {
  const change = readable.nodes.find(({ id }) => id === node.id);
  if (!change)
    return (
      <Text size="sm" c="dimmed">
        {t('{name} is identical in both versions.', { name: node.name })}
      </Text>
    );
  const whole = (change.kind === 'removed' ? from : to).nodes.find(({ id }) => id === node.id);
  return (
    <Entry kind={change.kind} title={node.id} note={change.type} as="div">
      {change.kind === 'changed' ? (
        <Fields fields={change.fields} stacked />
      ) : (
        whole && <WholeNode node={whole} kind={change.kind} />
      )}
    </Entry>
  );
}
