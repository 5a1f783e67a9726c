import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { desktop } from '../../../stores/desktop.ts';
import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../../api/overview.ts';
import { useLive } from '../../../stores/context.tsx';
import { useRole } from '../../../stores/role.ts';
import { CommandLine } from '../../../ui/CommandLine.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { Backup } from './Backup.tsx';
import { DesktopConnections } from './DesktopConnections.tsx';
import { LocalMaster } from './LocalMaster.tsx';
import css from '../shared/Settings.module.css';

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
  const { actor, role } = useRole();
  const { data } = useQuery(settingsQuery());
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
              value: actor === null ? '–' : t('{actor}, role {role}', { actor, role: role ?? '–' }),
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
