import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconMinus, IconPlus } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import type { Task } from '../../../../contract/tasks.ts';
import { t, tn } from '../../../../lib/language.ts';
import { taskPosition } from '../tasks/task-position.ts';
import { useTaskRows } from '../tasks/use-task-rows.ts';
import { useNodeName } from '../../workflows/NodeName.tsx';
import { useChartAnnotations } from '../../dashboards/use-annotations.ts';
import { type Segment, timelineSegments, timelineSpan, timelineTicks } from './segments.ts';
import { MarkLines, Strips, type Window } from './Strips.tsx';
import { moved, zoomed } from './zoom.ts';
import { useBrush } from './use-brush.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { formatDuration, formatRoundDuration } from '../../../ui/Duration.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import { useNow } from '../../../ui/Time.tsx';
import css from './Timeline.module.css';

const ROW = 28;
const MARKS = ['publications', 'kills'] as const;
const KIND_WORDS = {
  queue: t('queued'),
  handed: t('scheduled'),
  run: t('running'),
  backoff: t('retry backoff'),
} as const;
const LEGEND: readonly (readonly [kind: string, word: string, ended?: string])[] = [
  ['queue', t('Queued')],
  ['handed', t('Scheduled')],
  ['run', t('Running')],
  ['run', t('Succeeded'), 'COMPLETED'],
  ['run', t('Failed'), 'FAILED'],
  ['backoff', t('Retry backoff')],
];

/** Each task on the time since the job began: waits, runs, attempts. Only the rows in sight are read and drawn. */
export function TimelineTab({
  job,
  current,
  chosen,
  onTask,
  onChoose,
}: {
  job: Job;
  current: string | undefined;
  chosen: Window | null;
  onTask(taskId: string): void;
  onChoose(window: Window | null): void;
}): ReactNode {
  const second = useNow();
  const nameOf = useNodeName();
  const now = job.finishedAt === null ? second : Date.parse(job.finishedAt);
  const scroll = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ first: 0, last: 30 });
  const all = useTaskRows(job.id, sight.first, sight.last);
  const virtualizer = useVirtualizer({
    count: all.totalItems,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 30;
  useEffect(() => setSight({ first, last }), [first, last]);
  const marks = useChartAnnotations(MARKS, job.finishedAt === null ? 5000 : 0);
  const shown = useRef<Window>({ from: 0, to: 1 });
  const { drag, handlers } = useBrush((a, b) => {
    const { from: start, to: end } = shown.current;
    onChoose({ from: Math.floor(start + a * (end - start)), to: Math.ceil(start + b * (end - start)) });
  });
  if (all.error !== null && all.totalItems === 0)
    return <ErrorState what={t("Could not load the job's tasks")} error={all.error} onRetry={all.refetch} />;
  if (all.isPending) return <SkeletonLines lines={8} />;
  if (all.totalItems === 0) return <EmptyState title={t('No timeline')}>{t('The job has no tasks.')}</EmptyState>;

  const lanes = items.map((item) => {
    const task = all.at(item.index);
    return { item, task, segments: task === undefined ? [] : timelineSegments(task, now) };
  });
  const start = Date.parse(job.createdAt);
  const span = timelineSpan(lanes.map((lane) => lane.segments)) ?? { from: start, to: now };
  const begin = Math.min(start, span.from);
  const whole: Window = { from: begin, to: begin + Math.max(1, now - begin, span.to - begin) };
  const { from } = chosen ?? whole;
  const length = Math.max(1, (chosen ?? whole).to - from);
  const window: Window = { from, to: from + length };
  shown.current = window;
  const left = (ms: number) => `${((ms - from) / length) * 100}%`;
  const steps: Readonly<Record<string, () => void>> = {
    '+': () => onChoose(zoomed(window, whole, 2)),
    '=': () => onChoose(zoomed(window, whole, 2)),
    '-': () => onChoose(zoomed(window, whole, 0.5)),
    '0': () => onChoose(null),
    ArrowLeft: () => chosen && onChoose(moved(window, whole, -0.25)),
    ArrowRight: () => chosen && onChoose(moved(window, whole, 0.25)),
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    step();
  };
  return (
    <div className={css['timeline']} onKeyDown={onKeyDown}>
      <ul className={css['legend']} aria-label={t('Legend')}>
        {LEGEND.map(([kind, word, ended]) => (
          <li key={word}>
            <span className={css['swatch']} data-kind={kind} data-ended={ended} />
            {word}
          </li>
        ))}
        <li>
          <ActionIcon.Group aria-label={t('Time range')}>
            {(
              [
                [t('Earlier (left arrow)'), IconChevronLeft, 'ArrowLeft', chosen === null],
                [t('Zoom out (-)'), IconMinus, '-', chosen === null],
                [t('Zoom in (+)'), IconPlus, '+', false],
                [t('Later (right arrow)'), IconChevronRight, 'ArrowRight', chosen === null],
              ] as const
            ).map(([name, Icon, key, off]) => (
              <ActionIcon
                key={key}
                variant="default"
                size="sm"
                aria-label={name}
                data-hint={name}
                disabled={off}
                onClick={() => steps[key]?.()}
              >
                <Icon size={14} aria-hidden />
              </ActionIcon>
            ))}
          </ActionIcon.Group>
        </li>
        {chosen && (
          <li>
            <Button size="compact-xs" variant="light" onClick={() => onChoose(null)}>
              {t('Show whole job')}
            </Button>
          </li>
        )}
        <li className="dim">
          <span role="status">
            {formatDuration(length)} {chosen ? t('selected') : t('in total')},{' '}
            {tn('{count} task', '{count} tasks', all.totalItems)}
          </span>
        </li>
      </ul>
      <div ref={scroll} className={css['scroll']} tabIndex={0} role="region" aria-label={t('Task timeline')}>
        <div className={css['axis']}>
          <div className={css['plot']} {...handlers} data-brush title={t('Drag to select a time range')} aria-hidden>
            {drag && (
              <span
                className={css['brush']}
                style={{ left: `${drag.from * 100}%`, width: `${(drag.to - drag.from) * 100}%` }}
              />
            )}
            {timelineTicks(length, 8).map((tick) => (
              <span key={tick} className={css['tick']} style={{ left: left(from + tick) }}>
                {chosen ? formatDuration(tick + from - start) : formatRoundDuration(tick)}
              </span>
            ))}
          </div>
        </div>
        <Strips job={job} window={window} open={job.finishedAt === null} />
        <div className={css['rows']} style={{ height: virtualizer.getTotalSize() }}>
          <div className={css['marks']} aria-hidden>
            <div className={css['plot']}>
              <MarkLines marks={marks} window={window} />
            </div>
          </div>
          {lanes.map(({ item, task, segments }) => {
            if (task === undefined)
              return (
                <div
                  key={item.key}
                  className={css['row']}
                  style={{ transform: `translateY(${item.start}px)`, height: ROW }}
                />
              );
            return (
              <button
                key={task.id}
                type="button"
                className={css['row']}
                data-current={task.id === current || undefined}
                style={{ transform: `translateY(${item.start}px)`, height: ROW }}
                onClick={() => onTask(task.id)}
                aria-label={spoken(task, nameOf(task.node), segments)}
              >
                <span className={css['name']}>
                  {nameOf(task.node)}
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
                        left: `min(${left(segment.from)}, 100% - 2px)`,
                        width: `max(2px, ${((segment.to - segment.from) / length) * 100}%)`,
                      }}
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
