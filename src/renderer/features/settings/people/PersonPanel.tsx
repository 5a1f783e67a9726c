import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { userQuery } from '../../../api/people.ts';
import { useWhy } from '../../../stores/role.ts';
import { Facts } from '../../../ui/Field.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { SidePanel } from '../../../ui/SidePanel.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import css from '../shared/Settings.module.css';
import { GrantList } from './GrantList.tsx';
import { PasskeysOf } from './PasskeysOf.tsx';
import { UserState } from './UserState.tsx';

/** One person or service account: who they are, and what they may do. */
export function PersonPanel({ userId, onClose }: { userId: string | null; onClose(): void }): ReactNode {
  return (
    <SidePanel what={t('Account')} id={userId} onClose={onClose}>
      {(id) => <Body key={id} id={id} />}
    </SidePanel>
  );
}

function Body({ id }: { id: string }): ReactNode {
  const query = useQuery(userQuery(id));
  const why = useWhy('people.manage');
  if (!query.data) return <Loading query={query} what={t('Could not load the account')} lines={6} />;
  const user = query.data;
  return (
    <Stack gap="md" className={css['panel']}>
      <h2 dir="auto">{user.name}</h2>
      <Facts
        items={[
          { label: t('Sign-in name'), value: <span className="mono">{user.login}</span> },
          { label: t('State'), value: <UserState of={user} /> },
          user.kind === 'person' && {
            label: t('Sign-in'),
            value: user.source === 'oidc' ? t('at the provider') : t('by password'),
          },
          user.email !== null && { label: t('Email'), value: user.email },
          user.groups.length > 0 && { label: t('Groups'), value: user.groups.join(', ') },
          user.kind === 'person' && {
            label: t('Last sign-in'),
            value: <TimeAgo at={user.lastSignInAt} absent={t('never')} />,
          },
          { label: t('Created by'), value: user.createdBy },
        ]}
      />
      {user.source === 'local' && user.kind === 'person' && why === undefined && <PasskeysOf user={user} />}
      <GrantList
        title={t('Roles')}
        filter={{ subjectKind: 'user', subject: id }}
        given={{ subject: id }}
        empty={t('No roles of their own')}
      />
      {user.groups.map((group) => (
        <GrantList
          key={group}
          title={t('Roles by the group {group}', { group })}
          filter={{ subjectKind: 'group', subject: group }}
          empty={t('This group has no roles')}
        />
      ))}
    </Stack>
  );
}
