import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Worker } from '../../../../contract/workers.ts';
import { t, tn } from '../../../../lib/language.ts';
import { drainWorker, forgetWorker, resumeWorker, workerKeys } from '../../../api/workers.ts';
import { useWhy } from '../../../stores/role.ts';
import { toastFailure, toastSuccess } from '../../../ui/toasts.tsx';

interface WorkerActions {
  /** Why one may not do any of this; null: one may. */
  readonly reason: string | null;
  /** ID of the worker that something is being done to. */
  readonly busy: string | null;
  /** Drains a worker, or has it take tasks again, and says what came of it. */
  drain(worker: Worker): void;
  forget(worker: Worker): void;
}

const Actions = createContext<WorkerActions>({ reason: null, busy: null, drain: nothing, forget: nothing });
function nothing(): void {}

/** What can be done to a worker of the page: made once for all of its rows. */
export function useWorkerActions(): WorkerActions {
  return useContext(Actions);
}

/** Offers the actions to what is in it. Draining is undone by the same button, and one that was forgotten registers anew: they ask no question. */
export function WorkerActionsOf({ children }: { children: ReactNode }): ReactNode {
  const reason = useWhy('workers.operate') ?? null;
  const client = useQueryClient();
  const readAgain = () => client.invalidateQueries({ queryKey: workerKeys.all });
  const draining = useMutation({
    mutationFn: (worker: Worker) => (worker.drained ? resumeWorker(worker.id) : drainWorker(worker.id)),
    onSuccess(now) {
      toastSuccess(
        now.drained ? t('The worker is draining') : t('The worker accepts tasks again'),
        now.drained && now.currentTasks > 0
          ? tn(
              'No new tasks; {count} running task finishes first.',
              'No new tasks; {count} running tasks finish first.',
              now.currentTasks,
            )
          : '',
      );
      void readAgain();
    },
    onError: (error, worker) =>
      toastFailure(worker.drained ? t('Could not resume the worker') : t('Could not drain the worker'))(error),
  });
  const forgetting = useMutation({
    mutationFn: (worker: Worker) => forgetWorker(worker.id),
    onSuccess: readAgain,
    onError: toastFailure(t('Could not forget the worker')),
  });
  const { mutate: drain } = draining;
  const { mutate: forget } = forgetting;
  const busy =
    (draining.isPending ? draining.variables.id : null) ?? (forgetting.isPending ? forgetting.variables.id : null);
  const actions = useMemo(() => ({ reason, busy, drain, forget }), [reason, busy, drain, forget]);
  return <Actions value={actions}>{children}</Actions>;
}
