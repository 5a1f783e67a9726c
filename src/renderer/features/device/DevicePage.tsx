import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { decideDevice, deviceQuery } from '../../api/people.ts';
import { bindText } from '../../ui/bind.ts';
import { ErrorLine } from '../../ui/ErrorState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import states from '../../ui/States.module.css';
import { TimeAgo } from '../../ui/Time.tsx';
import { useSending } from '../../ui/use-sending.ts';

const route = getRouteApi('/device');

/** Approves a program that asks to be signed in: the command line, or the desktop of another machine. */
export function DevicePage(): ReactNode {
  const { code = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(code);
  function look(event: FormEvent) {
    event.preventDefault();
    void navigate({ search: { code: typed.trim() } });
  }
  return (
    <Page>
      <PageHeader title={t('Sign in a program')} documentTitle={t('Sign in a program')} />
      <Stack maw={520} gap="md">
        <form onSubmit={look}>
          <Group align="end" gap="xs">
            <TextInput
              label={t('Code that the program shows')}
              description={t('The command line or the app on another machine shows it when it signs in.')}
              {...bindText(typed, setTyped)}
              autoComplete="off"
            />
            <Button type="submit" variant="default" disabled={typed.trim() === ''}>
              {t('Look it up')}
            </Button>
          </Group>
        </form>
        {code !== '' && <Request key={code} code={code} />}
      </Stack>
    </Page>
  );
}

function Request({ code }: { code: string }) {
  const { data, error } = useQuery(deviceQuery(code));
  const [done, setDone] = useState<'approve' | 'deny' | null>(null);
  const sending = useSending();
  if (done !== null)
    return (
      <p role="status">
        {done === 'approve'
          ? t('The program is signed in as you. You can close this page.')
          : t('Denied. The program gets nothing.')}
      </p>
    );
  if (error) return <ErrorLine error={error} />;
  if (!data) return null;
  const decide = (decision: 'approve' | 'deny') =>
    void sending.send(async () => {
      await decideDevice(data.userCode, decision);
      setDone(decision);
    });
  return (
    <Stack gap="sm">
      <div className={states['line']} data-shade="warn" role="status">
        {t(
          'Allow it only if you began this yourself a moment ago and the program shows the same code. Whoever sent you a link or a code here would get all that you may do.',
        )}
      </div>
      <dl>
        <dt className="dim">{t('Code')}</dt>
        <dd className="mono">{data.userCode}</dd>
        <dt className="dim">{t('Program, as it calls itself')}</dt>
        <dd dir="auto">{data.client}</dd>
        <dt className="dim">{t('Address')}</dt>
        <dd className="mono">{data.address ?? '–'}</dd>
        <dt className="dim">{t('Asked')}</dt>
        <dd>
          <TimeAgo at={data.createdAt} absent="–" />
        </dd>
      </dl>
      <ErrorLine error={sending.error} />
      <Group gap="xs">
        <Button onClick={() => decide('approve')} loading={sending.busy}>
          {t('Allow')}
        </Button>
        <Button variant="default" onClick={() => decide('deny')} disabled={sending.busy}>
          {t('Deny')}
        </Button>
      </Group>
    </Stack>
  );
}
