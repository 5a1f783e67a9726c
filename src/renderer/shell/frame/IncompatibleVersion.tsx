import { Button, Group } from '@mantine/core';
import { IconVersionsOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Connection } from '../../../contract/ipc.ts';
import { t } from '../../../lib/language.ts';
import { appInfoQuery, callShell, connectionsQuery } from '../../stores/desktop.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { toastFailure } from '../../ui/toasts.tsx';
import css from './IncompatibleVersion.module.css';

/** In place of the console where the master speaks another API than this app: what to do, and the other clusters. */
export function IncompatibleVersion({ connection }: { connection: Connection }): ReactNode {
  const { data: app } = useQuery(appInfoQuery());
  const { data: connections = [] } = useQuery(connectionsQuery());
  const run = (what: Promise<unknown>) => void what.catch(toastFailure(t('Action failed')));
  const others = connections.filter(({ id, skew }) => id !== connection.id && skew !== 'unsafe');
  return (
    <main id="main" tabIndex={-1} className={css['page']}>
      <h1 className={css['hidden']}>{t('Incompatible versions')}</h1>
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
                {t("Open this master's console in a browser")}
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
          'The app and the master use different APIs, so the app sends it nothing: what you see could be wrong. Use an app version that matches the master, or update the master.',
        )}
      </EmptyState>
    </main>
  );
}
