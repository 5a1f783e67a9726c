import { IconLock } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { Token } from '../../../../contract/access.ts';
import { t } from '../../../../lib/language.ts';
import { useCommands } from '../../../keyboard/use-shortcut.ts';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { ListTab, type ListTabProps } from '../../../ui/ListTab.tsx';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { tokenColumns } from './key-columns.tsx';
import { SecretDialog, type SecretStep } from './SecretDialog.tsx';

const route = getRouteApi('/settings');
const tokenId = (token: Token) => token.id;
const tokenTone = (token: Token) => (token.revokedAt === null ? undefined : ('muted' as const));

interface TokenListProps extends Pick<ListTabProps<Token>, 'intro' | 'label' | 'query' | 'storageKey'> {
  /** Why tokens cannot be made and revoked here; undefined: they can. */
  readonly why: string | undefined;
  /** Under the words that there are none. */
  readonly emptyText?: string;
  /** The column of what a token may do at most. */
  readonly roleHeader: string;
  roleText(role: Token['role']): string;
  /** What comes of a revocation. */
  readonly revokeText: string;
  revoke(id: string): Promise<unknown>;
  /** The list has to be read again. */
  onChanged(): Promise<unknown>;
  /** The form that makes one. */
  form(done: (secret: string) => void, cancel: () => void): ReactNode;
}

/** Tokens in pages, with the ways to make one and to revoke one. */
export function TokenList({
  why,
  emptyText,
  roleHeader,
  roleText,
  revokeText,
  revoke,
  onChanged,
  form,
  ...list
}: TokenListProps): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 20 } = search;
  const [step, setStep] = useState<SecretStep | null>(null);
  const { ask, dialog: question } = useConfirm();
  const onRevoke = (token: Token) =>
    ask({
      danger: true,
      title: t('Revoke token “{name}”?', { name: token.name }),
      confirmLabel: t('Revoke 1 token'),
      text: revokeText,
      async run() {
        await revoke(token.id);
        toastSuccess(t('Token revoked'));
        await onChanged();
      },
    });
  const columns = useMemo(() => tokenColumns(why, roleHeader, roleText, onRevoke), [why]);
  const close = () => setStep(null);
  useRestoreFocus(step !== null);
  const add = { label: t('New token'), why, run: () => setStep({ kind: 'new' }) };
  useCommands(add.why === undefined ? [add] : []);
  return (
    <>
      <ListTab
        {...list}
        add={add}
        what={t('Could not load tokens')}
        columns={columns}
        lines={2}
        rowId={tokenId}
        rowTone={tokenTone}
        place={{ page, size }}
        onPlace={(change) => void navigate({ search: { ...search, ...change } })}
        empty={{ icon: IconLock, title: t('No tokens'), ...(emptyText === undefined ? {} : { text: emptyText }) }}
      />
      <SecretDialog title={t('New token')} what={t('Token')} step={step} onClose={close}>
        {form((secret) => (setStep({ kind: 'secret', secret }), void onChanged()), close)}
      </SecretDialog>
      {question}
    </>
  );
}
