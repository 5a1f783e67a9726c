import { IconBan, IconCircleCheck, IconPlayerPlay } from '@tabler/icons-react';
import type { Operation } from '../../../../contract/operations.ts';
import type { OperationKind, OperationStatus } from '../../../../contract/vocabulary.ts';
import { t, tn } from '../../../../lib/language.ts';
import { formatCount } from '../../../ui/Duration.tsx';
import type { ToneOf } from '../../../ui/status.ts';

/** What the kinds of operation are called; `jobs` comes as `jobsWord` has it. */
export const VERBS: Readonly<
  Record<
    OperationKind,
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
    nothing: t('Nothing to kill'),
    button: (jobs) => t('Kill {jobs}', { jobs }),
    asked: (jobs) => t('Kill {jobs}?', { jobs }),
    doing: (jobs) => t('Killing {jobs}', { jobs }),
    done: (jobs) => t('Killed {jobs}', { jobs }),
  },
  retry: {
    title: t('Retry'),
    jobs: t('Retry jobs'),
    nothing: t('Nothing to retry'),
    button: (jobs) => t('Retry {jobs}', { jobs }),
    asked: (jobs) => t('Retry {jobs}?', { jobs }),
    doing: (jobs) => t('Retrying {jobs}', { jobs }),
    done: (jobs) => t('Retried {jobs}', { jobs }),
  },
  rerun: {
    title: t('Run again'),
    jobs: t('Run jobs again'),
    nothing: t('Nothing to run again'),
    button: (jobs) => t('Run {jobs} again', { jobs }),
    asked: (jobs) => t('Run {jobs} again?', { jobs }),
    doing: (jobs) => t('Running {jobs} again', { jobs }),
    done: (jobs) => t('Began {jobs} again', { jobs }),
  },
};

export const OPERATION_TONES: Readonly<Record<OperationStatus, Pick<ToneOf, 'word' | 'tone' | 'icon'>>> = {
  RUNNING: { word: t('Running'), tone: 'run', icon: IconPlayerPlay },
  DONE: { word: t('Done'), tone: 'done', icon: IconCircleCheck },
  ABORTED: { word: t('Aborted'), tone: 'late', icon: IconBan },
};

/** Why jobs are left out, for people. A code of a newer master is shown as it is. */
const REASONS: Readonly<Record<string, string>> = {
  TERMINAL: t('ended, with nothing left to kill'),
  NON_RETRYABLE: t('failed for a reason that a retry does not mend'),
  RETRIES_LEFT: t('still retrying by themselves'),
  NOTHING_FAILED: t('without a task that failed or timed out'),
  NOT_FOUND: t('not there (any more)'),
  JOB_NOT_FOUND: t('not there (any more)'),
  CHILD_JOB: t('parts of other jobs: they run again with these'),
  NOT_FINISHED: t('not ended yet'),
  RERUN_EXISTS: t('run again before: the new jobs stand for them'),
  NO_ENVIRONMENT: t('of no environment, so that nothing is published for them'),
  NOT_PUBLISHED: t('nothing is published any more where they ran'),
  WORKFLOW_NOT_FOUND: t('their workflow was archived'),
  COMMIT_NOT_FOUND: t('their workflow has no such version'),
  DRAFT: t('ran a draft that was never saved'),
  INPUT_UNKNOWN: t('their inputs are not known any more'),
  INPUT_INVALID: t('their inputs break the input schema of the version'),
};
export function reasonText(code: string, kind?: OperationKind): string {
  if (code === 'TERMINAL' && kind === 'retry') return t('ended well, with nothing to retry');
  if (code === 'NOTHING_FAILED' && kind === 'rerun') return t('ended well');
  return REASONS[code] ?? code.toLowerCase().replaceAll('_', ' ');
}

export const jobsText = (n: number): string => tn('{count} job', '{count} jobs', n);

/** How far it is, from 0 to 100; an operation over nothing is through. `done` counts what failed too. */
export const percentDone = ({ total, done }: Pick<Operation, 'total' | 'done'>): number =>
  total === 0 ? 100 : Math.min(100, (done / total) * 100);

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
  if (failed > 0) parts.push(t('{failed} could not be', { failed: formatCount(failed) }));
  if (status === 'ABORTED' && left > 0) parts.push(t('{left} left as they were', { left: formatCount(left) }));
  return parts.join(', ');
}
