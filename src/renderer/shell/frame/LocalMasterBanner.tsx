import { Button } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { t } from '../../../lib/language.ts';
import { callShell, connectionsQuery, localPortsQuery, localStatusQuery } from '../../stores/desktop.ts';
import states from '../../ui/States.module.css';
import { toastFailure } from '../../ui/toasts.tsx';
import css from './Frame.module.css';

/** Seldom needed, and with a field that no other part of the frame has. */
const TakenPort = lazy(async () => ({ default: (await import('./TakenPort.tsx')).TakenPort }));

/** In the desktop app, while this window shows the local cluster and its master does not run: what is wrong and the way out. */
export function LocalMasterBanner({ onRetry }: { onRetry(): void }) {
  const { data: status } = useQuery(localStatusQuery());
  const { data: connections } = useQuery(connectionsQuery());
  const selected = connections?.find((connection) => connection.selected);
  const ports = useQuery({ ...localPortsQuery(status), enabled: status?.code === 'PORT_TAKEN' });
  const taken = status?.code === 'PORT_TAKEN' ? ports.data?.find((port) => port.taken) : undefined;
  if (!status || selected?.kind !== 'local' || status.state === 'running') return null;
  const moving = status.state === 'starting' || status.state === 'restarting' || status.state === 'stopping';
  const words = {
    off: t(
      'The local master is stopped. You are seeing its last known state. Unfinished jobs continue at the next start.',
    ),
    starting: t('The local master is starting.'),
    restarting: t('The local master is restarting.'),
    stopping: t('The local master is stopping. Waiting for running tasks to finish.'),
    failed: t('The local master failed to start.'),
    running: '',
  };
  const start = () => callShell('local:start', null).then(onRetry, toastFailure(t('Could not start the local master')));
  const Icon = moving ? IconRefresh : IconAlertTriangle;
  // It stays while the app tries again by itself: somebody may be typing.
  if (taken && status.state !== 'stopping')
    return (
      <div className={css['banner']}>
        <Suspense fallback={null}>
          <TakenPort port={taken} onStart={() => void start()} onRetry={onRetry} />
        </Suspense>
      </div>
    );
  return (
    <div className={css['banner']}>
      <div role="status" className={states['line']} data-shade={moving ? 'run' : 'warn'}>
        <Icon size={16} aria-hidden />
        <span>
          {words[status.state]}{' '}
          {status.message && `${status.message.charAt(0).toUpperCase()}${status.message.slice(1)}`}
        </span>
        {!moving && (
          <Button size="compact-xs" variant="default" onClick={() => void start()}>
            {t('Start')}
          </Button>
        )}
      </div>
    </div>
  );
}
