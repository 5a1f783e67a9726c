import { Button, SegmentedControl, Select, Stack, Text, Textarea } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useContext, useEffect } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import { t, tn } from '../../../../lib/language.ts';
import { TypedText } from '../fields/TypedText.tsx';
import type { DefinitionMark } from '../definition/marks.ts';
import type { CanvasSelection } from './builder.ts';
import { BuilderContext } from './builder-context.ts';
import { canvasGroups, canvasNotes } from './canvas-edits.ts';
import { portsForType } from './connect-rules.ts';
import { edgeFromFlowId, frameFlowId, noteFlowId } from './flow.ts';
import { bindChoice, bindText } from '../../../ui/bind.ts';
import { fetchWhenIdle } from '../../../ui/fetch-when-idle.ts';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';

const loadNodePanel = () => import('../node/NodePanel.tsx').then((file) => ({ default: file.NodePanel }));
/** With the parsers of expressions and code. */
const NodePanel = lazy(loadNodePanel);

/** The form of what is selected: of one node, of one edge, of the workflow where nothing is. */
export function Details({
  definition,
  chosen,
  faults,
  onSelect,
}: {
  definition: Definition;
  chosen: CanvasSelection;
  faults: readonly DefinitionMark[];
  onSelect: (flowIds: readonly string[], edges?: readonly string[]) => void;
}): ReactNode {
  const builder = useContext(BuilderContext);
  useEffect(() => fetchWhenIdle(loadNodePanel), []);
  const nodes = chosen.flowIds.filter((id) => !id.includes('/'));
  const node =
    nodes.length === 1 && chosen.edges.length === 0 ? definition.nodes.find((one) => one.id === nodes[0]) : undefined;
  if (!builder) return null;
  if (node)
    return (
      <Suspense fallback={<SkeletonLines lines={6} />}>
        <NodePanel
          definition={definition}
          nodeId={node.id}
          faults={faults}
          onEdit={builder.apply}
          onRenamed={(id) => onSelect([id])}
        />
      </Suspense>
    );
  if (chosen.flowIds.length === 0 && chosen.edges.length === 1)
    return <EdgeForm definition={definition} id={chosen.edges[0] ?? ''} onSelect={onSelect} />;
  if (chosen.flowIds.length === 1 && chosen.edges.length === 0)
    return <AsideForm definition={definition} flowId={chosen.flowIds[0] ?? ''} onSelect={onSelect} />;
  if (chosen.flowIds.length + chosen.edges.length > 0)
    return (
      <Text size="sm" c="dimmed">
        {tn('{count} item selected.', '{count} items selected.', chosen.flowIds.length + chosen.edges.length)}
      </Text>
    );
  return <WorkflowForm definition={definition} />;
}

/** The form of a note or of a group. */
function AsideForm({
  definition,
  flowId,
  onSelect,
}: {
  definition: Definition;
  flowId: string;
  onSelect: (flowIds: readonly string[]) => void;
}): ReactNode {
  const builder = useContext(BuilderContext);
  const note = canvasNotes(definition).find((one) => noteFlowId(one.id) === flowId);
  const group = canvasGroups(definition).find((one) => frameFlowId(one.id) === flowId);
  const remove = () => builder?.remove({ flowIds: [flowId], edges: [] });
  if (note) {
    return (
      <Stack gap="sm">
        <Textarea
          label={t('Note')}
          {...bindText(note.text, (next) => builder?.setNoteText(note.id, next))}
          maxLength={4000}
          autosize
          minRows={4}
          maxRows={20}
        />
        <Button variant="default" onClick={remove}>
          {t('Delete note')}
        </Button>
      </Stack>
    );
  }
  if (!group) return null;
  return (
    <Stack gap="sm">
      <TypedText
        key={group.id}
        label={t('Group')}
        value={group.name}
        maxLength={200}
        onChange={(name) => builder?.renameGroup(group.id, name)}
      />
      <Text size="xs" c="dimmed">
        {tn('{count} node', '{count} nodes', group.nodes.length)}
      </Text>
      <Button.Group>
        <Button variant="default" onClick={() => onSelect(group.nodes)}>
          {t('Select nodes')}
        </Button>
        <Button variant="default" onClick={remove}>
          {t('Ungroup')}
        </Button>
      </Button.Group>
    </Stack>
  );
}

