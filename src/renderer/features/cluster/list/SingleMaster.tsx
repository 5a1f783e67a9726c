import { Stack } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import type { Cluster } from '../../../../contract/cluster.ts';
import { t } from '../../../../lib/language.ts';
import { CommandLine } from '../../../ui/CommandLine.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { rich } from '../../../ui/rich.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';

/** One master, on one disk: what others beside it would bring, and how to begin. */
export function SingleMaster({ cluster: { masters } }: { cluster: Cluster }) {
  const [master] = masters;
  return (
    <EmptyState icon={IconSitemap} title={t('This master works alone')}>
      <Stack gap="sm">
        <p>
          {t(
            'Its state is on its own disk. If this machine fails, everything waits until it is back. Several masters share a PostgreSQL database instead: one owns the state, the others follow it and take over within seconds, and each of them serves the console, the API and workers.',
          )}
        </p>
        <CommandLine
          label={t('Start each master, on its own machine, with the same database:')}
          command="yardmaster master --store postgres://yardmaster@db.example.org/yardmaster"
        />
        {master && (
          <p className="dim">
            {rich('{url}, version {version}, started {time}', {
              url: master.url,
              version: master.version,
              time: <TimeAgo at={master.startedAt} />,
            })}
          </p>
        )}
      </Stack>
    </EmptyState>
  );
}
