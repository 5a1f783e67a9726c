import { Group } from '@mantine/core';
import { IconBan, IconCheck, IconClockOff, IconGauge, IconRefresh, IconTrash } from '@tabler/icons-react';
import type { ApiKey, Token } from '../../../contract/api.ts';
import { limitsWords } from '../../parts/rate-limits/LimitsDialog.tsx';
import { EnvironmentBadge, ToneBadge } from '../../ui/Badges.tsx';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { RowAction } from '../../ui/RowAction.tsx';
import { useNow } from '../../ui/settings.tsx';
import { TimeAgo } from '../../ui/Time.tsx';

/** Works, expired or revoked. */
function Standing({ of }: { of: Pick<ApiKey | Token, 'revokedAt' | 'expiresAt'> }) {
  const now = useNow();
  if (of.revokedAt !== null) return <ToneBadge tone="empty" icon={IconBan}>Revoked</ToneBadge>;
  if (of.expiresAt !== null && new Date(of.expiresAt).getTime() <= now) return <ToneBadge tone="late" icon={IconClockOff}>Expired</ToneBadge>;
  return <ToneBadge tone="done" icon={IconCheck}>Active</ToneBadge>;
}

const shared: readonly DataColumn<ApiKey | Token>[] = [
  { id: 'name', header: 'Name', width: 140, grow: true, cell: (one) => <span className="clip">{one.name}</span> },
  { id: 'standing', header: 'State', width: 104, cell: (one) => <Standing of={one} /> },
  { id: 'prefix', header: 'Begins with', width: 106, cell: (one) => <span className="mono">{one.prefix}…</span> },
];
const expires: DataColumn<ApiKey | Token> = { id: 'expires', header: 'Expires', width: 96, cell: (one) => <TimeAgo at={one.expiresAt} absent="never" /> };
const made: readonly DataColumn<ApiKey | Token>[] = [
  { id: 'created', header: 'Created', width: 104, cell: (one) => <TimeAgo at={one.createdAt} /> },
  { id: 'by', header: 'By', width: 100, cell: (one) => <span className="clip">{one.createdBy}</span> },
];

export const keyColumns = (canAdmin: boolean, onLimits: (key: ApiKey) => void, onRotate: (key: ApiKey) => void, onRevoke: (key: ApiKey) => void): readonly DataColumn<ApiKey>[] => [
  ...shared,
  { id: 'workflows', header: 'Workflows', width: 120, cell: (key) => <span className="clip" title={key.workflows.join(', ')}>{key.workflows.includes('*') ? 'all' : key.workflows.join(', ')}</span> },
  { id: 'environments', header: 'Environments', width: 166, cell: (key) => <Group gap={4} wrap="nowrap">{key.environments.map((environment) => <EnvironmentBadge key={environment} environment={environment} />)}</Group> },
  { id: 'limits', header: 'Limits', width: 110, cell: (key) => <span className="clip numbers">{limitsWords(key.limits) ?? <span className="dim">–</span>}</span> },
  { id: 'used', header: 'Last used', width: 96, cell: (key) => <TimeAgo at={key.lastUsedAt} absent="never" /> },
  expires,
  {
    id: 'actions',
    header: 'Actions',
    width: 112,
    cell: (key) =>
      key.revokedAt === null && (
        <Group gap={4} wrap="nowrap">
          <RowAction label={`Limits of ${key.name}`} allowed={canAdmin} icon={IconGauge} onClick={() => onLimits(key)} />
          <RowAction label={`New secret for ${key.name}`} allowed={canAdmin} icon={IconRefresh} onClick={() => onRotate(key)} />
          <RowAction label={`Revoke ${key.name}`} allowed={canAdmin} danger icon={IconTrash} onClick={() => onRevoke(key)} />
        </Group>
      ),
  },
  ...made,
];

export const tokenColumns = (canAdmin: boolean, onRevoke: (token: Token) => void): readonly DataColumn<Token>[] => [
  ...shared,
  { id: 'role', header: 'Role', width: 110, cell: (token) => token.role },
  expires,
  { id: 'actions', header: 'Actions', width: 84, cell: (token) => token.revokedAt === null && <RowAction label={`Revoke ${token.name}`} allowed={canAdmin} danger icon={IconTrash} onClick={() => onRevoke(token)} /> },
  ...made,
];
