import { IconBan, IconKey, IconLock, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import type { AccessGrant } from '../../../../contract/projects.ts';
import type { User } from '../../../../contract/users.ts';
import { t } from '../../../../lib/language.ts';
import { rolesText } from '../../../stores/permissions.ts';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { actionsColumn } from '../../../ui/table/actions-column.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { UserState } from './UserState.tsx';

interface PeopleActions {
  disable(user: User): void;
  enable(user: User): void;
  remove(user: User): void;
  reset(user: User): void;
  token(user: User): void;
}

/** `whyNotAdmin`: why what is kept to administrators cannot be done; `grants`: all of them, undefined while they are read. */
export const peopleColumns = (
  why: string | undefined,
  whyNotAdmin: string | undefined,
  grants: readonly AccessGrant[] | undefined,
  actions: PeopleActions,
): readonly DataColumn<User>[] => [
  {
    id: 'name',
    header: t('Name'),
    width: 180,
    grow: true,
    cell: (user) => (
      <span className="two-rows" dir="ltr">
        <span className="clip" dir="auto" title={user.name}>
          {user.name}
        </span>
        <span className="dim mono clip">{user.login}</span>
      </span>
    ),
  },
  { id: 'state', header: t('State'), width: 188, fits: true, cell: (user) => <UserState of={user} /> },
  {
    id: 'role',
    header: t('Roles'),
    width: 150,
    grow: true,
    cell: (user) => {
      if (!user.hasGrants) return <span className="dim">{t('no access yet')}</span>;
      const text = grants === undefined ? '' : rolesText({ role: user.role, grants: grantsOf(user, grants) });
      return (
        <span className="clip" title={text}>
          {text}
        </span>
      );
    },
  },
  {
    id: 'email',
    header: t('Email'),
    width: 180,
    grow: true,
    cell: (user) => (
      <span className="two-rows">
        <span className="clip" title={user.email ?? undefined}>
          {user.email ?? '–'}
        </span>
        <span className="clip dim" title={user.groups.join(', ')}>
          {user.groups.join(', ')}
        </span>
      </span>
    ),
  },
  {
    id: 'seen',
    header: t('Last sign-in'),
    width: 110,
    cell: (user) => <TimeAgo at={user.lastSignInAt} absent={t('never')} />,
  },
  actionsColumn(120, why, (user) => [
    ...(user.kind === 'service' && user.disabledAt === null
      ? [
          {
            label: t('Create a token for {name}', { name: user.name }),
            icon: IconKey,
            why: whyNotAdmin,
            run: () => actions.token(user),
          },
        ]
      : []),
    ...(user.kind === 'person' && user.source === 'local' && user.disabledAt === null
      ? [
          {
            label: t('Reset the password of {name}', { name: user.name }),
            icon: IconLock,
            why: whyNotAdmin,
            run: () => actions.reset(user),
          },
        ]
      : []),
    user.disabledAt === null
      ? {
          label: t('Disable {name}', { name: user.name }),
          icon: IconBan,
          danger: true,
          why: user.role === 'admin' ? whyNotAdmin : why,
          run: () => actions.disable(user),
        }
      : { label: t('Enable {name}', { name: user.name }), icon: IconPlayerPlay, run: () => actions.enable(user) },
    ...(user.disabledAt === null
      ? []
      : [
          {
            label: t('Delete {name} for good', { name: user.name }),
            icon: IconTrash,
            danger: true,
            why: user.role === 'admin' ? whyNotAdmin : why,
            run: () => actions.remove(user),
          },
        ]),
  ]),
];

/** Their own and those of their groups, as a session tells them. */
const grantsOf = (user: User, grants: readonly AccessGrant[]) =>
  grants
    .filter(({ subjectKind, subject }) =>
      subjectKind === 'user' ? subject === user.id : user.groups.includes(subject),
    )
    .map(({ role, project, environments }) => ({ role, project, environments, actions: [] }));
