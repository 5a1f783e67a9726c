import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { IconUser } from '@tabler/icons-react';
import { sessionQuery } from '../../../api/access.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { OwnPasskeys } from './OwnPasskeys.tsx';
import { OwnProfile } from './OwnProfile.tsx';
import { OwnTokens } from './OwnTokens.tsx';

/** Who I am, and the tokens of programs that act as me. */
export function AccountTab(): ReactNode {
  const person = useQuery(sessionQuery()).data?.user;
  if (!person)
    return (
      <EmptyState icon={IconUser} title={t('No account')}>
        {t('You are signed in with a token that belongs to no account. Sign in with an account to see it here.')}
      </EmptyState>
    );
  return (
    <>
      <OwnProfile />
      {person.source === 'local' && <OwnPasskeys />}
      <OwnTokens />
    </>
  );
}
