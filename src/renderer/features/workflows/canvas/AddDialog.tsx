import { Checkbox, Modal, SegmentedControl, Stack } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { Definition, WorkflowEdge } from '../../../../contract/definition.ts';
import { t } from '../../../../lib/language.ts';
import { nodeTypeDocs } from '../definition/node-types.ts';
import { portsForType, takesInput, whyNotAdd, whyNotFollow } from './connect-rules.ts';
import type { After } from '../definition/edits.ts';
import { PickList } from './PickList.tsx';
import { bindChecked } from '../../../ui/bind.ts';

/** Every type of node, with why one cannot be added now. */
export const typePicks = (definition: Definition, isAfter = false) =>
  nodeTypeDocs.map(({ type, brief, summary }) => ({
    key: type,
    label: type,
    detail: brief,
    hint: summary,
    type,
    why: whyNotAdd(definition, type) ?? (isAfter && !takesInput(type) ? t('The input node must be first.') : null),
  }));

interface From {
  readonly from: string;
  readonly port?: string | undefined;
  /** Of an edge that is chosen: it alone is what the node is put into. */
  readonly to?: string | undefined;
}

/** Chooses what comes after a node, or is added by itself. `isDropped`: where it goes was shown, which is no place between two nodes. */
export function AddDialog({
  definition,
  after,
  isDropped,
  onClose,
  onAdd,
}: {
  definition: Definition;
  after: From | null;
  isDropped: boolean;
  onClose: () => void;
  onAdd: (type: string, after: After | null) => void;
}): ReactNode {
  const [port, setPort] = usePort(definition, after);
  const [isBetween, setBetween] = useState(!isDropped);
  const followers = definition.edges
    .filter(
      (edge) => edge.from === after?.from && edge.port === port && (after?.to === undefined || edge.to === after.to),
    )
    .map(({ to }) => nameOf(definition, to));
  return (
    <Modal
      opened
      onClose={onClose}
      size="sm"
      lockScroll={false}
      title={<strong>{after ? t('Add after {node}', { node: nameOf(definition, after.from) }) : t('Add node')}</strong>}
    >
      <Stack gap="sm">
        {after && <PortChoice ports={portsFrom(definition, after.from)} port={port} onPort={setPort} />}
        {after && followers.length > 0 && (
          <Checkbox
            label={t('Between {node} and {next}', { node: nameOf(definition, after.from), next: followers.join(', ') })}
            {...bindChecked(isBetween, setBetween)}
          />
        )}
        <PickList
          label={t('Node type')}
          placeholder={t('Search node types')}
          autoFocus
          picks={typePicks(definition, after !== null)}
          onPick={(type) => onAdd(type, after && { from: after.from, port, between: isBetween, to: after.to })}
        />
      </Stack>
    </Modal>
  );
}

/** Chooses the node that another one leads to; what cannot be is listed with its reason. */
export function ConnectDialog({
  definition,
  from,
  onClose,
  onConnect,
}: {
  definition: Definition;
  from: From;
  onClose: () => void;
  onConnect: (edge: WorkflowEdge) => void;
}): ReactNode {
  const [port, setPort] = usePort(definition, from);
  const edgeTo = (to: string): WorkflowEdge => ({ from: from.from, to, ...(port === undefined ? {} : { port }) });
  const picks = useMemo(() => {
    const why = whyNotFollow(definition, { from: from.from, ...(port === undefined ? {} : { port }) });
    return definition.nodes
      .filter((node) => node.id !== from.from)
      .map((node) => ({
        key: node.id,
        label: node.name || node.id,
        detail: node.name ? `${node.type} · ${node.id}` : node.type,
        type: node.type,
        why: why(node.id),
      }))
      .sort((a, b) => Number(a.why !== null) - Number(b.why !== null));
  }, [definition, from.from, port]);
  return (
    <Modal
      opened
      onClose={onClose}
      size="sm"
      lockScroll={false}
      title={<strong>{t('Connect {node} to', { node: nameOf(definition, from.from) })}</strong>}
    >
      <Stack gap="sm">
        <PortChoice ports={portsFrom(definition, from.from)} port={port} onPort={setPort} />
        <PickList
          label={t('Target node')}
          placeholder={t('Search nodes')}
          autoFocus
          picks={picks}
          onPick={(to) => onConnect(edgeTo(to))}
        />
      </Stack>
    </Modal>
  );
}

const nameOf = (definition: Definition, id: string): string =>
  definition.nodes.find((node) => node.id === id)?.name || id;
const portsFrom = (definition: Definition, id: string) =>
  portsForType(definition.nodes.find((node) => node.id === id)?.type ?? '');

function usePort(definition: Definition, from: From | null) {
  return useState<string | undefined>(from?.port ?? (from ? portsFrom(definition, from.from)[0] : undefined));
}

function PortChoice({
  ports,
  port,
  onPort,
}: {
  ports: readonly (string | undefined)[];
  port: string | undefined;
  onPort: (port: string) => void;
}): ReactNode {
  if (ports.length < 2 || port === undefined) return null;
  return (
    <SegmentedControl
      aria-label={t('Branch of the condition')}
      data={ports.filter((one) => one !== undefined)}
      value={port}
      onChange={onPort}
    />
  );
}
