import { Button } from '@mantine/core';
import { IconArrowUp, IconFileText } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import type { LogFilters } from '../../api/logs.ts';
import { formatCount } from '../../ui/Duration.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SkeletonLines } from '../../ui/Skeletons.tsx';
import { StaleLine } from '../../ui/StaleLine.tsx';
import { needlesOf } from '../log-query/tokens.ts';
import { LogList } from './LogList.tsx';
import css from './LogPane.module.css';
import type { LogsState } from './use-logs.ts';

export interface LogPaneProps {
  readonly label: string;
  readonly logs: LogsState;
  readonly filters: LogFilters;
  readonly wrap: boolean;
  /** Held by hand. */
  readonly paused: boolean;
  readonly onFilter?: (field: string, value: string, negate: boolean) => void;
  /** What is said where nothing matches. */
  readonly empty: ReactNode;
  onReading(reading: boolean): void;
  onResume(): void;
}

/** Lines with all of their states: on their way, none, failed, kept though old, waiting above. */
export function LogPane({ label, logs, filters, wrap, paused, onFilter, empty, onReading, onResume }: LogPaneProps): ReactNode {
  const { snapshot, phase, error, hasRead } = logs;
  const needles = useMemo(() => needlesOf(filters.query ?? ''), [filters.query]);
  if (!hasRead) {
    if (phase === 'failed') return <ErrorState what="The logs could not be read" error={error} onRetry={logs.reload} />;
    return (
      <div className={css['blank']}>
        <SkeletonLines lines={12} />
      </div>
    );
  }
  return (
    <div className={css['pane']}>
      {phase === 'failed' && <StaleLine error={error} updatedAt={logs.updatedAt} onRetry={logs.reload} />}
      {snapshot.held > 0 && (
        <Button className={css['news']} size="compact-sm" leftSection={<IconArrowUp size={14} aria-hidden />} onClick={onResume}>
          {formatCount(snapshot.held)} new {snapshot.held === 1 ? 'line' : 'lines'}
        </Button>
      )}
      <span className="visually-hidden" role="status">
        {snapshot.held > 0 ? `${snapshot.held} new lines wait` : paused ? 'Paused' : ''}
      </span>
      {snapshot.length === 0 ? (
        <div className={css['blank']}>{empty ?? <EmptyState icon={IconFileText} title="No line matches" />}</div>
      ) : (
        <LogList
          label={label}
          snapshot={snapshot}
          wrap={wrap}
          needles={needles}
          old={phase !== 'ready'}
          hasOlder={logs.hasOlder}
          olderBusy={logs.olderBusy}
          olderError={logs.olderError}
          loadOlder={logs.loadOlder}
          onFilter={onFilter}
          onReading={onReading}
        />
      )}
      {(snapshot.skipped > 0 || snapshot.dropped > 0) && (
        <p className={css['note']} role="note">
          {snapshot.skipped > 0 && `${formatCount(snapshot.skipped)} lines came too fast to be shown; the store has them: search for them. `}
          {snapshot.dropped > 0 && `${formatCount(snapshot.dropped)} older lines were let go from this window; the store has them.`}
        </p>
      )}
    </div>
  );
}
