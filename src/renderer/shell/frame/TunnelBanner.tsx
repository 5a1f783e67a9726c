import { Button } from '@mantine/core';
import { IconRefresh, IconRouteOff } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { Connection } from '../../../contract/ipc.ts';
import { t } from '../../../lib/language.ts';
import { callShell } from '../../stores/desktop.ts';
import states from '../../ui/States.module.css';
import { toastFailure } from '../../ui/toasts.tsx';
import css from './Frame.module.css';

/** In the desktop app, while the tunnel of the connection shown is not open: what is wrong, and the way out. */
export function TunnelBanner({ connection: { id, tunnel } }: { connection: Connection }) {
  const navigate = useNavigate();
  if (tunnel === null || tunnel.state === 'open') return null;
  const stuck = tunnel.state === 'failed';
  const moving = tunnel.state === 'connecting' || tunnel.state === 'idle';
  const Icon = moving ? IconRefresh : IconRouteOff;
  const words = {
    idle: t('The tunnel to this cluster is not open.'),
    connecting: t('Opening the tunnel to this cluster.'),
    open: '',
    waiting: t('The tunnel to this cluster was lost. The app reconnects automatically.'),
    failed: t('The tunnel to this cluster could not be opened.'),
  };
  const again = () =>
    void callShell('connections:reconnect', { id }).catch(toastFailure(t('Could not reopen the tunnel')));
  return (
    <div className={css['banner']}>
      <div role="status" className={states['line']} data-shade={moving ? 'run' : stuck ? 'fail' : 'warn'}>
        <Icon size={16} aria-hidden />
        <span>
          <strong>{words[tunnel.state]}</strong>{' '}
          {tunnel.message && `${tunnel.message.charAt(0).toUpperCase()}${tunnel.message.slice(1)}.`}
        </span>
        {!moving && (
          <Button size="compact-xs" variant="default" onClick={again}>
            {t('Reconnect now')}
          </Button>
        )}
        {stuck && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => void navigate({ to: '/settings', search: { tab: 'connections' } })}
          >
            {t('Manage connections')}
          </Button>
        )}
      </div>
    </div>
  );
}
