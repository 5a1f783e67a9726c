import type { ReactNode } from 'react';
import type { Task } from '../../../../contract/tasks.ts';
import { t } from '../../../../lib/language.ts';
import { formatDuration } from '../../../ui/Duration.tsx';
import { taskPosition } from '../tasks/task-position.ts';
import type { Segment } from './segments.ts';
import type { TimelineWindow } from './TimelineOverlays.tsx';
import css from './Timeline.module.css';

/** Pixels of a row. */
export const ROW_HEIGHT = 28;
const KIND_WORDS = {
  queue: t('queued'),
  handed: t('scheduled'),
  run: t('running'),
  wait: t('waiting'),
  backoff: t('retry back-off'),
} as const;
/** One task: its name, and what became of it over the time that is shown. Nothing stands in it until the task is read. */
export function TimelineRow({
  top,
  task,
  segments,
  name,
  isCurrent,
  window: { from, to },
  onTask,
}: {
  top: number;
  task: Task | undefined;
  segments: readonly Segment[];
  name: string;
  isCurrent: boolean;
  window: TimelineWindow;
  onTask(taskId: string): void;
}): ReactNode {
  const style = { transform: `translateY(${top}px)`, height: ROW_HEIGHT };
  if (task === undefined) return <div className={css['row']} style={style} />;
  const percent = (ms: number) => (ms / (to - from)) * 100;
  return (
    <button
      type="button"
      className={css['row']}
      data-current={isCurrent || undefined}
      style={style}
      onClick={() => onTask(task.id)}
      aria-label={spoken(task, name, segments)}
    >
      <span className={`clip ${css['name']}`}>
        {name}
        <span className="dim numbers"> #{taskPosition(task)}</span>
      </span>
      <span className={css['plot']}>
        {segments.map((segment) => (
          <span
            key={`${segment.from} ${segment.kind}`}
            className={css['segment']}
            data-kind={segment.kind}
            data-ended={segment.ended ?? undefined}
            title={t('{value}, attempt {attempt}: {count}', {
              value: KIND_WORDS[segment.kind],
              attempt: segment.attempt,
              count: formatDuration(segment.to - segment.from),
            })}
            style={{
              left: `min(${percent(segment.from - from)}%, 100% - 2px)`,
              width: `max(2px, ${percent(segment.to - segment.from)}%)`,
            }}
          />
        ))}
      </span>
    </button>
  );
}

function spoken(task: Task, node: string, segments: readonly Segment[]): string {
  const parts = segments.map((segment) =>
    segment.ended === 'FAILED'
      ? t('{kind} {duration}, failed', {
          kind: KIND_WORDS[segment.kind],
          duration: formatDuration(segment.to - segment.from),
        })
      : `${KIND_WORDS[segment.kind]} ${formatDuration(segment.to - segment.from)}`,
  );
  return `${node} #${taskPosition(task)}: ${parts.join(', ')}`;
}
