import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Worker } from '../../../../contract/workers.ts';
import { t, tn } from '../../../../lib/language.ts';
import { drainWorker, resumeWorker, workerKeys } from '../../../api/workers.ts';
import { useWhy } from '../../../stores/role.ts';
import { toastSuccess, toastFailure } from '../../../ui/toasts.tsx';

/** Drains a worker, or has it take tasks again, and says what came of it. */
export function useDrain(): { drain(worker: Worker): void; isPending: boolean } {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (worker: Worker) => (worker.drained ? resumeWorker(worker.id) : drainWorker(worker.id)),
    onSuccess: (now) => {
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
      void client.invalidateQueries({ queryKey: workerKeys.all });
    },
    onError: (error, worker) =>
      toastFailure(worker.drained ? t('Could not resume the worker') : t('Could not drain the worker'))(error),
  });
  return { drain: mutate, isPending };
}

/** Draining loses nothing and is undone by the same button, so it asks no question. */
export function DrainButton({ worker }: { worker: Worker }) {
  const whyOperate = useWhy('workers.operate');
  const canOperate = whyOperate === undefined;
  const { drain, isPending } = useDrain();
  const gone = worker.state === 'Down' && !worker.drained;
  const off = !canOperate || gone;
  const why = !canOperate
    ? whyOperate
    : gone
      ? t('The worker is down and gets no tasks anyway')
      : worker.drained
        ? t('Accept new tasks again')
        : t('Stop accepting new tasks; running tasks finish');
  return (
    // Busy, it is not disabled: it would lose the focus.
    <Button
      data-hint={why}
      size="compact-xs"
      variant="default"
      aria-busy={isPending || undefined}
      {...(off ? { 'data-disabled': true, 'aria-disabled': true } : {})}
      leftSection={
        worker.drained ? <IconPlayerPlay size={13} aria-hidden /> : <IconPlayerPause size={13} aria-hidden />
      }
      onClick={() => !off && !isPending && drain(worker)}
    >
      {worker.drained ? t('Resume') : t('Drain')}
    </Button>
  );
}
