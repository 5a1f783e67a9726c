import { type TaskState, TASK_STATES } from '../../../contract/vocabulary.ts';
import { instantIn, pageIn, sizeIn, textIn, wordIn, wordsIn } from '../../ui/search-params.ts';

export const JOB_TABS = ['graph', 'tasks', 'timeline', 'logs', 'metrics', 'data', 'history', 'compare'] as const;
export type JobTab = (typeof JOB_TABS)[number];

/** View state of one job. `task` opens the side panel. */
export interface JobSearch {
  tab?: JobTab;
  task?: string;
  node?: string;
  state?: TaskState[];
  replica?: number;
  /** A part of the ID of the worker. */
  worker?: string;
  /** Code of the error. */
  code?: string;
  /** Text of the error. */
  error?: string;
  sort?: string;
  page?: number;
  size?: number;
  /** A stretch of the job's time (ISO), chosen on the timeline: logs and metrics show it alone. */
  from?: string;
  to?: string;
  /** Query of the logs tab. */
  query?: string;
  /** The job that it is compared with. */
  other?: string;
  /** The rerun dialog is open, on the published version; from `node` where there is one. */
  rerun?: 'published';
}

const SORTS = ['readyAt', 'node', 'state', 'replica'].flatMap((field) => [`${field},asc`, `${field},desc`]);

export function parseJobSearch(input: Record<string, unknown>): JobSearch {
  return {
    ...wordIn(input, 'tab', JOB_TABS),
    ...textIn(input, 'task'),
    ...textIn(input, 'node'),
    ...wordsIn(input, 'state', TASK_STATES),
    ...replicaIn(input),
    ...textIn(input, 'worker'),
    ...textIn(input, 'code'),
    ...textIn(input, 'error'),
    ...wordIn(input, 'sort', SORTS),
    ...pageIn(input),
    ...sizeIn(input),
    ...instantIn(input, 'from'),
    ...instantIn(input, 'to'),
    ...textIn(input, 'query'),
    ...textIn(input, 'other'),
    ...wordIn(input, 'rerun', ['published'] as const),
  };
}

function replicaIn({ replica }: Record<string, unknown>): { replica?: number } {
  return typeof replica === 'number' && Number.isSafeInteger(replica) && replica >= 0 ? { replica } : {};
}
