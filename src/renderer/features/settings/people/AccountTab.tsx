import { Modal, Select, TextInput } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { Token } from '../../../../contract/access.ts';
import type { PersonRole } from '../../../../contract/users.ts';
import { t } from '../../../../lib/language.ts';
import { createOwnToken, ownTokensQuery, peopleKeys, revokeOwnToken } from '../../../api/people.ts';
import { sessionQuery } from '../../../api/access.ts';
import { useCommands } from '../../../keyboard/use-shortcut.ts';
import { bindChoice, bindText } from '../../../ui/bind.ts';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { ListTab } from '../../../ui/ListTab.tsx';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';
import { SubmitForm } from '../../../ui/SubmitForm.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { expiryDate, LIFETIMES } from '../access/expiry.ts';
import { tokenColumns } from '../access/key-columns.tsx';
import css from '../shared/Settings.module.css';
import { SecretOnce } from '../access/SecretOnce.tsx';
import { OwnProfile } from './OwnProfile.tsx';

const route = getRouteApi('/settings');
const tokenId = (token: Token) => token.id;
type Dialog = { kind: 'new' } | { kind: 'secret'; secret: string };

/** Who I am, and the tokens of programs that act as me. */
export function AccountTab(): ReactNode {
  const person = useQuery(sessionQuery()).data?.user;
  if (!person)
    return <p className="dim">{t('You came in with a token that belongs to nobody: there is no account.')}</p>;
  return (
    <>
      <OwnProfile />
      <OwnTokens />
    </>
  );
}

function OwnTokens(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 20 } = search;
  const query = useQuery(ownTokensQuery({ page, size }));
  const client = useQueryClient();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const { ask, dialog: question } = useConfirm();
  const changed = () => client.invalidateQueries({ queryKey: peopleKeys.ownTokens });
  const revoke = (token: Token) =>
    ask({
      danger: true,
      title: t('Revoke token “{name}”?', { name: token.name }),
      confirmLabel: t('Revoke 1 token'),
      text: t('Programs that use it are rejected immediately. This cannot be undone.'),
      async run() {
        await revokeOwnToken(token.id);
        toastSuccess(t('Token revoked'));
        await changed();
      },
    });
  const columns = useMemo(
    () =>
      tokenColumns(undefined, revoke).map((column) =>
        column.id === 'role' ? { ...column, header: t('It may'), cell: ({ role }: Token) => mostText(role) } : column,
      ),
    [],
  );
  const close = () => setDialog(null);
  useRestoreFocus(dialog !== null);
  const add = { label: t('New token'), why: undefined, run: () => setDialog({ kind: 'new' }) };
  useCommands([add]);
  return (
    <>
      <ListTab
        intro={
          <span className={css['text']}>
            {t('Tokens for programs that act as you, and at most as you may.')}{' '}
            <Link to="/settings" search={{ tab: 'sessions' }}>
              {t('Browsers that are signed in')}
            </Link>
          </span>
        }
        add={add}
        label={t('Own tokens')}
        what={t('Could not load tokens')}
        columns={columns}
        lines={2}
        rowId={tokenId}
        query={query}
        storageKey="own-tokens"
        place={{ page, size }}
        onPlace={(change) => void navigate({ search: { ...search, ...change } })}
        empty={{
          icon: IconLock,
          title: t('No tokens'),
          text: t('Programs and scripts sign in with a token, never with your password.'),
        }}
      />
      <Modal
        opened={dialog !== null}
        onClose={close}
        title={<strong>{t('New token')}</strong>}
        closeOnClickOutside={dialog?.kind !== 'secret'}
        closeOnEscape={dialog?.kind !== 'secret'}
      >
        {dialog?.kind === 'secret' ? (
          <SecretOnce what={t('Token')} secret={dialog.secret} onClose={close} />
        ) : (
          <OwnTokenForm onDone={(secret) => (setDialog({ kind: 'secret', secret }), void changed())} onCancel={close} />
        )}
      </Modal>
      {question}
    </>
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
      <TextInput
        label={t('Name')}
        description={t('Who or what uses it')}
        {...bindText(name, setName)}
        maxLength={200}
        data-autofocus
        required
      />
      <Select label={t('It may')} data={[...MOST]} {...bindChoice(role, setRole)} />
      <Select label={t('Expires')} data={LIFETIMES} value={days} onChange={(value) => setDays(value ?? '')} />
    </SubmitForm>
  );
}
