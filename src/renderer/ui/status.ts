import {
  IconAlertTriangle, IconArrowsSplit2, IconCircle, IconCircleCheck, IconCircleDashed, IconCircleX, IconClockExclamation, IconClockPause, IconHourglass, IconPlayerPlay, IconPlugConnectedX, IconStack3,
  type TablerIcon,
} from '@tabler/icons-react';
import type { JobStatus, TaskState, WorkerState } from '../../contract/vocabulary.ts';

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
  COMPLETED: { word: 'Completed', icon: IconCircleCheck, tone: 'done', hint: 'Every task finished successfully' },
  RUNNING: { word: 'Running', icon: IconPlayerPlay, tone: 'run', hint: 'Tasks are in progress, none has failed' },
  FAILED: { word: 'Failed', icon: IconCircleX, tone: 'fail', hint: 'Tasks failed and none is active' },
  PARTIAL_FAILURE: { word: 'Partial failure', icon: IconAlertTriangle, tone: 'partial', hint: 'Some tasks failed while others are still active' },
  TIMEOUT: { word: 'Timeout', icon: IconClockExclamation, tone: 'late', hint: 'Tasks exceeded their schedule or run time' },
  MIXED: { word: 'Mixed', icon: IconArrowsSplit2, tone: 'mixed', hint: 'Some tasks failed, others exceeded their time' },
  EMPTY: { word: 'Empty', icon: IconCircleDashed, tone: 'empty', hint: 'The job has no tasks' },
};

export const TASK_TONES: Readonly<Record<TaskState, ToneOf>> = {
  READY: { word: 'Ready', icon: IconCircle, tone: 'ready', hint: 'Waits for a worker' },
  SCHEDULED: { word: 'Scheduled', icon: IconHourglass, tone: 'sched', hint: 'Given to a worker, not yet started' },
  RUNNING: { word: 'Running', icon: IconPlayerPlay, tone: 'run', hint: 'Runs on a worker' },
  COMPLETED: { word: 'Completed', icon: IconCircleCheck, tone: 'done', hint: 'Finished successfully' },
  FAILED: { word: 'Failed', icon: IconCircleX, tone: 'fail', hint: 'Ended with an error' },
  SCHEDULE_TIMEOUT: { word: 'Schedule timeout', icon: IconClockPause, tone: 'late', hint: 'No worker took it in time' },
  RUN_TIMEOUT: { word: 'Run timeout', icon: IconClockExclamation, tone: 'mixed', hint: 'It ran longer than allowed' },
};

export const WORKER_TONES: Readonly<Record<WorkerState, ToneOf>> = {
  Operational: { word: 'Operational', icon: IconCircleCheck, tone: 'done', hint: 'Answers and has room' },
  Maxed: { word: 'Maxed', icon: IconStack3, tone: 'run', hint: 'Answers, and every slot is taken' },
  Unstable: { word: 'Unstable', icon: IconAlertTriangle, tone: 'partial', hint: 'Has been silent for a while, or keeps losing tasks' },
  Down: { word: 'Down', icon: IconPlugConnectedX, tone: 'fail', hint: 'Does not answer; its tasks were taken back' },
};

/** Words of environments, with the tone of their badge. */
export const ENVIRONMENT_TONES = { dev: 'sched', staging: 'partial', prod: 'late' } as const satisfies Record<string, Tone>;
export const TONES = { job: JOB_TONES, task: TASK_TONES, worker: WORKER_TONES };
