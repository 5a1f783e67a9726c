import {
  IconAlertTriangle,
  IconArrowsSplit2,
  IconCancel,
  IconCircle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconClockExclamation,
  IconClockPause,
  IconHourglass,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlugConnectedX,
  IconRotateClockwise,
  IconStack3,
  type TablerIcon,
} from '@tabler/icons-react';
import {
  type DisplayStatus,
  displayStatus,
  isFailing,
  type JobKind,
  type TaskState,
  type TriggerKind,
  type WorkerEndReason,
  type WorkerState,
} from '../../contract/vocabulary.ts';
import type { Job } from '../../contract/jobs.ts';
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

/** What the badge of a job says: its status, told apart where all that is left of the job waits for a retry. */
export type BadgeStatus = DisplayStatus | 'RETRYING';

/**
 * A job that failed so far has ended only with `finishedAt`: without it, and with no task in progress, an automatic retry
 * follows.
 */
export function badgeStatus(job: Pick<Job, 'status' | 'killedAt' | 'taskCounters' | 'finishedAt'>): BadgeStatus {
  const status = displayStatus(job);
  const { readyTasks, scheduledTasks, runningTasks } = job.taskCounters;
  const waits = job.finishedAt === null && readyTasks + scheduledTasks + runningTasks === 0;
  return waits && isFailing(status) ? 'RETRYING' : status;
}

export const JOB_TONES: Readonly<Record<BadgeStatus, ToneOf>> = {
  QUEUED: { word: t('Queued'), icon: IconClock, tone: 'ready', hint: t('Waiting: none of its tasks has started yet') },
  COMPLETED: { word: t('Completed'), icon: IconCircleCheck, tone: 'done', hint: t('All tasks succeeded') },
  RUNNING: { word: t('Running'), icon: IconPlayerPlay, tone: 'run', hint: t('Tasks are in progress, none has failed') },
  FAILED: { word: t('Failed'), icon: IconCircleX, tone: 'fail', hint: t('Tasks failed, none is still active') },
  RETRYING: {
    word: t('Retrying'),
    icon: IconRotateClockwise,
    tone: 'partial',
    hint: t('A task failed and will be retried automatically'),
  },
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
  CANCELLED: { word: t('Cancelled'), icon: IconCancel, tone: 'empty', hint: t('It was killed by a user') },
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

/** A FAILED task that is tried again. */
export const TASK_RETRIES: ToneOf = JOB_TONES.RETRYING;

/** A RUNNING task without a worker. */
export const TASK_WAITS: ToneOf = {
  word: t('Waiting'),
  icon: IconPlayerPause,
  tone: 'run',
  hint: t('Held by the master, without a worker'),
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

/** Of a worker that is Down. */
export const WORKER_END_TONES: Readonly<Record<WorkerEndReason, ToneOf>> = {
  stopped: { word: t('Stopped'), icon: IconPlayerStop, tone: 'empty', hint: t('Shut down in order') },
  crashed: { word: t('Crashed'), icon: IconAlertTriangle, tone: 'fail', hint: t('Its process ended unexpectedly') },
  lost: {
    word: t('Not responding'),
    icon: IconPlugConnectedX,
    tone: 'fail',
    hint: t('No heartbeat any more; its tasks were rescheduled'),
  },
};

/** Words of what made a job. */
export const JOB_KIND_WORDS: Readonly<Record<JobKind, string>> = {
  event: t('event call'),
  batch: t('batch'),
  child: t('child job'),
  draft: t('draft run'),
};

export const TRIGGER_WORDS: Readonly<Record<TriggerKind, string>> = {
  event: t('event call'),
  api: t('API or console'),
  schedule: t('schedule'),
  backfill: t('backfill'),
  webhook: t('webhook'),
  workflow: t('workflow node'),
  rerun: t('rerun'),
};

/** Words of environments, with the tone of their badge. */
export const ENVIRONMENT_TONES = { dev: 'sched', staging: 'partial', prod: 'late' } as const satisfies Record<
  string,
  Tone
>;
export const TONES = { job: JOB_TONES, task: TASK_TONES, worker: WORKER_TONES };
