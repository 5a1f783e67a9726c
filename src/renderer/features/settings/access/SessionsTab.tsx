import { IconDeviceDesktop, IconLogout } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { OpenSession } from '../../../../contract/access.ts';
import { t } from '../../../../lib/language.ts';
import { accessKeys, endSession, sessionsQuery } from '../../../api/access.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { DataTable, type DataColumn } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { actionsColumn } from '../../../ui/table/actions-column.tsx';
import { paged } from '../../../ui/table/pages.ts';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { browserName } from '../../../../lib/browser-name.ts';

const route = getRouteApi('/settings');
const sessionId = (session: OpenSession) => session.id;

/** Browsers that are signed in: one's own, an admin's view has all. */
export function SessionsTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 20 } = search;
  const query = useQuery(sessionsQuery({ page, size }));
  const client = useQueryClient();
  const { ask, dialog } = useConfirm();
  const end = (session: OpenSession) =>
    ask({
      danger: true,
      title: t('End the session of {name}?', { name: session.actor }),
      confirmLabel: t('End 1 session'),
      text: session.current
        ? t('This is your own session: you will be signed out.')
        : t('The browser is signed out immediately.'),
      async run() {
        await endSession(session.id);
        toastSuccess(t('Session ended'));
        await client.invalidateQueries({ queryKey: session.current ? accessKeys.session : accessKeys.sessions });
      },
    });
  const columns = useMemo(() => columnsFor(end), []);
  return (
    <>
      <span className="dim">{t('Browsers that are signed in. Admins see all sessions, others their own.')}</span>
      <DataTable
        fill
        label={t('Sessions')}
        what={t('Could not load sessions')}
        columns={columns}
        lines={2}
        rowId={sessionId}
        storageKey="sessions"
        {...paged(query, { page, size }, (change) => void navigate({ search: { ...search, ...change } }))}
        empty={<EmptyState icon={IconDeviceDesktop} title={t('No sessions')} />}
      />
      {dialog}
    </>
  );
}

const columnsFor = (end: (session: OpenSession) => void): readonly DataColumn<OpenSession>[] => [
  {
    id: 'user',
    header: t('User'),
    width: 170,
    grow: true,
    cell: (session) => (
      <span className="two-rows">
        <span className="clip" dir="auto" title={session.actor}>
          {session.actor} {session.current && <ToneBadge tone="done">{t('this browser')}</ToneBadge>}
        </span>
        <span className="clip dim">{session.role}</span>
      </span>
    ),
  },
  {
    id: 'client',
    header: t('Browser'),
    width: 260,
    grow: true,
    cell: (session) => (
      <span className="two-rows">
        <span className="clip" title={session.client ?? undefined}>
          {session.client === null ? '–' : browserName(session.client)}
        </span>
        <span className="clip dim mono">{session.address ?? '–'}</span>
      </span>
    ),
  },
  {
    id: 'created',
    header: t('Signed in'),
    width: 110,
    cell: (session) => <TimeAgo at={session.createdAt} absent="–" />,
  },
  {
    id: 'seen',
    header: t('Last seen'),
    width: 110,
    cell: (session) => <TimeAgo at={session.lastSeenAt} absent="–" />,
  },
  { id: 'expires', header: t('Expires'), width: 110, cell: (session) => <TimeAgo at={session.expiresAt} absent="–" /> },
  actionsColumn(80, undefined, (session) => [
    {
      label: t('End the session of {name}', { name: session.actor }),
      icon: IconLogout,
      danger: true,
      run: () => end(session),
    },
  ]),
];
