import { ActionIcon, Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconMinus, IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import { t, tn } from '../../../../lib/language.ts';
import { type TaskRows, useTaskRows } from '../tasks/use-task-rows.ts';
import { useNodeName } from '../../workflows/NodeName.tsx';
import { useChartAnnotations } from '../../dashboards/use-annotations.ts';
import { timelineSegments, timelineSpan, timelineTicks } from './segments.ts';
import { MarkerLines, TimelineOverlays, type TimelineWindow } from './TimelineOverlays.tsx';
import { panRange, zoomRange } from './zoom.ts';
import { useBrush } from './use-brush.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { formatDuration, formatRoundDuration } from '../../../ui/Duration.tsx';
import { useNow } from '../../../ui/Time.tsx';
import { useLongScroll } from '../../../ui/use-long-scroll.ts';
import { ROW_HEIGHT, TimelineRow } from './TimelineRow.tsx';
import css from './Timeline.module.css';
import { Loading } from '../../../ui/Loading.tsx';

/** Pixels of the axis, which stays above the rows. */
const AXIS = 26;
const MARKS = ['publications', 'kills'] as const;
const LEGEND: readonly (readonly [kind: string, word: string, ended?: string])[] = [
  ['queue', t('Queued')],
  ['handed', t('Scheduled')],
  ['run', t('Running')],
  ['wait', t('Waiting')],
  ['run', t('Completed'), 'COMPLETED'],
  ['run', t('Failed'), 'FAILED'],
  ['backoff', t('Retry back-off')],
];

interface TimelineTabProps {
  readonly job: Job;
  readonly current: string | undefined;
  readonly chosen: TimelineWindow | null;
  onTask(taskId: string): void;
  onChoose(window: TimelineWindow | null): void;
}

/** Each task on the time since the job began: waits, runs, attempts. Only the rows in sight are read and drawn. */
export function TimelineTab(props: TimelineTabProps): ReactNode {
  const [sight, setSight] = useState({ first: 0, last: 30 });
  const all = useTaskRows(props.job.id, sight.first, sight.last);
  if (all.isPending || (all.error !== null && all.totalItems === 0))
    return <Loading query={all} what={t("Could not load the job's tasks")} lines={8} />;
  if (all.totalItems === 0) return <EmptyState title={t('No timeline')}>{t('The job has no tasks.')}</EmptyState>;
  return <Timeline {...props} all={all} onSight={setSight} />;
}

function Timeline({
  job,
  current,
  chosen,
  onTask,
  onChoose,
  all,
  onSight,
}: TimelineTabProps & { all: TaskRows; onSight(rows: { first: number; last: number }): void }): ReactNode {
  const second = useNow();
  const nameOf = useNodeName();
  const now = job.finishedAt === null ? second : Date.parse(job.finishedAt);
  const scroll = useRef<HTMLDivElement>(null);
  const { ref: strips, height } = useElementSize();
  const long = useLongScroll({
    scrollRef: scroll,
    count: all.totalItems,
    rowHeight: ROW_HEIGHT,
    above: AXIS + height,
    around: 10,
  });
  const { first, last } = long;
  useEffect(() => onSight({ first, last: last - 1 }), [onSight, first, last]);
  const marks = useChartAnnotations(MARKS, job.finishedAt === null ? 5000 : 0);
  const shown = useRef<TimelineWindow>({ from: 0, to: 1 });
  const { drag, handlers } = useBrush((a, b) => {
    const { from: start, to: end } = shown.current;
    onChoose({ from: Math.floor(start + a * (end - start)), to: Math.ceil(start + b * (end - start)) });
  });
  const lanes = Array.from({ length: last - first }, (_, i) => {
    const task = all.at(first + i);
    return { index: first + i, task, segments: task === undefined ? [] : timelineSegments(task, now) };
  });
  const start = Date.parse(job.createdAt);
  const span = timelineSpan(lanes.map((lane) => lane.segments)) ?? { from: start, to: now };
  const begin = Math.min(start, span.from);
  const whole: TimelineWindow = { from: begin, to: begin + Math.max(1, now - begin, span.to - begin) };
  const { from } = chosen ?? whole;
  const length = Math.max(1, (chosen ?? whole).to - from);
  const window: TimelineWindow = { from, to: from + length };
  shown.current = window;
  const left = (ms: number) => `${((ms - from) / length) * 100}%`;
  const steps: Readonly<Record<string, () => void>> = {
    '+': () => onChoose(zoomRange(window, whole, 2)),
    '=': () => onChoose(zoomRange(window, whole, 2)),
    '-': () => onChoose(zoomRange(window, whole, 0.5)),
    '0': () => onChoose(null),
    ArrowLeft: () => chosen && onChoose(panRange(window, whole, -0.25)),
    ArrowRight: () => chosen && onChoose(panRange(window, whole, 0.25)),
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    step();
  };
  return (
    <div className={css['timeline']} onKeyDown={onKeyDown}>
      <ul className={`bare ${css['legend']}`} aria-label={t('Legend')}>
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
      <div ref={scroll} className={`card ${css['scroll']}`} tabIndex={0} role="region" aria-label={t('Task timeline')}>
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
        <div ref={strips}>
          <TimelineOverlays job={job} window={window} open={job.finishedAt === null} />
        </div>
        <div className={css['rows']} style={{ height: long.track }}>
          <div className={css['marks']} aria-hidden>
            <div className={css['plot']}>
              <MarkerLines marks={marks} window={window} />
            </div>
          </div>
          <div ref={long.layerRef}>
            {lanes.map(({ index, task, segments }) => (
              <TimelineRow
                key={task?.id ?? index}
                top={long.topOf(index)}
                task={task}
                segments={segments}
                name={task === undefined ? '' : nameOf(task.node)}
                isCurrent={task?.id === current && task !== undefined}
                window={window}
                onTask={onTask}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
