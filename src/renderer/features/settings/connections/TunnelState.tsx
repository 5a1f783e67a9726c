import { Button } from '@mantine/core';
import type { Connection } from '../../../../contract/ipc.ts';
import { t } from '../../../../lib/language.ts';
import { tunnelWord } from '../../../shell/frame/tunnel-text.ts';
import { callShell } from '../../../stores/desktop.ts';
import { toastFailure } from '../../../ui/toasts.tsx';
import css from '../shared/Settings.module.css';

const LOOK = { idle: 'dim', connecting: 'dim', open: css['ok'], waiting: css['bad'], failed: css['bad'] } as const;

/** How the tunnel of a connection is, why, and a way to open it again now. */
export function TunnelState({ connection: { id, name, tunnel } }: { connection: Connection }) {
  if (tunnel === null) return null;
  const again = () =>
    void callShell('connections:reconnect', { id }).catch(toastFailure(t('Could not reopen the tunnel')));
  return (
    <div className={css['tunnel']} role="status">
      <span className={LOOK[tunnel.state]}>
        {tunnelWord(tunnel)}
        {tunnel.message !== null && ':'}
      </span>
      {tunnel.message !== null && <span> {tunnel.message}</span>}{' '}
      {(tunnel.state === 'waiting' || tunnel.state === 'failed') && (
        <Button size="compact-xs" variant="default" onClick={again} aria-label={t('Reconnect now: {name}', { name })}>
          {t('Reconnect now')}
        </Button>
      )}
    </div>
  );
}
