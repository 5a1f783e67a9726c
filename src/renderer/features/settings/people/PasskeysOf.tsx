import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Passkey } from '../../../../contract/passkeys.ts';
import type { User } from '../../../../contract/users.ts';
import { t } from '../../../../lib/language.ts';
import { passkeysOfQuery, removePasskeyOf } from '../../../api/passkeys.ts';
import { peopleKeys } from '../../../api/people.ts';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { PasskeyTable } from './PasskeyTable.tsx';

/** Passkeys of somebody else, for who manages people; nothing where there are none. */
export function PasskeysOf({ user }: { user: User }): ReactNode {
  const query = useQuery(passkeysOfQuery(user.id));
  const client = useQueryClient();
  const { ask, dialog } = useConfirm();
  const items = query.data?.items ?? [];
  const remove = (passkey: Passkey) =>
    ask({
      danger: true,
      title: t('Remove passkey “{name}” of {person}?', { name: passkey.name, person: user.name }),
      confirmLabel: t('Remove 1 passkey'),
      text: t('It opens nothing any longer, and all sessions of {person} end. Their tokens go on.', {
        person: user.name,
      }),
      async run() {
        await removePasskeyOf(user.id, passkey.id);
        toastSuccess(t('Passkey removed'));
        await client.invalidateQueries({ queryKey: peopleKeys.passkeysOf(user.id) });
      },
    });
  return (
    <>
      {items.length > 0 && (
        <section aria-label={t('Passkeys')}>
          <h2>{t('Passkeys')}</h2>
          <PasskeyTable label={t('Passkeys')} items={items} query={query} onRemove={remove} />
        </section>
      )}
      {dialog}
    </>
  );
}
