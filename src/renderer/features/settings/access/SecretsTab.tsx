import { IconKey, IconLock, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { Secret } from '../../../../contract/secrets.ts';
import { ENVIRONMENTS } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { deleteSecret, secretKeys, secretsQuery } from '../../../api/secrets.ts';
import { useCommands } from '../../../keyboard/use-shortcut.ts';
import { useWhy } from '../../../stores/role.ts';
import { EnvironmentBadges, ToneBadge } from '../../../ui/Badges.tsx';
import { ListTab } from '../../../ui/ListTab.tsx';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';
import { TimeAgo } from '../../../ui/Time.tsx';
import { rich } from '../../../ui/rich.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { SecretForm } from './SecretForm.tsx';
import { actionsColumn } from '../../../ui/table/actions-column.tsx';

const route = getRouteApi('/settings');
const secretName = (secret: Secret) => secret.name;

/** Values that nodes use by name. They can be set, never looked at. */
export function SecretsTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 20 } = search;
  const query = useQuery(secretsQuery({ page, size }));
  const client = useQueryClient();
  const whyAdmin = useWhy('secrets.manage', 'anywhere');
  // Null: a new one.
  const [form, setForm] = useState<Secret | null | undefined>();
  useRestoreFocus(form !== undefined);
  const { ask, dialog } = useConfirm();
  const remove = ({ name }: Secret) =>
    ask({
      danger: true,
      title: t('Delete secret {name}?', { name }),
      confirmLabel: t('Delete 1 secret'),
      typed: name,
      text: t('Tasks that use it will fail. This cannot be undone.'),
      async run() {
        await deleteSecret(name);
        toastSuccess(t('Deleted {name}', { name }));
        await changed();
      },
    });
  const columns = useMemo(() => columnsFor(whyAdmin, setForm, remove), [whyAdmin]);
  const changed = () => client.invalidateQueries({ queryKey: secretKeys.all });
  const add = { label: t('New secret'), why: whyAdmin, run: () => setForm(null) };
  useCommands(add.why === undefined ? [add] : []);
  return (
    <>
      <ListTab
        intro={rich(
          'http and code nodes use secrets as {code} and {code2}. Values are encrypted and never shown again.',
          {
            code: <code>{t('{{secrets.NAME}}')}</code>,
            code2: <code>{t('ctx.secrets.NAME')}</code>,
          },
        )}
        add={add}
        label={t('Secrets')}
        what={t('Could not load secrets')}
        storageKey="secrets"
        columns={columns}
        rowId={secretName}
        query={query}
        place={{ page, size }}
        onPlace={(change) => void navigate({ search: { ...search, ...change } })}
        empty={{
          icon: IconLock,
          title: t('No secrets'),
          text: t('Store passwords and tokens for http and code nodes here, not in workflows.'),
        }}
      />
      {form !== undefined && <SecretForm secret={form} onClose={() => setForm(undefined)} onDone={changed} />}
      {dialog}
    </>
  );
}

const columnsFor = (
  whyNot: string | undefined,
  replace: (secret: Secret) => void,
  remove: (secret: Secret) => void,
): readonly DataColumn<Secret>[] => [
  {
    id: 'name',
    header: t('Name'),
    width: 140,
    grow: true,
    cell: (secret) => <span className="mono clip">{secret.name}</span>,
  },
  {
    id: 'state',
    header: t('State'),
    width: 104,
    cell: (secret) =>
      secret.readable ? (
        <ToneBadge tone="done" icon={IconKey}>
          {t('Set')}
        </ToneBadge>
      ) : (
        <span data-hint={t('The master is missing the key this secret was encrypted with. Set a new value.')}>
          <ToneBadge tone="fail">{t('Unreadable')}</ToneBadge>
        </span>
      ),
  },
  {
    id: 'description',
    header: t('Description'),
    width: 130,
    grow: true,
    cell: (secret) => (
      <span className="clip" title={secret.description ?? ''}>
        {secret.description ?? <span className="dim">–</span>}
      </span>
    ),
  },
  {
    id: 'workflows',
    header: t('Workflows'),
    width: 100,
    grow: true,
    cell: ({ scope: { workflows } }) =>
      workflows === undefined ? (
        <span className="dim">{t('all')}</span>
      ) : (
        <span className="mono clip" title={workflows.join(', ')}>
          {workflows.join(', ')}
        </span>
      ),
  },
  {
    id: 'environments',
    header: t('Environments'),
    width: 158,
    cell: ({ scope: { environments } }) => <EnvironmentBadges of={environments ?? ENVIRONMENTS} />,
  },
  { id: 'drafts', header: t('Drafts'), width: 72, cell: ({ scope: { drafts } }) => (drafts ? t('yes') : t('no')) },
  { id: 'updated', header: t('Last modified'), width: 104, cell: (secret) => <TimeAgo at={secret.updatedAt} /> },
  { id: 'by', header: t('Created by'), width: 96, cell: (secret) => secret.updatedBy },
  actionsColumn(84, whyNot, (secret) => [
    { label: t('Edit {name}', { name: secret.name }), icon: IconPencil, run: () => replace(secret) },
    { label: t('Delete {name}', { name: secret.name }), icon: IconTrash, danger: true, run: () => remove(secret) },
  ]),
];
