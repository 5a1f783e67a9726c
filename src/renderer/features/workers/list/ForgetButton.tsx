import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Worker } from '../../../../contract/workers.ts';
import { t } from '../../../../lib/language.ts';
import { RowButton } from '../../../ui/RowButton.tsx';
import { useWorkerActions } from './worker-actions.tsx';

const trash = <IconTrash size={13} aria-hidden />;

/** Takes a worker that is down out of the list. */
export function ForgetButton({ worker }: { worker: Worker }): ReactNode {
  const { reason, busy, forget } = useWorkerActions();
  return (
    <RowButton
      icon={trash}
      hint={t('Remove it from the list; it registers again if it comes back')}
      reason={reason}
      busy={busy === worker.id}
      onClick={() => forget(worker)}
    >
      {t('Forget')}
    </RowButton>
  );
}
