import { Group, Select, Stack, Text } from '@mantine/core';
import { IconBan, IconKey, IconPlus, IconRefresh } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { ApiKey } from '../../../../contract/access.ts';
import type { Workflow } from '../../../../contract/workflows.ts';
import { t, tn } from '../../../../lib/language.ts';
import { accessKeys, keysQuery, revokeKey, rotateKey } from '../../../api/access.ts';
import { useRights } from '../../../stores/role.ts';
import type { Rights } from '../../../stores/permissions.ts';
import { EnvironmentBadges, ToneBadge } from '../../../ui/Badges.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';
import { rich } from '../../../ui/rich.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { whyNoKeys } from '../../../stores/permissions.ts';
import { KeyForm } from './KeyForm.tsx';
import { KeyShown } from './KeyShown.tsx';
import { OVERLAPS, reachesWorkflow, keyStatus } from './key-status.ts';
import { Callout } from '../../../ui/Callout.tsx';
import { bindChoice } from '../../../ui/bind.ts';

/** Keys are picked from the newest of this many: the API lists all of them together. */
const READ = 500;

type Doing =
  | { readonly what: 'create' }
  | { readonly what: 'revoke' | 'rotate'; readonly key: ApiKey }
  | { readonly what: 'show'; readonly title: string; readonly secret: string };

/** The keys that callers of this workflow may use. */
export function KeysTab({ workflow }: { workflow: Workflow }): ReactNode {
  const client = useQueryClient();
  const rights = useRights();
  const query = useQuery(keysQuery({ page: 0, size: READ }));
  const [doing, setDoing] = useState<Doing | null>(null);
  const [overlap, setOverlap] = useState<string>('0');
  const rows = useMemo(
    () => query.data?.items.filter((key) => reachesWorkflow(key, workflow.id)),
    [query.data, workflow.id],
  );
  const columns = useMemo(() => columnsFor(rights, setDoing), [rights]);
  const why = whyNoKeys(rights);
  const changed = () => client.invalidateQueries({ queryKey: accessKeys.keys });
  const close = () => setDoing(null);
  useRestoreFocus(doing !== null);
  const create = (
    <ReasonButton
      leftSection={<IconPlus size={14} aria-hidden="true" />}
      reason={why}
      onClick={() => setDoing({ what: 'create' })}
    >
      {t('New key')}
    </ReasonButton>
  );

  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {rich('Callers send a key in the {code} header.', { code: <code>{t('api-key')}</code> })}
        </Text>
        {create}
      </Group>
      {query.data && query.data.totalItems > READ && (
        <Callout tone="warn" title={t('{totalItems} keys in total', { totalItems: query.data.totalItems })}>
          {t('Shown are the keys with access to this workflow among the latest {READ}. Settings lists all keys.', {
            READ,
          })}
        </Callout>
      )}
      <DataTable
        label={t('Keys with access to {id}', { id: workflow.id })}
        columns={columns}
        rows={rows}
        rowId={(key) => key.id}
        query={query}
        what={t('Could not load keys')}
        rowTone={(key) => (keyStatus(key, Date.now()) === 'live' ? undefined : 'muted')}
        storageKey="workflow-keys"
        maxHeight={560}
        empty={
          <EmptyState icon={IconKey} title={t('No API key has access')} action={create}>
            {t("Create a key to call this workflow's endpoint.")}
          </EmptyState>
        }
      />
      {doing?.what === 'create' && (
        <KeyForm
          workflowId={workflow.id}
          project={workflow.project}
          onClose={close}
          onMade={(made) => {
            setDoing({ what: 'show', title: t('Key “{name}”', { name: made.name }), secret: made.key });
            void changed();
          }}
        />
      )}
      {doing?.what === 'show' && <KeyShown title={doing.title} secret={doing.secret} onClose={close} />}
      {doing?.what === 'revoke' && (
        <ConfirmAction
          opened
          onClose={close}
          title={t('Revoke “{name}”?', { name: doing.key.name })}
          confirmLabel={t('Revoke')}
          danger
          onConfirm={async () => {
            await revokeKey(doing.key.id);
            await changed();
            toastSuccess(t('“{name}” revoked', { name: doing.key.name }));
          }}
        >
          {rich('Calls with {code} get 401 API_KEY_INVALID from now on. This cannot be undone.', {
            code: <code>{doing.key.prefix}…</code>,
          })}
          {doing.key.workflows.includes('*') && <> {t('Its scope is all workflows, not only this one.')}</>}
        </ConfirmAction>
      )}
      {doing?.what === 'rotate' && (
        <ConfirmAction
          opened
          onClose={() => setDoing((now) => (now === doing ? null : now))}
          title={t('Create a new secret for “{name}”?', { name: doing.key.name })}
          confirmLabel={t('Create new secret')}
          onConfirm={async () => {
            const made = await rotateKey(doing.key.id, Number(overlap));
            setDoing({ what: 'show', title: t('New secret for “{name}”', { name: doing.key.name }), secret: made.key });
            void changed();
          }}
        >
          <Stack gap="sm">
            <Text size="sm">{t('The key keeps its scope. The new secret is shown once.')}</Text>
            <Select label={t('Old secret')} data={[...OVERLAPS]} {...bindChoice(overlap, setOverlap)} />
          </Stack>
        </ConfirmAction>
      )}
    </Stack>
  );
}

