import { Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { PersonRole } from '../../../../contract/users.ts';
import { t } from '../../../../lib/language.ts';
import { createOwnToken, ownTokensQuery, peopleKeys, revokeOwnToken } from '../../../api/people.ts';
import { bindChoice } from '../../../ui/bind.ts';
import { SubmitForm } from '../../../ui/SubmitForm.tsx';
import { CredentialName, Lifetime } from '../access/credential-fields.tsx';
import { expiryDate } from '../access/expiry.ts';
import { TokenList } from '../access/TokenList.tsx';
import css from '../shared/Settings.module.css';

const route = getRouteApi('/settings');

/** Tokens of programs that act as me. */
export function OwnTokens(): ReactNode {
  const { page = 0, size = 20 } = route.useSearch();
  const query = useQuery(ownTokensQuery({ page, size }));
  const client = useQueryClient();
  return (
    <TokenList
      intro={
        <span className={css['text']}>
          {t('Tokens for programs that act as you, and at most as you may.')}{' '}
          <Link to="/settings" search={{ tab: 'sessions' }}>
            {t('Browsers that are signed in')}
          </Link>
        </span>
      }
      label={t('Own tokens')}
      storageKey="own-tokens"
      query={query}
      why={undefined}
      emptyText={t('Programs and scripts sign in with a token, never with your password.')}
      roleHeader={t('It may')}
      roleText={mostText}
      revokeText={t('Programs that use it are rejected immediately. This cannot be undone.')}
      revoke={revokeOwnToken}
      onChanged={() => client.invalidateQueries({ queryKey: peopleKeys.ownTokens })}
      form={(done, cancel) => <OwnTokenForm onDone={done} onCancel={cancel} />}
    />
  );
}

const MOST: readonly { readonly value: PersonRole; readonly label: string }[] = [
  { value: 'viewer', label: t('Only see') },
  { value: 'operator', label: t('At most what an operator may') },
  { value: 'admin', label: t('All that I may') },
];

const mostText = (role: string): string => MOST.find(({ value }) => value === role)?.label ?? role;

function OwnTokenForm({ onDone, onCancel }: { onDone(secret: string): void; onCancel(): void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<PersonRole>('admin');
  const [days, setDays] = useState('90');
  return (
    <SubmitForm
      submitLabel={t('Create token')}
      disabled={name.trim() === ''}
      onCancel={onCancel}
      onSubmit={async () => {
        const { token } = await createOwnToken({ name: name.trim(), role, expiresAt: expiryDate(days, Date.now()) });
        onDone(token);
      }}
    >
      <CredentialName value={name} onChange={setName} />
      <Select label={t('It may')} data={[...MOST]} {...bindChoice(role, setRole)} />
      <Lifetime value={days} onChange={setDays} />
    </SubmitForm>
  );
}
