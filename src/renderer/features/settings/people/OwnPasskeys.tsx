import { Button, Group, PasswordInput, TextInput } from '@mantine/core';
import { IconFingerprint, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { OwnPasskeys as Own, Passkey } from '../../../../contract/passkeys.ts';
import { t } from '../../../../lib/language.ts';
import {
  addPasskey,
  browserHasPasskeys,
  ownPasskeysQuery,
  removePasskey,
  renamePasskey,
  suggestedName,
} from '../../../api/passkeys.ts';
import { peopleKeys } from '../../../api/people.ts';
import { bindText } from '../../../ui/bind.ts';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { useSending } from '../../../ui/use-sending.ts';
import { PasskeyTable } from './PasskeyTable.tsx';

/** Own passkeys, with the ways to add, rename and remove one. */
export function OwnPasskeys(): ReactNode {
  const query = useQuery(ownPasskeysQuery());
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const { ask, dialog } = useConfirm();
  const changed = () =>
    Promise.all([peopleKeys.ownPasskeys, peopleKeys.ways].map((queryKey) => client.invalidateQueries({ queryKey })));
  const own = query.data;
  if (!own) return query.error ? <ErrorLine error={query.error} /> : null;
  const remove = (passkey: Passkey) =>
    ask({
      danger: true,
      title: t('Remove passkey “{name}”?', { name: passkey.name }),
      confirmLabel: t('Remove 1 passkey'),
      text: t(
        'It opens nothing any longer, and your other sessions end. Delete it on the device, too: browsers go on offering it.',
      ),
      async run() {
        await removePasskey(passkey.id);
        toastSuccess(t('Passkey removed; your other sessions have ended'));
        await changed();
      },
    });
  return (
    <section aria-label={t('Passkeys')}>
      <Group justify="space-between" wrap="nowrap" mb={own.items.length > 0 ? 8 : 0}>
        <span className="dim">
          {t('With a passkey you sign in by fingerprint, face, or the PIN of a device or security key.')}
        </span>
        <ReasonButton
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          reason={obstacleText(own)}
          onClick={() => setAdding(true)}
        >
          {t('Add a passkey')}
        </ReasonButton>
      </Group>
      {own.items.length > 0 && (
        <PasskeyTable label={t('Passkeys')} items={own.items} query={query} onRename={setRenamed} onRemove={remove} />
      )}
      {adding && (
        <AddForm
          own={own}
          onDone={() => {
            setAdding(false);
            toastSuccess(t('Passkey added'));
            void changed();
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {renamed && (
        <RenameForm
          passkey={renamed}
          onDone={() => {
            setRenamed(null);
            void changed();
          }}
          onClose={() => setRenamed(null)}
        />
      )}
      {dialog}
    </section>
  );
}

/** Why none can be added here; null: one can. */
function obstacleText({ obstacle, items, most }: Own): string | null {
  if (obstacle === 'TOKEN') return t('Sign in by name to add one: you came in with a token.');
  if (obstacle === 'ADDRESS')
    return t('Passkeys do not work at an IP address. Open this master by its name, or as localhost.');
  if (obstacle === 'INSECURE') return t('Passkeys need https. Ask an administrator to set up TLS.');
  if (obstacle === 'ANY_HOST')
    return t('This master does not know its own name. Ask an administrator to set it with --allowed-hosts.');
  if (!browserHasPasskeys()) return t('This browser has no passkeys. The desktop app has none either.');
  return items.length >= most ? t('You have {n} passkeys, and no more are allowed.', { n: items.length }) : null;
}

function AddForm({ own, onDone, onClose }: { own: Own; onDone(): void; onClose(): void }) {
  const [name, setName] = useState(suggestedName);
  const [password, setPassword] = useState('');
  const { busy, error, send } = useSending();
  const canConfirm = own.items.some(({ host, copiedAt }) => host === own.host && copiedAt === null);
  const add = async (by: string | null) => {
    await addPasskey(name.trim(), by);
    onDone();
  };
  return (
    <FormDialog
      title={t('Add a passkey')}
      size="lg"
      submitLabel={t('Add a passkey')}
      disabled={busy || name.trim() === '' || (own.hasPassword && password === '')}
      onClose={onClose}
      onSubmit={() => add(own.hasPassword ? password : null)}
      {...(own.hasPassword &&
        canConfirm && {
          aside: (
            <Button
              variant="subtle"
              loading={busy}
              disabled={name.trim() === ''}
              leftSection={<IconFingerprint size={14} aria-hidden />}
              onClick={() => void send(() => add(null))}
            >
              {t('Confirm with a passkey')}
            </Button>
          ),
        })}
    >
      <TextInput
        label={t('Name')}
        description={t('To tell it from others, such as where it is kept')}
        {...bindText(name, setName)}
        maxLength={100}
        required
      />
      {own.hasPassword ? (
        <PasswordInput
          label={t('Current password')}
          description={t('To be sure that it is you')}
          {...bindText(password, setPassword)}
          autoComplete="current-password"
          data-autofocus
          required
        />
      ) : (
        <p className="dim">
          {t('The browser asks twice: for a passkey that you have, to be sure that it is you, and for the new one.')}
        </p>
      )}
      <p className="dim">{t('It works at {host} only.', { host: own.host ?? '' })}</p>
      <ErrorLine error={error} />
    </FormDialog>
  );
}

function RenameForm({ passkey, onDone, onClose }: { passkey: Passkey; onDone(): void; onClose(): void }) {
  const [name, setName] = useState(passkey.name);
  return (
    <FormDialog
      title={t('Rename passkey')}
      disabled={name.trim() === ''}
      onClose={onClose}
      onSubmit={() => renamePasskey(passkey.id, name.trim()).then(onDone)}
    >
      <TextInput label={t('Name')} {...bindText(name, setName)} maxLength={100} data-autofocus required />
    </FormDialog>
  );
}
