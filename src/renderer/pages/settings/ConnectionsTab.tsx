import type { ReactNode } from 'react';
import { desktop } from '../../stores/desktop.ts';
import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../api/overview.ts';
import { useLive } from '../../stores/context.tsx';
import { useRole } from '../../stores/role.ts';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { Facts } from '../../ui/Field.tsx';
import { Section } from '../../ui/Segment.tsx';
import { DesktopConnections } from './DesktopConnections.tsx';
import { LocalMaster } from './LocalMaster.tsx';
import css from './SettingsPage.module.css';

/** In the desktop app: the clusters it can open and the local master. In a browser: the one master that served the page. */
export function ConnectionsTab(): ReactNode {
  return desktop() ? (
    <>
      <DesktopConnections />
      <LocalMaster />
    </>
  ) : (
    <OwnMaster />
  );
}

const MODES = { connecting: 'being opened', live: 'live: changes arrive as they happen', polling: 'down: everything is read every 5 s', offline: 'down: the master does not answer' } as const;

function OwnMaster() {
  const mode = useLive((s) => s.mode);
  const { actor, role } = useRole();
  const { data } = useQuery(settingsQuery());
  const origin = window.location.origin;
  return (
    <Section title="This master">
      <div className={css['stack']}>
        <Facts
          items={[
            { label: 'Address', value: <span className="mono">{origin}</span> },
            { label: 'Version', value: data?.version ?? '–' },
            { label: 'Live stream', value: MODES[mode] },
            { label: 'Signed in as', value: actor === null ? '–' : `${actor}, role ${role}` },
          ]}
        />
        <p className="dim">A browser shows the master that served the page. The desktop app keeps several connections and switches between them.</p>
        <CommandLine label="Reach this master from a terminal" command={`YARDMASTER_URL=${origin} YARDMASTER_TOKEN=… yardmaster jobs list`} />
      </div>
    </Section>
  );
}
