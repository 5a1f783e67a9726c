import { type KeyboardEvent, type ReactNode, type RefObject, useRef } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import type { JobFilters } from '../../../api/operations.ts';
import { useShortcut } from '../../../keyboard/use-shortcut.ts';
import { whyNot } from '../../../stores/permissions.ts';
import { useRights, useWhy } from '../../../stores/role.ts';
import { useBulk } from '../../operations/use-bulk.tsx';
import { type JobAction, whyNoJob } from '../actions/check-job-action.ts';
import { useJobActions } from '../actions/use-job-actions.tsx';
import { toastInfo } from '../../../ui/toasts.tsx';
import type { JobRows } from './use-job-rows.ts';

/** Jobs that are remembered besides those that are selected. */
const MAX_KNOWN = 10_000;

const NOT_DONE: Readonly<Record<JobAction | 'rerun', string>> = {
  kill: t('Nothing was killed'),
  retry: t('Nothing was retried'),
  rerun: t('Nothing was rerun'),
};

interface SelectedJobs {
  /** What is known of those that are selected. */
  readonly chosen: readonly Job[];
  ask(action: JobAction | 'rerun', jobs: readonly Job[]): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  readonly dialogs: ReactNode;
}

/** What can be done to the selected jobs, by button and by key. `all`: every job that matches `filters` is selected. */
export function useSelectedJobs({
  rows,
  selected,
  all,
  filters,
  narrowed,
  clear,
  table,
}: {
  rows: Pick<JobRows, 'jobs'>;
  selected: ReadonlySet<string>;
  all: boolean;
  filters: JobFilters;
  /** Some filter of the page holds. */
  narrowed: boolean;
  clear: () => void;
  table: RefObject<HTMLElement | null>;
}): SelectedJobs {
  const rights = useRights();
  const whyBulk = useWhy('jobs.operate');
  /** One job by itself: whether it is allowed where the job is, the master says, as no list tells its project. */
  const whyOne = whyNot(rights, 'jobs.operate', 'anywhere') ?? undefined;
  const actions = useJobActions();
  const bulk = useBulk(clear);
  // What was selected and went out of sight is remembered as it was seen last.
  const known = useRef(new Map<string, Job>());
  for (const job of rows.jobs()) known.current.set(job.id, job);
  if (known.current.size > MAX_KNOWN)
    for (const id of known.current.keys()) if (!selected.has(id)) known.current.delete(id);
  const chosen = [...selected].flatMap((id) => known.current.get(id) ?? []);

  /** One job is killed or retried by itself; everything else goes to the master as one operation. */
  function ask(action: JobAction | 'rerun', jobs: readonly Job[]): void {
    if (all)
      bulk.ask({
        kind: action,
        target: { filter: filters },
        which: narrowed ? t('that match the filters') : t('in total'),
      });
    else if (selected.size > 1) bulk.ask({ kind: action, target: { ids: [...selected] }, which: t('selected') });
    else if (action !== 'rerun') actions.ask(action, jobs[0]);
    else if (jobs[0]) bulk.ask({ kind: action, target: { ids: [jobs[0].id] }, which: t('selected') });
  }

  /** To the selected jobs, or to the one that the keyboard is at; says why not where it cannot be done. False: there are none. */
  function act(action: JobAction | 'rerun'): boolean {
    const id = table.current?.contains(document.activeElement)
      ? table.current.querySelector('[data-active]')?.getAttribute('data-row-id')
      : undefined;
    const one = id === null || id === undefined ? undefined : known.current.get(id);
    const on = chosen.length > 0 ? chosen : one ? [one] : [];
    const whyThese = all || selected.size > 1 || action === 'rerun' ? whyBulk : whyOne;
    if (!all && on.length === 0) return false;
    const reason = whyThese ?? (all ? null : whyNoJob(action, on));
    if (reason === null) ask(action, on);
    else toastInfo(NOT_DONE[action], reason);
    return true;
  }
  // In a table they hold also where keys without Ctrl are switched off.
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !['r', 'R', 'Delete'].includes(event.key) ||
      event.target instanceof HTMLInputElement
    )
      return;
    if (act(event.key === 'r' ? 'retry' : event.key === 'R' ? 'rerun' : 'kill')) event.preventDefault();
  }
  useShortcut('r', t('Retry the selected jobs, or the job of the current row'), () => act('retry'));
  useShortcut('R', t('Rerun them'), () => act('rerun'));
  useShortcut('delete', t('Kill them'), () => act('kill'));

  useShortcut('escape', t('Clear the selection'), selected.size > 0 || all ? clear : null);

  return {
    chosen,
    ask,
    onKeyDown,
    dialogs: (
      <>
        {actions.dialogs}
        {bulk.dialogs}
      </>
    ),
  };
}
