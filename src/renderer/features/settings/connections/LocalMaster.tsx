import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { callShell, localStatusQuery } from '../../../stores/desktop.ts';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { toastError } from '../../../ui/toasts.tsx';
import css from '../shared/Settings.module.css';

const STATE_WORDS = {
  off: t('stopped'),
  starting: t('starting'),
  running: t('running'),
  restarting: t('restarting'),
  stopping: t('stopping'),
  failed: t('failed'),
} as const;

/** The master that the desktop app starts and watches. */
export function LocalMaster() {
  const { data: status, error, refetch } = useQuery(localStatusQuery());
  const [asking, setAsking] = useState(false);
  if (status === undefined)
    return error === null ? (
      <SkeletonLines lines={4} />
    ) : (
      <ErrorState
        error={error}
        what={t('Could not load the state of the local master')}
        onRetry={() => void refetch()}
        compact
      />
    );
  const run = (channel: 'local:start' | 'local:restart', what: string) =>
    void callShell(channel, null).catch((failure: unknown) => toastError(what, failure));
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
            onClick={() =>
              void callShell('local:show-data', null).catch((failure: unknown) =>
                toastError(t('Could not open the folder'), failure),
              )
            }
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
