import { ActionIcon, Menu } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../../../lib/language.ts';
import { sessionQuery } from '../../api/access.ts';
import { desktop } from '../../stores/desktop.ts';
import { useAccount } from '../../stores/role.ts';
import { useLeave } from '../sign-in/leave.ts';

/** Who is signed in, and their way out. */
export function Account() {
  const account = useAccount();
  const { data } = useQuery(sessionQuery());
  const navigate = useNavigate();
  const leave = useLeave();
  if (account === null) return null;
  const { actor, roles } = account;
  const person = data?.user;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('Account: {actor}, {role}', { actor, role: roles })}>
          <IconUser size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {person && <Menu.Label>{person.name}</Menu.Label>}
        <Menu.Label>{t('{actor}, role {role}', { actor, role: roles })}</Menu.Label>
        {person && (
          <>
            <Menu.Item onClick={() => void navigate({ to: '/settings', search: { tab: 'account' } })}>
              {t('Profile, password and tokens')}
            </Menu.Item>
            <Menu.Item onClick={() => void navigate({ to: '/settings', search: { tab: 'sessions' } })}>
              {t('Sessions')}
            </Menu.Item>
          </>
        )}
        {/* In the desktop app the shell adds the token: there is no session to end. */}
        {desktop() ? (
          <Menu.Item disabled>{t('Signed in by the app')}</Menu.Item>
        ) : (
          <Menu.Item onClick={() => void leave()}>{t('Sign out')}</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
