import { Switch } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { LogFilters } from '../../api/logs.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import css from './LogPane.module.css';
import { LogPane } from './LogPane.tsx';
import { useLogs } from './use-logs.ts';

/** The lines of one job or task. Live while it runs, held while they are read. */
export function LiveLogs({ label, filters, live, empty, actions }: { label: string; filters: LogFilters; live: boolean; empty: string; actions?: ReactNode }): ReactNode {
  const [wrap, setWrap] = useState(true);
  const logs = useLogs(filters, live);
  const [mark, setMark] = useState(0);
  return (
    <div className={css['pane']}>
      <div className={css['bar']}>
        <Switch label="Wrap lines" checked={wrap} onChange={(event) => setWrap(event.currentTarget.checked)} />
        <span className="dim" role="status">
          {live && { off: '', connecting: 'Connecting…', live: 'Live', broken: 'The live stream is down, trying again…' }[logs.tail]}
        </span>
        {actions}
      </div>
      <LogPane
        key={mark}
        label={label}
        logs={logs}
        filters={filters}
        wrap={wrap}
        paused={false}
        onReading={logs.hold}
        onResume={() => {
          logs.hold(false);
          setMark((n) => n + 1);
        }}
        empty={
          <EmptyState title="No log lines">{empty}</EmptyState>
        }
      />
    </div>
  );
}
