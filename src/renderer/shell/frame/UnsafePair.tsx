import { Button, Group } from '@mantine/core';
import { IconVersionsOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Connection } from '../../../contract/ipc.ts';
import { t } from '../../../lib/language.ts';
import { appInfoQuery, callShell, connectionsQuery } from '../../stores/desktop.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { toastError } from '../../ui/toasts.tsx';
import css from './UnsafePair.module.css';

/** In place of the console where the master speaks another API than this app: what to do, and the other clusters. */
export function UnsafePair({ connection }: { connection: Connection }): ReactNode {
  const { data: app } = useQuery(appInfoQuery());
  const { data: connections = [] } = useQuery(connectionsQuery());
  const run = (what: Promise<unknown>) =>
    void what.catch((error: unknown) => toastError(t('That did not work'), error));
  const others = connections.filter(({ id, skew }) => id !== connection.id && skew !== 'unsafe');
  return (
    <main id="main" tabIndex={-1} className={css['page']}>
      <h1 className={css['hidden']}>{t('App and master do not fit')}</h1>
      <EmptyState
        icon={IconVersionsOff}
        title={t('{name} is version {version}, this app is {app}', {
          name: connection.name,
          version: connection.version ?? '–',
          app: app?.version ?? '–',
        })}
        action={
          <Group gap="xs" justify="center">
            {connection.url?.startsWith('https:') && (
              <Button onClick={() => run(callShell('app:open-external', connection.url ?? ''))}>
                {t("Open the master's own console in a browser")}
              </Button>
            )}
            {others.map(({ id, name }) => (
              <Button key={id} variant="default" onClick={() => run(callShell('connections:select', { id }))}>
                {t('Go to {name}', { name })}
              </Button>
            ))}
            <Button variant="default" onClick={() => window.location.reload()}>
              {t('Try again')}
            </Button>
          </Group>
        }
      >
        {t(
          'They speak different APIs, so nothing is sent to it: half of what you would see could be wrong. Take an app of the version line of the master, or bring the master to that of the app.',
        )}
      </EmptyState>
    </main>
  );
}
