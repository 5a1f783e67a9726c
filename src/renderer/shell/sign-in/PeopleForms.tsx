import { Button, PasswordInput, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { SignInWays } from '../../../contract/users.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { t } from '../../../lib/language.ts';
import { browserHasPasskeys, makeFirstPasskey } from '../../api/passkeys.ts';
import { signInByPassword } from '../../api/people.ts';
import { useStores } from '../../stores/context.tsx';
import { bindText } from '../../ui/bind.ts';
import { ErrorLine } from '../../ui/ErrorState.tsx';
import { useSending } from '../../ui/use-sending.ts';

/** The browser goes to the provider, and comes back to where it was. */
export function ProviderButton({ provider }: { provider: NonNullable<SignInWays['provider']> }) {
  const back = window.location.pathname + window.location.search;
  return (
    <Button component="a" href={`${provider.url}?return=${encodeURIComponent(back)}`} size="sm" fullWidth>
      {t('Sign in with {name}', { name: provider.name })}
    </Button>
  );
}

export function PasswordForm() {
  const { session, live } = useStores();
  const client = useQueryClient();
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const [mustChange, setMustChange] = useState(false);
  const { busy, error, send } = useSending();

  async function submit(event: FormEvent) {
    event.preventDefault();
    await send(async () => {
      try {
        await signInByPassword({ login: login.trim(), password, ...(mustChange && { newPassword }) });
      } catch (failure) {
        if (failure instanceof ApiError && failure.code === 'PASSWORD_CHANGE_NEEDED' && !mustChange)
          return setMustChange(true);
        throw failure;
      }
      await signedIn();
    });
  }
  const makePasskey = () =>
    send(async () => {
      await makeFirstPasskey({ login: login.trim(), password });
      await signedIn();
    });
  async function signedIn() {
    await client.resetQueries();
    session.getState().signedIn();
    live.retryNow();
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextInput label={t('Sign-in name')} {...bindText(login, setLogin)} size="sm" autoComplete="username" required />
      <PasswordInput
        label={t('Password')}
        {...bindText(password, setPassword)}
        size="sm"
        mt="sm"
        autoComplete="current-password"
        required
      />
      {mustChange && (
        <PasswordInput
          label={t('New password')}
          description={t('This was a one-time password. Choose one of your own, such as some words in a row.')}
          {...bindText(newPassword, setNewPassword)}
          size="sm"
          mt="sm"
          autoComplete="new-password"
          autoFocus
          required
        />
      )}
      <Button
        type="submit"
        size="sm"
        fullWidth
        mt="md"
        mb="md"
        loading={busy}
        disabled={login.trim() === '' || password === '' || (mustChange && newPassword === '')}
      >
        {t('Sign in')}
      </Button>
      {mustChange && browserHasPasskeys() && (
        <Button
          variant="default"
          size="sm"
          fullWidth
          mb="md"
          disabled={busy}
          leftSection={<IconFingerprint size={16} aria-hidden />}
          onClick={() => void makePasskey()}
        >
          {t('Make a passkey instead of a password')}
        </Button>
      )}
      <ErrorLine error={error} />
    </form>
  );
}
