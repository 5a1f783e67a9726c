import { Modal } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { Token } from '../../../../contract/access.ts';
import { t } from '../../../../lib/language.ts';
import { accessKeys, revokeToken, tokensQuery } from '../../../api/access.ts';
import { useCommands } from '../../../keyboard/use-shortcut.ts';
import { useWhy } from '../../../stores/role.ts';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { ListTab } from '../../../ui/ListTab.tsx';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { tokenColumns } from './key-columns.tsx';
import { SecretOnce } from './SecretOnce.tsx';
import { NewTokenForm } from './NewTokenForm.tsx';

const route = getRouteApi('/settings');
const tokenId = (token: Token) => token.id;
const tokenTone = (token: Token) => (token.revokedAt === null ? undefined : ('muted' as const));
type Dialog = { kind: 'new' } | { kind: 'secret'; secret: string };

export function TokensTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 20 } = search;
  const query = useQuery(tokensQuery({ page, size }));
  const client = useQueryClient();
  const whyAdmin = useWhy('people.manage');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const { ask, dialog: question } = useConfirm();
  const revoke = (token: Token) =>
    ask({
      danger: true,
      title: t('Revoke token “{name}”?', { name: token.name }),
      confirmLabel: t('Revoke 1 token'),
      text: t('Its users are rejected immediately; workers using it are disconnected. This cannot be undone.'),
      async run() {
        await revokeToken(token.id);
        toastSuccess(t('Token revoked'));
        await changed();
      },
    });
  const columns = useMemo(() => tokenColumns(whyAdmin, revoke), [whyAdmin]);
  const close = () => setDialog(null);
  useRestoreFocus(dialog !== null);
  const changed = () => client.invalidateQueries({ queryKey: accessKeys.tokens });
  const add = { label: t('New token'), why: whyAdmin, run: () => setDialog({ kind: 'new' }) };
  useCommands(add.why === undefined ? [add] : []);
  return (
    <>
      <ListTab
        intro={
          <>
            {t('Users, programs and workers authenticate to this master with tokens.')}{' '}
            <Link to="/settings" search={{ tab: 'people' }}>
              {t('Let people sign in by name')}
            </Link>
          </>
        }
        add={add}
        label={t('Tokens')}
        what={t('Could not load tokens')}
        columns={columns}
        lines={2}
        rowId={tokenId}
        rowTone={tokenTone}
        query={query}
        storageKey="tokens"
        place={{ page, size }}
        onPlace={(change) => void navigate({ search: { ...search, ...change } })}
        empty={{ icon: IconLock, title: t('No tokens') }}
      />
      <Modal
        opened={dialog?.kind === 'new' || dialog?.kind === 'secret'}
        onClose={close}
        title={<strong>{t('New token')}</strong>}
        closeOnClickOutside={dialog?.kind !== 'secret'}
        closeOnEscape={dialog?.kind !== 'secret'}
      >
        {dialog?.kind === 'secret' ? (
          <SecretOnce what={t('Token')} secret={dialog.secret} onClose={close} />
        ) : (
          <NewTokenForm onDone={(secret) => (setDialog({ kind: 'secret', secret }), void changed())} onCancel={close} />
        )}
      </Modal>
      {question}
    </>
  );
}
