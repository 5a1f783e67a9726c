import { type ReactNode, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { desktop, callShell, localStatusQuery } from '../../../stores/desktop.ts';
import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../../api/overview.ts';
import { useLive } from '../../../stores/context.tsx';
import { useAccount } from '../../../stores/role.ts';
import { CommandLine } from '../../../ui/CommandLine.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { Backup } from './Backup.tsx';
import { DesktopConnections } from './DesktopConnections.tsx';
import { LocalPorts } from './LocalPorts.tsx';
import css from '../shared/Settings.module.css';
import { Button, Group } from '@mantine/core';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { toastFailure } from '../../../ui/toasts.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { useReach } from '../../../stores/role.ts';

/** In the desktop app: the clusters it can open and the local master. In a browser: the one master that served the page. */
export function ConnectionsTab(): ReactNode {
  return (
    <>
      {desktop() ? (
        <>
          <DesktopConnections />
          <LocalMaster />
        </>
      ) : (
        <OwnMaster />
      )}
      <Backup />
    </>
  );
}

const MODES = {
  connecting: t('connecting'),
  live: t('live: updates arrive in real time'),
  polling: t('disconnected: refreshing every 5 s'),
  offline: t('disconnected: the master is not responding'),
} as const;

function OwnMaster() {
  const mode = useLive((s) => s.mode);
  const account = useAccount();
  const { data } = useQuery({ ...settingsQuery(), enabled: useReach('settings.get') });
  const origin = window.location.origin;
  return (
    <Section title={t('This master')}>
      <div className={css['stack']}>
        <Facts
          items={[
            { label: t('URL'), value: <span className="mono">{origin}</span> },
            { label: t('Version'), value: data?.version ?? '–' },
            { label: t('Live stream'), value: MODES[mode] },
            {
              label: t('Signed in as'),
              value: account === null ? '–' : t('{actor}, role {role}', { actor: account.actor, role: account.roles }),
            },
          ]}
        />
        <p className="dim">
          {t(
            'In a browser you see only the master that serves this page. The desktop app manages several connections.',
          )}
        </p>
        <CommandLine
          label={t('Connect to this master from a terminal')}
          command={`YARDMASTER_URL=${origin} YARDMASTER_TOKEN=… yardmaster jobs list`}
        />
      </div>
    </Section>
  );
}

const STATE_WORDS = {
  off: t('stopped'),
  starting: t('starting'),
  running: t('running'),
  restarting: t('restarting'),
  stopping: t('stopping'),
  failed: t('failed'),
} as const;

/** The master that the desktop app starts and watches. */
function LocalMaster() {
  const { data: status, error, refetch } = useQuery(localStatusQuery());
  const [asking, setAsking] = useState(false);
  if (status === undefined)
    return (
      <Loading query={{ error, refetch }} what={t('Could not load the state of the local master')} lines={4} compact />
    );
  const run = (channel: 'local:start' | 'local:restart', what: string) =>
    void callShell(channel, null).catch(toastFailure(what));
  const running = status.state === 'running';
  return (
    <Section
      title={t('Local master')}
      actions={
        <Group gap={6}>
          {running ? (
            status.adopted ? null : (
              <>
                <Button variant="default" onClick={() => run('local:restart', t('Could not restart the local master'))}>
                  {t('Restart')}
                </Button>
                <Button variant="default" onClick={() => setAsking(true)}>
                  {t('Stop')}
                </Button>
              </>
            )
          ) : (
            <Button
              onClick={() => run('local:start', t('Could not start the local master'))}
              disabled={status.state === 'starting' || status.state === 'restarting'}
            >
              {t('Start')}
            </Button>
          )}
          <Button
            variant="default"
            onClick={() => void callShell('local:show-data', null).catch(toastFailure(t('Could not open the folder')))}
          >
            {t('Show data folder')}
          </Button>
        </Group>
      }
    >
      <div className={css['stack']}>
        <Facts
          items={[
            {
              label: t('State'),
              value: status.adopted
                ? t('{state}, started outside the app', { state: STATE_WORDS[status.state] })
                : STATE_WORDS[status.state],
            },
            { label: t('Since'), value: <TimeAgo at={status.since} /> },
            { label: t('URL'), value: status.url === null ? '–' : <span className="mono">{status.url}</span> },
            { label: t('Process'), value: status.pid ?? '–' },
            { label: t('Unexpected restarts'), value: status.restarts },
            { label: t('Data folder'), value: <span className="mono">{status.dataFolder}</span> },
          ]}
        />
        {status.message && <div role="status">{status.message}</div>}
        <LocalPorts status={status} />
        {status.lines.length > 0 && (
          <pre className={css['lines']} tabIndex={0} aria-label={t('Recent output of the local master')}>
            {status.lines.join('\n')}
          </pre>
        )}
      </div>
      <ConfirmAction
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('Stop the local master?')}
        confirmLabel={t('Stop master')}
        danger
        onConfirm={async () => void (await callShell('local:stop', null))}
      >
        {t(
          'Running tasks finish first. Endpoint calls are rejected until the master is started again; accepted jobs continue then.',
        )}
      </ConfirmAction>
    </Section>
  );
}
