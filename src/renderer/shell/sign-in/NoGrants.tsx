import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { t } from '../../../lib/language.ts';
import { accessKeys } from '../../api/access.ts';
import { useLeave } from './leave.ts';
import css from './SignInPage.module.css';

/** Somebody who is known and may do nothing yet. */
export function NoGrants({ name }: { name: string }) {
  const leave = useLeave();
  const client = useQueryClient();
  useEffect(() => {
    document.title = t('No access yet · Yardmaster');
  }, []);
  return (
    <main className={css['page']}>
      <div className={css['card']}>
        <div className={css['brand']}>
          <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={34} height={34} />
          <h1>{t('No access yet')}</h1>
        </div>
        <p>
          {t(
            'You are signed in as {name}, and nobody has given you a role yet. Ask an administrator of this master to grant you one, then try again.',
            { name },
          )}
        </p>
        <Button onClick={() => void client.invalidateQueries({ queryKey: accessKeys.session })}>
          {t('Try again')}
        </Button>
        <Button variant="default" onClick={() => void leave()}>
          {t('Sign out')}
        </Button>
      </div>
    </main>
  );
}
