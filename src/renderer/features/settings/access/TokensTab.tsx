import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { accessKeys, revokeToken, tokensQuery } from '../../../api/access.ts';
import { useWhy } from '../../../stores/role.ts';
import css from '../shared/Settings.module.css';
import { NewTokenForm } from './NewTokenForm.tsx';
import { TokenList } from './TokenList.tsx';

const route = getRouteApi('/settings');

export function TokensTab(): ReactNode {
  const { page = 0, size = 20 } = route.useSearch();
  const query = useQuery(tokensQuery({ page, size }));
  const client = useQueryClient();
  const why = useWhy('people.manage');
  return (
    <TokenList
      intro={
        <span className={css['text']}>
          {t('Users, programs and workers authenticate to this master with tokens.')}{' '}
          <Link to="/settings" search={{ tab: 'people' }}>
            {t('Let people sign in by name')}
          </Link>
        </span>
      }
      label={t('Tokens')}
      storageKey="tokens"
      query={query}
      why={why}
      roleHeader={t('Role')}
      roleText={(role) => role}
      revokeText={t('Its users are rejected immediately; workers using it are disconnected. This cannot be undone.')}
      revoke={revokeToken}
      onChanged={() => client.invalidateQueries({ queryKey: accessKeys.tokens })}
      form={(done, cancel) => <NewTokenForm onDone={done} onCancel={cancel} />}
    />
  );
}
