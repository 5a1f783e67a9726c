import { IconBan, IconCircleCheck, IconPlayerPlay } from '@tabler/icons-react';
import type { Operation } from '../../../../contract/operations.ts';
import type { ListedOperationKind, OperationStatus } from '../../../../contract/vocabulary.ts';
import { t, tn } from '../../../../lib/language.ts';
import { formatCount } from '../../../ui/Duration.tsx';
import type { ToneOf } from '../../../ui/status.ts';

/** What the kinds of operation are called; `jobs` comes as `jobsText` has it. */
export const VERBS: Readonly<
  Record<
    ListedOperationKind,
    {
      title: string;
      jobs: string;
      nothing: string;
      button(jobs: string): string;
      asked(jobs: string): string;
      doing(jobs: string): string;
      done(jobs: string): string;
    }
  >
> = {
  kill: {
    title: t('Kill'),
    jobs: t('Kill jobs'),
    nothing: t('No jobs to kill'),
    button: (jobs) => t('Kill {jobs}', { jobs }),
    asked: (jobs) => t('Kill {jobs}?', { jobs }),
    doing: (jobs) => t('Killing {jobs}', { jobs }),
    done: (jobs) => t('{jobs} killed', { jobs }),
  },
  retry: {
    title: t('Retry'),
    jobs: t('Retry jobs'),
    nothing: t('No jobs to retry'),
    button: (jobs) => t('Retry {jobs}', { jobs }),
    asked: (jobs) => t('Retry {jobs}?', { jobs }),
    doing: (jobs) => t('Retrying {jobs}', { jobs }),
    done: (jobs) => t('{jobs} retried', { jobs }),
  },
  backfill: {
    title: t('Backfill'),
    jobs: t('Start jobs'),
    nothing: t('No jobs to start'),
    button: (jobs) => t('Start {jobs}', { jobs }),
    asked: (jobs) => t('Start {jobs}?', { jobs }),
    doing: (jobs) => t('Starting {jobs} of a backfill', { jobs }),
    done: (jobs) => t('{jobs} of a backfill started', { jobs }),
  },
  rerun: {
    title: t('Rerun'),
    jobs: t('Rerun jobs'),
    nothing: t('No jobs to rerun'),
    button: (jobs) => t('Rerun {jobs}', { jobs }),
    asked: (jobs) => t('Rerun {jobs}?', { jobs }),
    doing: (jobs) => t('Rerunning {jobs}', { jobs }),
    done: (jobs) => t('{jobs} rerun', { jobs }),
  },
};

export const OPERATION_TONES: Readonly<Record<OperationStatus, Pick<ToneOf, 'word' | 'tone' | 'icon'>>> = {
  RUNNING: { word: t('Running'), tone: 'run', icon: IconPlayerPlay },
  DONE: { word: t('Done'), tone: 'done', icon: IconCircleCheck },
  ABORTED: { word: t('Aborted'), tone: 'late', icon: IconBan },
};

/** Why jobs are left out, for people. A code of a newer master is shown as it is. */
const REASONS: Readonly<Record<string, string>> = {
  TERMINAL: t('already finished, nothing to kill'),
  NON_RETRYABLE: t("failed with an error that a retry doesn't fix"),
  RETRIES_LEFT: t('still retrying automatically'),
  NOTHING_FAILED: t('no failed or timed-out tasks'),
  STATE_CHANGED: t('changed after the dry run'),
  NOT_FOUND: t('not found'),
  JOB_NOT_FOUND: t('not found'),
  CHILD_JOB: t('child jobs: they rerun with their parent'),
  NOT_FINISHED: t('not finished yet'),
  RERUN_EXISTS: t('already rerun as new jobs'),
  SECOND_PERSON_NEEDED: t('never published to its environment, which is protected'),
  NO_ENVIRONMENT: t('no environment, so there is no published version'),
  NOT_PUBLISHED: t('nothing is published in their environment now'),
  WORKFLOW_NOT_FOUND: t('workflow archived'),
  COMMIT_NOT_FOUND: t('version not found in their workflow'),
  DRAFT: t('ran an unsaved draft'),
  INPUT_UNKNOWN: t('inputs no longer available'),
  INPUT_INVALID: t("inputs don't match the version's input schema"),
};
/** Of a job that was skipped: what `message` names of this one job, or else why it is so for any. */
export const skippedText = (code: string, message: string | null, kind: ListedOperationKind): string =>
  message !== null && (code === 'INPUT_INVALID' || !Object.hasOwn(REASONS, code)) ? message : reasonText(code, kind);

export function reasonText(code: string, kind?: ListedOperationKind): string {
  if (code === 'TERMINAL' && kind === 'retry') return t('succeeded, nothing to retry');
  if (code === 'NOTHING_FAILED' && kind === 'rerun') return t('succeeded');
  return REASONS[code] ?? code.toLowerCase().replaceAll('_', ' ');
}

export const jobsText = (n: number): string => tn('{count} job', '{count} jobs', n);

/** How far it is, from 0 to 100; an operation over nothing is through. `done` counts what failed too. */
export const percentDone = ({ total, done }: Pick<Operation, 'total' | 'done'>): number =>
  total === 0 ? 100 : Math.min(100, (done / total) * 100);

/** How much of it was skipped, from 0 to 100. */
export const percentSkipped = ({ total, failed }: Pick<Operation, 'total' | 'failed'>): number =>
  total === 0 ? 0 : Math.min(100, (failed / total) * 100);

/** 'Retried 40 of 42 jobs, 2 could not be'. */
export function outcomeText({
  kind,
  status,
  total,
  done,
  failed,
}: Pick<Operation, 'kind' | 'status' | 'total' | 'done' | 'failed'>): string {
  const verb = status === 'RUNNING' ? VERBS[kind].doing : VERBS[kind].done;
  const good = done - failed;
  const left = total - done;
  const parts = [
    verb(good === total ? jobsText(total) : t('{good} of {jobs}', { good: formatCount(good), jobs: jobsText(total) })),
  ];
  if (failed > 0) parts.push(t('{failed} skipped', { failed: formatCount(failed) }));
  if (status === 'ABORTED' && left > 0) parts.push(t('{left} not processed', { left: formatCount(left) }));
  return parts.join(', ');
}
