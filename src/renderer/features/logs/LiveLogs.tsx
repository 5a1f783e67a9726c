import { Group, Switch } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../../../lib/language.ts';
import type { LogFilters } from '../../api/logs.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { SLOW_MS } from './list/follow.ts';
import css from './list/LogPane.module.css';
import { LogPane } from './list/LogPane.tsx';
import { useLogs } from './list/use-logs.ts';

const TAIL = {
  off: '',
  connecting: t('Connecting…'),
  live: t('Live'),
  broken: t('Live stream disconnected, reconnecting…'),
  slow: t('Refreshing every {count} s', { count: SLOW_MS / 1000 }),
} as const;

/** The lines of one job, task or worker. Live while it runs; nothing moves while somebody reads further up. */
export function LiveLogs({
  label,
  filters,
  live,
  empty,
  actions,
}: {
  label: string;
  filters: LogFilters;
  live: boolean;
  empty: string;
  actions?: ReactNode;
}): ReactNode {
  const [wrap, setWrap] = useState(true);
  const logs = useLogs(filters, live);
  return (
    <div className={css['pane']}>
      <Group gap="6px 14px" fz="var(--text-small)">
        <Switch label={t('Wrap lines')} checked={wrap} onChange={(event) => setWrap(event.currentTarget.checked)} />
        <span className="dim" role="status">
          {live && TAIL[logs.tail]}
        </span>
        {actions}
      </Group>
      <LogPane
        label={label}
        logs={logs}
        filters={filters}
        live={live}
        wrap={wrap}
        empty={<EmptyState title={t('No log lines')}>{empty}</EmptyState>}
      />
    </div>
  );
}
