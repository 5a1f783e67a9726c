import { IconCheck, IconCopyOff, IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import type { Passkey } from '../../../../contract/passkeys.ts';
import { t } from '../../../../lib/language.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { actionsColumn } from '../../../ui/table/actions-column.tsx';
import type { TableQuery } from '../../../ui/table/types.ts';
import { TimeAgo } from '../../../ui/Time.tsx';

const passkeyId = (passkey: Passkey) => passkey.id;

/** Passkeys of one person. `onRename` left out: they are somebody else's. */
export function PasskeyTable({
  label,
  items,
  query,
  why,
  onRename,
  onRemove,
}: {
  label: string;
  items: readonly Passkey[];
  query: TableQuery;
  why?: string | undefined;
  onRename?(passkey: Passkey): void;
  onRemove(passkey: Passkey): void;
}): ReactNode {
  const columns = useMemo(
    (): readonly DataColumn<Passkey>[] => [
      {
        id: 'name',
        header: t('Name'),
        width: 150,
        grow: true,
        cell: ({ name, host }) => (
          <span className="two-rows" dir="ltr">
            <span className="clip" dir="auto" title={name}>
              {name}
            </span>
            <span className="dim mono clip" title={t('Works at {host} only', { host })}>
              {host}
            </span>
          </span>
        ),
      },
      { id: 'state', header: t('State'), width: 175, fits: true, cell: (passkey) => <PasskeyState of={passkey} /> },
      { id: 'created', header: t('Created'), width: 100, cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
      {
        id: 'used',
        header: t('Last used'),
        width: 100,
        cell: ({ lastUsedAt }) => <TimeAgo at={lastUsedAt} absent={t('never')} />,
      },
      actionsColumn(84, why, (passkey) => [
        onRename !== undefined && {
          label: t('Rename {name}', { name: passkey.name }),
          icon: IconPencil,
          run: () => onRename(passkey),
        },
        {
          label: t('Remove {name}', { name: passkey.name }),
          icon: IconTrash,
          danger: true,
          run: () => onRemove(passkey),
        },
      ]),
    ],
    [why],
  );
  return (
    <DataTable
      label={label}
      what={t('Could not load passkeys')}
      columns={columns}
      lines={2}
      rowId={passkeyId}
      rows={items}
      query={query}
      storageKey="passkeys"
      maxHeight={230}
      empty={null}
    />
  );
}

function PasskeyState({ of }: { of: Passkey }) {
  if (of.copiedAt !== null)
    return (
      <span
        data-hint={t(
          'Its counter went back: a copy of it was used. It opens nothing any longer. Remove it, and look at the audit log.',
        )}
      >
        <ToneBadge tone="fail" icon={IconCopyOff}>
          {t('Copied, blocked')}
        </ToneBadge>
      </span>
    );
  return (
    <ToneBadge tone="done" icon={IconCheck}>
      {of.synced ? t('Active, synced') : t('Active')}
    </ToneBadge>
  );
}
