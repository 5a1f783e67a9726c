import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Worker } from '../../../../contract/workers.ts';
import { t } from '../../../../lib/language.ts';
import { forgetWorker, workerKeys } from '../../../api/workers.ts';
import { useWhy } from '../../../stores/role.ts';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { toastFailure } from '../../../ui/toasts.tsx';

/** Takes a worker that is down out of the list. If it comes back, it registers anew: nothing is lost, so it asks no question. */
export function ForgetButton({ worker }: { worker: Worker }): ReactNode {
  const why = useWhy('workers.operate');
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => forgetWorker(worker.id),
    onSuccess: () => client.invalidateQueries({ queryKey: workerKeys.all }),
    onError: toastFailure(t('Could not forget the worker')),
  });
  return (
    <ReasonButton
      size="compact-xs"
      variant="default"
      reason={why ?? null}
      hint={t('Remove it from the list; it registers again if it comes back')}
      leftSection={<IconTrash size={13} aria-hidden />}
      onClick={() => !isPending && mutate()}
    >
      {t('Forget')}
    </ReasonButton>
  );
}
