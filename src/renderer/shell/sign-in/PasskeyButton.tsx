import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { SignInWays } from '../../../contract/users.ts';
import { t } from '../../../lib/language.ts';
import { browserHasPasskeys, signInByPasskey } from '../../api/passkeys.ts';
import { useStores } from '../../stores/context.tsx';
import { ErrorLine } from '../../ui/ErrorState.tsx';
import { useSending } from '../../ui/use-sending.ts';

/** The browser offers the passkeys that it has for this address: no name is asked for. */
export function PasskeyButton({ where }: { where: NonNullable<SignInWays['passkey']> }) {
  const { session, live } = useStores();
  const client = useQueryClient();
  const { busy, error, send } = useSending();
  if (where === 'elsewhere' || !browserHasPasskeys())
    return (
      <p className="dim">
        {where === 'elsewhere'
          ? t('Passkeys of this master are for another of its addresses.')
          : t('This browser has no passkeys, or not at this address.')}
      </p>
    );
  const signIn = () =>
    send(async () => {
      await signInByPasskey();
      await client.resetQueries();
      session.getState().signedIn();
      live.retryNow();
    });
  return (
    <>
      <Button
        variant="default"
        size="sm"
        fullWidth
        loading={busy}
        leftSection={<IconFingerprint size={16} aria-hidden />}
        onClick={() => void signIn()}
      >
        {t('Sign in with a passkey')}
      </Button>
      <ErrorLine error={error} />
    </>
  );
}
