import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useMemo, useRef } from 'react';
import type { Job, Task } from '../../../contract/api.ts';
import type { JobTasks } from '../../parts/job-tasks/use-job-tasks.ts';
import { type Segment, segmentsOf, spanOf, ticksOf } from '../../parts/job-timeline/segments.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { formatCount, formatDuration } from '../../ui/Duration.tsx';
import { SkeletonLines } from '../../ui/Skeletons.tsx';
import { useNow } from '../../ui/Time.tsx';
import css from './Timeline.module.css';

const ROW = 28;
const KIND_WORDS = { queue: 'waits for a worker', handed: 'given to a worker', run: 'runs', backoff: 'waits for its retry' } as const;
const LEGEND = [
  ['queue', 'Waits for a worker'],
  ['handed', 'Given to a worker'],
  ['run', 'Runs'],
  ['failed', 'Run that failed'],
  ['backoff', 'Waits for its retry'],
] as const;

interface Lane {
  readonly task: Task;
  readonly segments: readonly Segment[];
}

/** Each task on the time since the job began: waits, runs, attempts. */
export function TimelineTab({ job, all, current, onTask }: { job: Job; all: JobTasks; current: string | undefined; onTask(taskId: string): void }): ReactNode {
  const second = useNow();
  const now = job.finishedAt === null ? second : Date.parse(job.finishedAt);
  const lanes = useMemo(
    () => all.tasks?.map((task): Lane => ({ task, segments: segmentsOf(task, now) })).sort((a, b) => a.task.replica - b.task.replica || Date.parse(a.task.history[0]?.at ?? a.task.readyAt) - Date.parse(b.task.history[0]?.at ?? b.task.readyAt)),
    [all.tasks, now],
  );
  const scroll = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({ count: lanes?.length ?? 0, getScrollElement: () => scroll.current, estimateSize: () => ROW, overscan: 10 });
  if (all.error && !lanes) return <ErrorState what="The tasks of the job could not be read" error={all.error} onRetry={all.refetch} />;
  if (!lanes) return <SkeletonLines lines={8} />;
  if (lanes.length === 0) return <EmptyState title="Nothing to draw">The job has made no task.</EmptyState>;

  const start = Date.parse(job.createdAt);
  const span = spanOf(lanes.map((lane) => lane.segments)) ?? { from: start, to: now };
  const from = Math.min(start, span.from);
  const length = Math.max(1, span.to - from);
  const left = (ms: number) => `${((ms - from) / length) * 100}%`;
  return (
    <div className={css['timeline']}>
      <ul className={css['legend']} aria-label="Legend">
        {LEGEND.map(([kind, word]) => (
          <li key={kind}>
            <span className={css['swatch']} data-kind={kind === 'failed' ? 'run' : kind} data-ended={kind === 'failed' ? 'FAILED' : undefined} />
            {word}
          </li>
        ))}
        <li className="dim">{formatDuration(length)} in all{all.totalItems > lanes.length ? `, the first ${formatCount(lanes.length)} of ${formatCount(all.totalItems)} tasks` : ''}</li>
      </ul>
      <div ref={scroll} className={css['scroll']} tabIndex={0} role="region" aria-label="Timeline of the tasks">
        <div className={css['axis']} aria-hidden>
          <div className={css['plot']}>
            {ticksOf(length, 8).map((tick) => (
              <span key={tick} className={css['tick']} style={{ left: left(from + tick) }}>
                {formatDuration(tick)}
              </span>
            ))}
          </div>
        </div>
        <div className={css['rows']} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const { task, segments } = lanes[item.index] as Lane;
            return (
              <button key={task.id} type="button" className={css['row']} data-current={task.id === current || undefined} style={{ transform: `translateY(${item.start}px)`, height: ROW }} onClick={() => onTask(task.id)} aria-label={spoken(task, segments)}>
                <span className={css['name']}>
                  {task.node}
                  <span className="dim numbers"> #{task.replica}</span>
                </span>
                <span className={css['plot']}>
                  {segments.map((segment) => (
                    <span
                      key={`${segment.from} ${segment.kind}`}
                      className={css['segment']}
                      data-kind={segment.kind}
                      data-ended={segment.ended ?? undefined}
                      title={`${KIND_WORDS[segment.kind]}, attempt ${segment.attempt}: ${formatDuration(segment.to - segment.from)}`}
                      style={{ left: left(segment.from), width: `max(2px, ${((segment.to - segment.from) / length) * 100}%)` }}
                    />
                  ))}
                </span>
              </button>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function spoken(task: Task, segments: readonly Segment[]): string {
  const parts = segments.map((segment) => `${KIND_WORDS[segment.kind]} ${formatDuration(segment.to - segment.from)}${segment.ended === 'FAILED' ? ' and fails' : ''}`);
  return `${task.node} #${task.replica}: ${parts.join(', ')}`;
}