function EdgeForm({
  definition,
  id,
  onSelect,
}: {
  definition: Definition;
  id: string;
  onSelect: (flowIds: readonly string[], edges?: readonly string[]) => void;
}): ReactNode {
  const builder = useContext(BuilderContext);
  const edge = edgeFromFlowId(id);
  const named = (node: string) => definition.nodes.find((one) => one.id === node)?.name || node;
  const ports = portsForType(definition.nodes.find((node) => node.id === edge.from)?.type ?? '').filter(
    (port) => port !== undefined,
  );
  return (
    <Stack gap="sm">
      <Text fw={600}>{t('Edge')}</Text>
      <Text size="sm">{t('From {from} to {to}', { from: named(edge.from), to: named(edge.to) })}</Text>
      {ports.length > 0 && (
        <SegmentedControl
          aria-label={t('Branch of the condition')}
          data={ports}
          value={edge.port ?? ''}
          onChange={(port) => {
            builder?.reconnect(edge, { from: edge.from, to: edge.to, port });
            onSelect([], [JSON.stringify([edge.from, edge.to, port])]);
          }}
        />
      )}
      <Button.Group>
        <Button variant="default" onClick={() => onSelect([edge.from])}>
          {t('Go to {node}', { node: named(edge.from) })}
        </Button>
        <Button variant="default" onClick={() => onSelect([edge.to])}>
          {t('Go to {node}', { node: named(edge.to) })}
        </Button>
      </Button.Group>
      <Button variant="default" onClick={() => builder?.remove({ flowIds: [], edges: [id] })}>
        {t('Delete edge')}
      </Button>
    </Stack>
  );
}

function WorkflowForm({ definition }: { definition: Definition }): ReactNode {
  const builder = useContext(BuilderContext);
  const outputs = definition.nodes.flatMap((node) => (node.type === 'output' ? [node.id] : []));
  return (
    <Stack gap="sm">
      <div>
        <Text fw={600}>{t('Workflow')}</Text>
        <Text size="xs" c="dimmed">
          {tn('{count} node', '{count} nodes', definition.nodes.length)} ·{' '}
          {tn('{count} edge', '{count} edges', definition.edges.length)}
        </Text>
      </div>
      <TypedText
        label={t('Name')}
        value={String(definition.name ?? '')}
        maxLength={200}
        onChange={(name) => void builder?.apply(t('Rename workflow'), (now) => ({ ...now, name }), 'name')}
      />
      <div>
        <Text size="xs" fw={500} mb={4}>
          {t('Response')}
        </Text>
        <SegmentedControl
          fullWidth
          aria-label={t('Response')}
          data={[
            { value: 'list', label: t('One per input') },
            { value: 'first', label: t('First input only') },
          ]}
          value={definition.response}
          onChange={(response) => builder?.apply(t('Change response'), (now) => ({ ...now, response }))}
        />
      </div>
      {(outputs.length > 1 || (outputs.length === 1 && outputs[0] !== definition.output)) && (
        <Select
          label={t('Output node')}
          description={t('Its input is the response')}
          data={outputs}
          {...bindChoice(outputs.includes(definition.output) ? definition.output : null, (output) =>
            builder?.apply(t('Select output node'), (now) => ({ ...now, output })),
          )}
          error={
            outputs.includes(definition.output)
              ? null
              : t('Output node {id} not found: select another.', { id: definition.output })
          }
        />
      )}
      {definition.nodes.length > 0 && (
        <Text size="xs" c="dimmed">
          {t('Select a node to see its settings. Drag from its right edge to connect it.')}
        </Text>
      )}
    </Stack>
  );
}
