import { IconCircleCheck, IconCircleX, IconClockExclamation, IconPlayerSkipForward } from '@tabler/icons-react';
import type { Schedule, ScheduleRun } from '../../../contract/schedules.ts';
import type { Overlap, RunKind, RunOutcome } from '../../../contract/vocabulary.ts';
import { t, tn } from '../../../lib/language.ts';
import { formatTaken } from '../../ui/Duration.tsx';
import type { ToneOf } from '../../ui/status.ts';
import type { Zone } from '../../ui/time-text.ts';

export const RUN_TONES: Readonly<Record<RunOutcome, Pick<ToneOf, 'word' | 'tone' | 'icon'>>> = {
  STARTED: { word: t('Started'), tone: 'done', icon: IconCircleCheck },
  SKIPPED: { word: t('Skipped'), tone: 'sched', icon: IconPlayerSkipForward },
  MISSED: { word: t('Missed'), tone: 'late', icon: IconClockExclamation },
  FAILED: { word: t('Not started'), tone: 'fail', icon: IconCircleX },
};

export const RUN_KIND_WORDS: Readonly<Record<RunKind, string>> = {
  schedule: t('schedule'),
  backfill: t('backfill'),
  manual: t('manual'),
};

export const OVERLAP_WORDS: Readonly<Record<Overlap, string>> = {
  allow: t('Start another job'),
  skip: t('Skip it'),
  queue: t('Start it once the job has finished'),
  cancel: t('Kill the running job, then start'),
};

/** The zone that times are shown in may be another than that of a cron expression beside them. */
export const nextDueLabel = (zone: Zone): string =>
  zone === 'local' ? t('Next due (your time)') : t('Next due ({zone})', { zone: zone === 'utc' ? 'UTC' : zone });

/** When it is due, in short. */
export const whenText = ({ cron, everySeconds }: Pick<Schedule, 'cron' | 'everySeconds'>): string =>
  cron ?? (everySeconds === null ? t('once') : everyText(everySeconds));

function everyText(seconds: number): string {
  if (seconds % 86_400 === 0) return tn('every day', 'every {count} days', seconds / 86_400);
  if (seconds % 3600 === 0) return tn('every hour', 'every {count} hours', seconds / 3600);
  if (seconds % 60 === 0) return tn('every minute', 'every {count} minutes', seconds / 60);
  return tn('every second', 'every {count} seconds', seconds);
}

/** How late a job started; nothing where it did not, and of a backfill. */
export const lateText = ({ dueAt, startedAt, kind }: ScheduleRun): string =>
  startedAt === null || kind === 'backfill' ? '–' : formatTaken(Math.max(0, Date.parse(startedAt) - Date.parse(dueAt)));
