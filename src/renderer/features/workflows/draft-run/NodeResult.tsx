import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlayerPlay, IconPlayerTrackNext } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import type { Definition } from '../../../../contract/definition.ts';
import type { DraftNode } from '../../../../contract/drafts.ts';
import { OUTSIDE_TYPES } from '../../../../contract/node-types.ts';
import { t, tn } from '../../../../lib/language.ts';
import { taskPayloadQuery } from '../../../api/jobs.ts';
import { useRights, useWorkflowPlace } from '../../../stores/role.ts';
import { TaskStateBadge } from '../../../ui/Badges.tsx';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import { formatDuration } from '../../../ui/Duration.tsx';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { JsonTree } from '../../../ui/JsonTree.tsx';
import { Callout } from '../../../ui/Callout.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { whyNoSave } from '../../../stores/permissions.ts';
import { useDraftRuns } from './context.tsx';
import { effectLabels } from './outside-nodes.ts';
import { isCut } from './reused-outputs.ts';

/** What the last draft run made of a node: its state, input and output whole; and what its stand-in gives. */
export function NodeResult({ definition, nodeId }: { definition: Definition; nodeId: string }): ReactNode {
  const runs = useDraftRuns();
  const { run, busy, effects, outputs, upTo } = useStore(runs.store);
  const rights = useRights();
  const place = useWorkflowPlace(runs.workflowId);
  const node = definition.nodes.find(({ id }) => id === nodeId);
  const found = run?.nodes.filter((one) => one.node === nodeId) ?? [];
  if (!node) return null;
  const isStructure = node.type === 'input' || node.type === 'output';
  const given = outputs.get(nodeId);
  const stoodIn = given !== undefined || (OUTSIDE_TYPES.has(node.type) && !effects);
  const pin = !isStructure && given === undefined && (
    <Button
      size="compact-sm"
      variant="subtle"
      ml="auto"
      onClick={() =>
        runs.setOutput(
          nodeId,
          JSON.stringify(
            found[0]?.output ?? (node.type === 'http' ? { status: 200, headers: {}, body: {} } : {}),
            null,
            2,
          ),
        )
      }
    >
      {t('Pin output')}
    </Button>
  );
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <ReasonButton
          size="compact-sm"
          variant="default"
          leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}
          loading={busy}
          reason={whyNoSave(rights, place)}
          hint={t('Runs only this node and the nodes it depends on')}
          onClick={() => void runs.start(definition, { upTo: nodeId })}
        >
          {t('Run up to here')}
        </ReasonButton>
        {run && !isStructure && (
          <ReasonButton
            size="compact-sm"
            variant="default"
            leftSection={<IconPlayerTrackNext size={14} aria-hidden="true" />}
            loading={busy}
            reason={whyNoSave(rights, place)}
            hint={t(
              'Runs this node and everything after it; the nodes before it return what they returned in the run shown',
            )}
            onClick={() => void runs.start(definition, { from: nodeId })}
          >
            {t('Run from here')}
          </ReasonButton>
        )}
      </Group>
      {stoodIn && !isStructure && given === undefined && (
        <Text size="xs" className="dim">
          {node.type === 'wait'
            ? t(
                'Draft runs do not wait: a time has passed, a signal has come without a payload, an approval is given. Pin an output to set another, or check “{label}”.',
                { label: effectLabels(definition)?.label ?? '' },
              )
            : t(
                'This node calls external services. In drafts a mock with an empty response runs instead. Pin an output to set its response, or check “{label}”.',
                { label: effectLabels(definition)?.label ?? '' },
              )}
        </Text>
      )}
      {given !== undefined && (
        <div>
          <Group justify="space-between" mb={4}>
            <Text size="sm" fw={600}>
              {t('Pinned output')}
            </Text>
            <Button size="compact-xs" variant="subtle" onClick={() => runs.setOutput(nodeId, null)}>
              {t('Unpin')}
            </Button>
          </Group>
          <CodeEditor
            label={t('Pinned output of {id}', { id: nodeId })}
            value={given}
            onChange={(text) => runs.setOutput(nodeId, text)}
            bare
            minHeight={60}
            maxHeight={220}
          />
          <Text size="xs" className="dim" mt={4}>
            {t('Draft runs return this instead of running the node. Kept until you leave this page.')}
          </Text>
        </div>
      )}
      {node.type === 'output' && run && upTo === null && run.finishedAt !== null && !run.error && (
        <Tree label={t('Output')} value={run.output} />
      )}
      {found.map((one, i) => (
        <OneResult key={one.taskId} node={one} action={i === 0 && pin} />
      ))}
      {found.length === 0 && (
        <Group gap={8}>
          {(!run || !isStructure) && (
            <Text size="sm" className="dim">
              {!run
                ? t("Run the draft to see the node's input and output.")
                : run.finishedAt === null
                  ? t('Not reached yet.')
                  : t('The last run did not reach this node.')}
            </Text>
          )}
          {pin}
        </Group>
      )}
    </Stack>
  );
}

function OneResult({ node, action }: { node: DraftNode; action: ReactNode }): ReactNode {
  const { state, ms, error, port, standIn, items } = node;
  return (
    <Stack gap="xs">
      <Group gap={8}>
        <TaskStateBadge state={state} />
        <Text size="xs">
          {[
            ms === null || ms < 1 ? '' : formatDuration(ms),
            port === null ? '' : t('branch: {port}', { port }),
            standIn ? t('mocked') : '',
            items ? tn('{done} of {count} item', '{done} of {count} items', items.total, { done: items.done }) : '',
          ]
            .filter((part) => part !== '')
            .join(' · ')}
        </Text>
        {action}
      </Group>
      {error && (
        <Callout tone="fail" title={error.code}>
          {error.message}
        </Callout>
      )}
      {!error && <Whole node={node} side="output" label={t('Output')} />}
      <Whole node={node} side="input" label={t('Input')} />
    </Stack>
  );
}

/** A long payload comes cut; the whole is fetched when it is asked for. */
function Whole({ node, side, label }: { node: DraftNode; side: 'input' | 'output'; label: string }): ReactNode {
  const value = node[side];
  const [asked, setAsked] = useState(false);
  const whole = useQuery({ ...taskPayloadQuery(node.taskId, side), enabled: asked });
  return (
    <div>
      <Tree label={label} value={whole.data ?? value} />
      {isCut(value) && !whole.data && (
        <Button size="compact-xs" variant="subtle" loading={whole.isFetching} onClick={() => setAsked(true)}>
          {t('Show full value')}
        </Button>
      )}
      {whole.isError && <ErrorLine error={whole.error} />}
    </div>
  );
}

const Tree = ({ label, value }: { label: string; value: unknown }): ReactNode => (
  <div>
    <Text size="sm" fw={600} mb={2}>
      {label}
    </Text>
    <JsonTree label={label} value={value} maxHeight={280} />
  </div>
);
