import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { sessionQuery } from '../../../api/access.ts';
import { OwnPasskeys } from './OwnPasskeys.tsx';
import { OwnProfile } from './OwnProfile.tsx';
import { OwnTokens } from './OwnTokens.tsx';

/** Who I am, and the tokens of programs that act as me. */
export function AccountTab(): ReactNode {
  const person = useQuery(sessionQuery()).data?.user;
  if (!person)
    return <p className="dim">{t('You came in with a token that belongs to nobody: there is no account.')}</p>;
  return (
    <>
      <OwnProfile />
      {person.source === 'local' && <OwnPasskeys />}
      <OwnTokens />
    </>
  );
}
