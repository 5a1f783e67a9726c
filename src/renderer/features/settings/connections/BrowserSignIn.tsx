import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { callShell } from '../../../stores/desktop.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import type { RouteDraft } from './RouteFields.tsx';

/** Instead of pasting a token: the person approves this app in their browser. What comes of it stays in the shell. */
export function BrowserSignIn({
  url,
  route,
  onTicket,
}: {
  url: string;
  route: RouteDraft;
  onTicket(ticket: string): void;
}) {
  const [code, setCode] = useState<string | null>(null);
  const signIn = useMutation({
    async mutationFn() {
      const { ticket, userCode } = await callShell('connections:sign-in', { url, ...route });
      setCode(userCode);
      await callShell('connections:signed-in', { ticket });
      onTicket(ticket);
    },
  });
  return (
    <div>
      <Button
        variant="default"
        loading={signIn.isPending}
        disabled={!/^https?:\/\/[^/]/.test(url.trim())}
        onClick={() => signIn.mutate()}
      >
        {t('Sign in with the browser')}
      </Button>
      <p className="dim" role="status">
        {signIn.isSuccess
          ? t('Signed in: save the connection.')
          : code !== null && signIn.isPending
            ? t('Confirm the code {code} in the browser.', { code })
            : t('Instead of a token, where people sign in by name')}
      </p>
      <ErrorLine error={signIn.error} />
    </div>
  );
}
