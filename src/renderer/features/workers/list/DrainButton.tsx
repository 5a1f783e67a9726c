import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Worker } from '../../../../contract/workers.ts';
import { t } from '../../../../lib/language.ts';
import { RowButton } from '../../../ui/RowButton.tsx';
import { useWorkerActions } from './worker-actions.tsx';

// Made once: scrolling through many rows does not draw them again.
const pause = <IconPlayerPause size={13} aria-hidden />;
const play = <IconPlayerPlay size={13} aria-hidden />;

export function DrainButton({ worker }: { worker: Worker }): ReactNode {
  const { reason, busy, drain } = useWorkerActions();
  const gone = worker.state === 'Down' && !worker.drained;
  return (
    <RowButton
      icon={worker.drained ? play : pause}
      hint={worker.drained ? t('Accept new tasks again') : t('Stop accepting new tasks; running tasks finish')}
      reason={reason ?? (gone ? t('The worker is down and gets no tasks anyway') : null)}
      busy={busy === worker.id}
      onClick={() => drain(worker)}
    >
      {worker.drained ? t('Resume') : t('Drain')}
    </RowButton>
  );
}
