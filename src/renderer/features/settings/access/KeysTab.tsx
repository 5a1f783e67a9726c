import { IconKey } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { ApiKey } from '../../../../contract/access.ts';
import { t } from '../../../../lib/language.ts';
import { accessKeys, keysQuery, revokeKey, rotateKey, updateKey } from '../../../api/access.ts';
import { limitsText } from '../limits-text.ts';
import { RateLimitsDialog } from '../RateLimitsDialog.tsx';
import { useCommands } from '../../../keyboard/use-shortcut.ts';
import { useWhy } from '../../../stores/role.ts';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { ListTab } from '../../../ui/ListTab.tsx';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { keyColumns } from './key-columns.tsx';
import { NewKeyForm } from './NewKeyForm.tsx';
import { SecretDialog, type SecretStep } from './SecretDialog.tsx';

const route = getRouteApi('/settings');
const keyId = (key: ApiKey) => key.id;
const keyTone = (key: ApiKey) => (key.revokedAt === null ? undefined : ('muted' as const));
type Dialog = SecretStep | { kind: 'revoke' | 'rotate' | 'limits'; key: ApiKey };

export function KeysTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 20 } = search;
  const query = useQuery(keysQuery({ page, size }));
  const client = useQueryClient();
  const whyAdmin = useWhy('keys.manage', 'anywhere');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const columns = useMemo(
    () =>
      keyColumns(
        whyAdmin,
        (key) => setDialog({ kind: 'limits', key }),
        (key) => setDialog({ kind: 'rotate', key }),
        (key) => setDialog({ kind: 'revoke', key }),
      ),
    [whyAdmin],
  );
  const close = () => setDialog(null);
  useRestoreFocus(dialog !== null);
  const changed = () => client.invalidateQueries({ queryKey: accessKeys.keys });
  const add = { label: t('New API key'), why: whyAdmin, run: () => setDialog({ kind: 'new' }) };
  useCommands(add.why === undefined ? [add] : []);
  return (
    <>
      <ListTab
        intro={t(
          'Clients use API keys to call published workflows. Each key has access to the workflows and environments in its scope.',
        )}
        add={add}
        label={t('API keys')}
        what={t('Could not load API keys')}
        columns={columns}
        lines={2}
        rowId={keyId}
        rowTone={keyTone}
        query={query}
        storageKey="keys"
        place={{ page, size }}
        onPlace={(change) => void navigate({ search: { ...search, ...change } })}
        empty={{
          icon: IconKey,
          title: t('No API keys'),
          text: t('Clients need an API key to call a published workflow.'),
        }}
      />
      <SecretDialog
        title={t('New API key')}
        what={t('API key')}
        step={dialog?.kind === 'new' || dialog?.kind === 'secret' ? dialog : null}
        onClose={close}
      >
        <NewKeyForm onDone={(secret) => (setDialog({ kind: 'secret', secret }), void changed())} onCancel={close} />
      </SecretDialog>
      {dialog?.kind === 'limits' && (
        <RateLimitsDialog
          title={t('Limits for “{name}”', { name: dialog.key.name })}
          limits={dialog.key.limits}
          onClose={close}
          onSave={async (limits) => {
            await updateKey(dialog.key.id, { limits });
            toastSuccess(t('Limits updated'), limitsText(limits) ?? t('No limits apply now.'));
            await changed();
          }}
        />
      )}
      {(dialog?.kind === 'revoke' || dialog?.kind === 'rotate') && (
        <ConfirmAction
          opened
          onClose={() => setDialog((now) => (now?.kind === 'secret' ? now : null))}
          title={
            dialog.kind === 'revoke'
              ? t('Revoke key “{name}”?', { name: dialog.key.name })
              : t('Create a new secret for key “{name}”?', { name: dialog.key.name })
          }
          confirmLabel={dialog.kind === 'revoke' ? t('Revoke 1 key') : t('New secret')}
          danger={dialog.kind === 'revoke'}
          onConfirm={async () => {
            if (dialog.kind === 'revoke') {
              await revokeKey(dialog.key.id);
              toastSuccess(t('Key revoked'), t('Calls with it are rejected from now on.'));
            } else {
              const { key } = await rotateKey(dialog.key.id, 3600);
              setDialog({ kind: 'secret', secret: key });
            }
            await changed();
          }}
        >
          {dialog.kind === 'revoke'
            ? t('Calls with this key are rejected immediately. This cannot be undone.')
            : t('The old secret keeps working for one hour, so clients can switch.')}
        </ConfirmAction>
      )}
    </>
  );
}