function columnsFor(rights: Rights, act: (doing: Doing) => void): readonly DataColumn<ApiKey>[] {
  const why = (key: ApiKey) =>
    whyNoKeys(rights) ?? (keyStatus(key, Date.now()) === 'revoked' ? t('The key is revoked.') : null);
  return [
    { id: 'name', header: t('Name'), width: 104, grow: true, cell: (key) => key.name },
    { id: 'prefix', header: t('Prefix'), width: 100, cell: (key) => <span className="mono">{key.prefix}…</span> },
    {
      id: 'reach',
      header: t('Scope'),
      width: 124,
      cell: (key) =>
        key.workflows.includes('*')
          ? t('All workflows')
          : key.workflows.length === 1
            ? t('This workflow')
            : tn('{count} workflow', '{count} workflows', key.workflows.length),
    },
    {
      id: 'environments',
      header: t('Environments'),
      width: 158,
      grow: true,
      cell: (key) => <EnvironmentBadges of={key.environments} />,
    },
    {
      id: 'standing',
      header: t('State'),
      width: 112,
      fits: true,
      cell: (key) => STANDINGS[keyStatus(key, Date.now())],
    },
    {
      id: 'lastUsedAt',
      header: t('Last used'),
      width: 92,
      cell: (key) => <TimeAgo at={key.lastUsedAt} absent={t('Never')} />,
    },
    {
      id: 'expiresAt',
      header: t('Expires'),
      width: 92,
      cell: (key) => <TimeAgo at={key.expiresAt} absent={t('Never')} />,
    },
    {
      id: 'actions',
      header: '',
      width: 226,
      align: 'right',
      pin: 'end',
      cell: (key) => (
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <ReasonButton
            size="compact-xs"
            variant="default"
            leftSection={<IconRefresh size={13} aria-hidden="true" />}
            reason={why(key)}
            onClick={() => act({ what: 'rotate', key })}
            aria-label={t('Rotate {name}', { name: key.name })}
          >
            {t('Rotate')}
          </ReasonButton>
          <ReasonButton
            size="compact-xs"
            variant="default"
            leftSection={<IconBan size={13} aria-hidden="true" />}
            reason={why(key)}
            onClick={() => act({ what: 'revoke', key })}
            aria-label={t('Revoke {name}', { name: key.name })}
          >
            {t('Revoke')}
          </ReasonButton>
        </Group>
      ),
    },
  ];
}

const STANDINGS = {
  live: <ToneBadge tone="done">{t('Active')}</ToneBadge>,
  expired: <ToneBadge tone="warn">{t('Expired')}</ToneBadge>,
  revoked: <ToneBadge tone="empty">{t('Revoked')}</ToneBadge>,
};
