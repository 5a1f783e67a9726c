import { Button, Checkbox, Group, PasswordInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { sessionQuery } from '../../../api/access.ts';
import { ownPasskeysQuery } from '../../../api/passkeys.ts';
import { changePassword } from '../../../api/people.ts';
import { rolesText } from '../../../stores/permissions.ts';
import { bindChecked, bindText } from '../../../ui/bind.ts';
import { FormModal } from '../../../ui/FormModal.tsx';
import { SubmitForm } from '../../../ui/SubmitForm.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';

/** Who I am, where I am a person. */
export function OwnProfile() {
  const { data } = useQuery(sessionQuery());
  // Who has passkeys alone has nothing to change.
  const isLocal = data?.user?.source === 'local';
  const passkeys = useQuery({ ...ownPasskeysQuery(), enabled: isLocal }).data;
  const [opened, setOpened] = useState(false);
  const person = data?.user;
  if (!person) return null;
  return (
    <>
      <Group justify="space-between">
        <span>
          {t('You are {name}', { name: person.name })} <span className="dim mono">{person.login}</span>{' '}
          <span className="dim">{rolesText(data)}</span>
        </span>
        {isLocal && passkeys?.hasPassword !== false && (
          <Button variant="default" onClick={() => setOpened(true)}>
            {t('Change password')}
          </Button>
        )}
      </Group>
      <FormModal opened={opened} onClose={() => setOpened(false)} title={t('Change password')}>
        <PasswordChange onDone={() => setOpened(false)} />
      </FormModal>
    </>
  );
}

function PasswordChange({ onDone }: { onDone(): void }) {
  const [password, setPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const [endTokens, setEndTokens] = useState(false);
  return (
    <SubmitForm
      submitLabel={t('Change password')}
      disabled={password === '' || newPassword === ''}
      onCancel={onDone}
      onSubmit={async () => {
        await changePassword({ password, newPassword, endTokens });
        toastSuccess(t('Password changed; your other sessions have ended'));
        onDone();
      }}
    >
      <PasswordInput
        label={t('Current password')}
        {...bindText(password, setPassword)}
        autoComplete="current-password"
        data-autofocus
        required
      />
      <PasswordInput
        label={t('New password')}
        {...bindText(newPassword, setNewPassword)}
        autoComplete="new-password"
        required
      />
      <Checkbox
        label={t('Also revoke my tokens')}
        description={t('Do this if somebody else may know your password.')}
        {...bindChecked(endTokens, setEndTokens)}
      />
    </SubmitForm>
  );
}
