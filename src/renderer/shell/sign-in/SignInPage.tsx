import { Button, PasswordInput, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { signIn } from '../../api/access.ts';
import { signInWaysQuery } from '../../api/people.ts';
import { useSession, useStores } from '../../stores/context.tsx';
import { callShell, connectionsQuery, desktop } from '../../stores/desktop.ts';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { ErrorLine } from '../../ui/ErrorState.tsx';
import { toastFailure } from '../../ui/toasts.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';
import { PasswordForm, ProviderButton } from './PeopleForms.tsx';
import css from './SignInPage.module.css';
import { bindText } from '../../ui/bind.ts';
import { useSending } from '../../ui/use-sending.ts';

/** A master that asks for a token. In the desktop app the shell holds tokens, so there the connection must be mended. */
export function SignInPage(): ReactNode {
  useEffect(() => {
    document.title = t('Sign in · Yardmaster');
  }, []);
  return (
    <main className={css['page']}>
      <div className={css['card']}>
        <div className={css['brand']}>
          <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={34} height={34} />
          <h1>{t('Sign in to Yardmaster')}</h1>
        </div>
        {desktop() ? <WrongConnection /> : <Ways />}
      </div>
    </main>
  );
}

/** Only what this master knows: without people and a provider that is a token. */
function Ways() {
  const failure = useSession((s) => s.failure);
  const { data, isPending } = useQuery(signInWaysQuery());
  const [byToken, setByToken] = useState(false);
  if (isPending) return null;
  if (!data || (!data.password && !data.passkey && data.provider === null)) return <TokenForm />;
  return (
    <>
      {failure !== null && !byToken && <ErrorLine error={{ detail: failure }} />}
      {data.provider && <ProviderButton provider={data.provider} />}
      {data.passkey && <PasskeyButton where={data.passkey} />}
      {data.password && <PasswordForm />}
      {byToken ? (
        <TokenForm />
      ) : (
        <Button variant="subtle" size="xs" onClick={() => setByToken(true)}>
          {t('Use a token instead')}
        </Button>
      )}
    </>
  );
}

function TokenForm() {
  const { session, live } = useStores();
  const failure = useSession((s) => s.failure);
  const client = useQueryClient();
  const [token, setToken] = useState('');
  const { busy, error, send } = useSending();

  async function submit(event: FormEvent) {
    event.preventDefault();
    await send(async () => {
      await signIn(token.trim());
      await client.resetQueries();
      session.getState().signedIn();
      live.retryNow();
    });
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <PasswordInput
        label={t('Token')}
        description={t('A token for {host} with role viewer, operator or admin', { host: window.location.host })}
        {...bindText(token, setToken)}
        size="sm"
        autoFocus
        autoComplete="current-password"
        required
      />
      <Button type="submit" size="sm" fullWidth mt="md" mb="md" loading={busy} disabled={token.trim() === ''}>
        {t('Sign in')}
      </Button>
      {error !== null ? <ErrorLine error={error} /> : failure !== null && <ErrorLine error={{ detail: failure }} />}
      <Stack gap={10} mt={14} fz="var(--text-normal)" c="var(--ink-2)">
        <p>
          {t(
            "The master prints a sign-in link when it starts. It signs you in once, without a token. If the link is lost or used, create a token on the master's machine and paste it here:",
          )}
        </p>
        <CommandLine
          label={t('Create a token')}
          command="npm run -s yardmaster -- tokens create --name console --role admin"
        />
        <p>{t('To see which master runs there, with its URL and data folder:')}</p>
        <CommandLine label={t('Show the status')} command="npm run -s yardmaster -- doctor" />
      </Stack>
    </form>
  );
}

function WrongConnection() {
  const { data: connections = [] } = useQuery(connectionsQuery());
  const go = (id: string) =>
    callShell('connections:select', { id, path: '/settings?tab=connections' }).catch(
      toastFailure(t('Could not switch the connection')),
    );
  return (
    <>
      <ErrorLine
        error={{
          detail: t(
            'This master rejects the saved token: it was revoked or has expired. Switch to another connection, open its settings and enter a new token for this one.',
          ),
        }}
      />
      {connections
        .filter((connection) => !connection.selected)
        .map((connection) => (
          <Button key={connection.id} variant="default" onClick={() => void go(connection.id)}>
            {t('Open {name}', { name: connection.name })}
          </Button>
        ))}
      <Button onClick={() => window.location.reload()}>{t('Try again')}</Button>
    </>
  );
}
