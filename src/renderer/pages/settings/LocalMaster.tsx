import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askShell, localStatusQuery } from '../../stores/desktop.ts';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Facts } from '../../ui/Field.tsx';
import { Section } from '../../ui/Segment.tsx';
import { SkeletonLines } from '../../ui/Skeletons.tsx';
import { TimeAgo } from '../../ui/Time.tsx';
import { sayFailed } from '../../ui/toasts.tsx';
import css from './SettingsPage.module.css';

/** The master that the desktop app starts and watches. */
export function LocalMaster() {
  const { data: status, error, refetch } = useQuery(localStatusQuery());
  const [asking, setAsking] = useState(false);
  if (status === undefined) return error === null ? <SkeletonLines lines={4} /> : <ErrorState error={error} what="The state of the local master could not be read" onRetry={() => void refetch()} compact />;
  const run = (channel: 'local:start' | 'local:restart', what: string) => void askShell(channel, null).catch((failure: unknown) => sayFailed(what, failure));
  const running = status.state === 'running';
  return (
    <Section
      title="Local master"
      actions={
        <Group gap={6}>
          {running ? (
            <>
              <Button variant="default" onClick={() => run('local:restart', 'The local master could not be restarted')}>
                Restart
              </Button>
              <Button variant="default" onClick={() => setAsking(true)}>
                Stop
              </Button>
            </>
          ) : (
            <Button onClick={() => run('local:start', 'The local master could not be started')} disabled={status.state === 'starting' || status.state === 'restarting'}>
              Start
            </Button>
          )}
          <Button variant="default" onClick={() => void askShell('local:show-data', null).catch((failure: unknown) => sayFailed('The folder could not be shown', failure))}>
            Show data folder
          </Button>
        </Group>
      }
    >
      <div className={css['stack']}>
        <Facts
          items={[
            { label: 'State', value: `${status.state}${status.adopted ? ', started outside the app' : ''}` },
            { label: 'Since', value: <TimeAgo at={status.since} /> },
            { label: 'Address', value: status.url === null ? '–' : <span className="mono">{status.url}</span> },
            { label: 'Process', value: status.pid ?? '–' },
            { label: 'Unasked restarts', value: status.restarts },
            { label: 'Data folder', value: <span className="mono">{status.dataFolder}</span> },
          ]}
        />
        {status.message && <div role="status">{status.message}</div>}
        {status.lines.length > 0 && (
          <pre className={css['lines']} tabIndex={0} aria-label="Last lines of the local master">
            {status.lines.join('\n')}
          </pre>
        )}
      </div>
      <ConfirmAction opened={asking} onClose={() => setAsking(false)} title="Stop the local master?" confirmLabel="Stop the master" danger onConfirm={async () => void (await askShell('local:stop', null))}>
        Running tasks end first. Calls of its endpoints are refused until it is started again; accepted jobs go on then.
      </ConfirmAction>
    </Section>
  );
}
