import {
  IconAlertTriangle,
  IconArrowsSplit2,
  IconCircle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClockExclamation,
  IconClockPause,
  IconHourglass,
  IconPlayerPlay,
  IconPlugConnectedX,
  IconStack3,
  type TablerIcon,
} from '@tabler/icons-react';
import type { JobKind, JobStatus, TaskState, WorkerState } from '../../contract/vocabulary.ts';
import { t } from '../../lib/language.ts';

/** Colours come as `--tone-<tone>` (solid), `-text` and `-bg` from the tokens. */
export type Tone = 'done' | 'run' | 'ready' | 'sched' | 'fail' | 'partial' | 'late' | 'mixed' | 'empty' | 'warn';
export interface ToneOf {
  word: string;
  icon: TablerIcon;
  tone: Tone;
  /** One sentence for a tooltip. */
  hint: string;
}

export const JOB_TONES: Readonly<Record<JobStatus, ToneOf>> = {
  COMPLETED: { word: t('Completed'), icon: IconCircleCheck, tone: 'done', hint: t('All tasks succeeded') },
  RUNNING: { word: t('Running'), icon: IconPlayerPlay, tone: 'run', hint: t('Tasks are in progress, none has failed') },
  FAILED: { word: t('Failed'), icon: IconCircleX, tone: 'fail', hint: t('Tasks failed, none is still active') },
  PARTIAL_FAILURE: {
    word: t('Partial failure'),
    icon: IconAlertTriangle,
    tone: 'partial',
    hint: t('Some tasks failed while others are still active'),
  },
  TIMEOUT: {
    word: t('Timeout'),
    icon: IconClockExclamation,
    tone: 'late',
    hint: t('Tasks exceeded their schedule or run timeout'),
  },
  MIXED: {
    word: t('Mixed'),
    icon: IconArrowsSplit2,
    tone: 'mixed',
    hint: t('Some tasks failed, others timed out'),
  },
  EMPTY: { word: t('Empty'), icon: IconCircleDashed, tone: 'empty', hint: t('The job has no tasks') },
};

export const TASK_TONES: Readonly<Record<TaskState, ToneOf>> = {
  READY: { word: t('Ready'), icon: IconCircle, tone: 'ready', hint: t('Waiting for a worker') },
  SCHEDULED: {
    word: t('Scheduled'),
    icon: IconHourglass,
    tone: 'sched',
    hint: t('Assigned to a worker, not yet started'),
  },
  RUNNING: { word: t('Running'), icon: IconPlayerPlay, tone: 'run', hint: t('Running on a worker') },
  COMPLETED: { word: t('Completed'), icon: IconCircleCheck, tone: 'done', hint: t('Finished successfully') },
  FAILED: { word: t('Failed'), icon: IconCircleX, tone: 'fail', hint: t('Ended with an error') },
  SCHEDULE_TIMEOUT: {
    word: t('Schedule timeout'),
    icon: IconClockPause,
    tone: 'late',
    hint: t('No worker took it in time'),
  },
  RUN_TIMEOUT: {
    word: t('Run timeout'),
    icon: IconClockExclamation,
    tone: 'mixed',
    hint: t('Exceeded its run timeout'),
  },
};

export const WORKER_TONES: Readonly<Record<WorkerState, ToneOf>> = {
  Operational: { word: t('Operational'), icon: IconCircleCheck, tone: 'done', hint: t('Online, with free slots') },
  Maxed: { word: t('At capacity'), icon: IconStack3, tone: 'run', hint: t('Online, all slots in use') },
  Unstable: {
    word: t('Unstable'),
    icon: IconAlertTriangle,
    tone: 'partial',
    hint: t('Missed heartbeats, or keeps losing tasks'),
  },
  Down: {
    word: t('Down'),
    icon: IconPlugConnectedX,
    tone: 'fail',
    hint: t('Not responding; its tasks were rescheduled'),
  },
};

/** Words of what made a job. */
export const JOB_KIND_WORDS: Readonly<Record<JobKind, string>> = {
  event: t('event call'),
  batch: t('batch'),
  child: t('child job'),
  draft: t('draft run'),
};

/** Words of environments, with the tone of their badge. */
export const ENVIRONMENT_TONES = { dev: 'sched', staging: 'partial', prod: 'late' } as const satisfies Record<
  string,
  Tone
>;
export const TONES = { job: JOB_TONES, task: TASK_TONES, worker: WORKER_TONES };
