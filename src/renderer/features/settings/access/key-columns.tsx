import { IconBan, IconCheck, IconClockOff, IconGauge, IconRefresh, IconTrash } from '@tabler/icons-react';
import type { ApiKey, Token } from '../../../../contract/access.ts';
import { t } from '../../../../lib/language.ts';
import { limitsText } from '../limits-text.ts';
import { EnvironmentBadges, ToneBadge } from '../../../ui/Badges.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { useNow } from '../../../ui/settings.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { actionsColumn } from '../../../ui/table/actions-column.tsx';

/** Works, expired or revoked. */
function KeyStatus({ of }: { of: Pick<ApiKey | Token, 'revokedAt' | 'expiresAt'> }) {
  const now = useNow();
  if (of.revokedAt !== null)
    return (
      <ToneBadge tone="empty" icon={IconBan}>
        {t('Revoked')}
      </ToneBadge>
    );
  if (of.expiresAt !== null && new Date(of.expiresAt).getTime() <= now)
    return (
      <ToneBadge tone="late" icon={IconClockOff}>
        {t('Expired')}
      </ToneBadge>
    );
  return (
    <ToneBadge tone="done" icon={IconCheck}>
      {t('Active')}
    </ToneBadge>
  );
}

const shared: readonly DataColumn<ApiKey | Token>[] = [
  {
    id: 'name',
    header: t('Name'),
    width: 134,
    grow: true,
    cell: (one) => (
      <span className="two-rows" dir="ltr">
        <span className="clip" dir="auto" title={one.name}>
          {one.name}
        </span>
        {one.prefix !== '…' && (
          <span className="dim mono" title={t('Prefix')}>
            {one.prefix}…
          </span>
        )}
      </span>
    ),
  },
  { id: 'standing', header: t('State'), width: 130, fits: true, cell: (one) => <KeyStatus of={one} /> },
];
const expires: DataColumn<ApiKey | Token> = {
  id: 'expires',
  header: t('Expires'),
  width: 86,
  cell: (one) => <TimeAgo at={one.expiresAt} absent={t('never')} />,
};
const made: readonly DataColumn<ApiKey | Token>[] = [
  {
    id: 'created',
    header: t('Created'),
    width: 104,
    grow: true,
    cell: (one) => (
      <span className="two-rows">
        <TimeAgo at={one.createdAt} />
        <span className="clip dim">{t('by {actor}', { actor: one.createdBy })}</span>
      </span>
    ),
  },
];

export const keyColumns = (
  whyNot: string | undefined,
  onLimits: (key: ApiKey) => void,
  onRotate: (key: ApiKey) => void,
  onRevoke: (key: ApiKey) => void,
): readonly DataColumn<ApiKey>[] => [
  ...shared,
  {
    id: 'workflows',
    header: t('Workflows'),
    width: 96,
    grow: true,
    cell: (key) => (
      <span className="clip" title={key.workflows.join(', ')}>
        {key.workflows.includes('*') ? t('all') : key.workflows.join(', ')}
      </span>
    ),
  },
  {
    id: 'environments',
    header: t('Environments'),
    width: 158,
    cell: (key) => <EnvironmentBadges of={key.environments} />,
  },
  {
    id: 'limits',
    header: t('Limits'),
    width: 96,
    blank: (key) => limitsText(key.limits) === null,
    cell: (key) => (
      <span className="two-lines numbers">{limitsText(key.limits) ?? <span className="dim">–</span>}</span>
    ),
  },
  { id: 'used', header: t('Last used'), width: 92, cell: (key) => <TimeAgo at={key.lastUsedAt} absent={t('never')} /> },
  expires,
  ...made,
  actionsColumn(112, whyNot, (key) =>
    key.revokedAt === null
      ? [
          { label: t('Limits for {name}', { name: key.name }), icon: IconGauge, run: () => onLimits(key) },
          { label: t('New secret for {name}', { name: key.name }), icon: IconRefresh, run: () => onRotate(key) },
          { label: t('Revoke {name}', { name: key.name }), icon: IconTrash, danger: true, run: () => onRevoke(key) },
        ]
      : [],
  ),
];

const labelText = ({ labels }: Token): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');

export const tokenColumns = (
  whyNot: string | undefined,
  roleHeader: string,
  roleText: (role: Token['role']) => string,
  onRevoke: (token: Token) => void,
): readonly DataColumn<Token>[] => [
  ...shared,
  {
    id: 'role',
    header: roleHeader,
    width: 110,
    grow: true,
    cell: ({ role }) => (
      <span className="clip" title={roleText(role)}>
        {roleText(role)}
      </span>
    ),
  },
  {
    id: 'environments',
    header: t('Environments'),
    width: 158,
    blank: ({ environments }) => environments === null,
    cell: ({ environments, role }) =>
      environments === null ? (
        <span className="dim">{role === 'worker' ? t('all') : '–'}</span>
      ) : (
        <EnvironmentBadges of={environments} />
      ),
  },
  {
    id: 'labels',
    header: t('Labels'),
    width: 96,
    grow: true,
    blank: (token) => labelText(token) === '',
    cell: (token) => (
      <span className="clip mono" title={labelText(token)}>
        {labelText(token)}
      </span>
    ),
  },
  expires,
  ...made,
  actionsColumn(84, whyNot, (token) => [
    token.revokedAt === null && {
      label: t('Revoke {name}', { name: token.name }),
      icon: IconTrash,
      danger: true,
      run: () => onRevoke(token),
    },
  ]),
];
