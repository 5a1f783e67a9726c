import { lazy, type ReactNode, Suspense } from 'react';
import { t } from '../../../../lib/language.ts';
import { SidePanel } from '../../../ui/SidePanel.tsx';

/** It has a view of logs, which is the larger part of the page. */
const WorkerDetails = lazy(() => import('./WorkerDetails.tsx').then((file) => ({ default: file.WorkerDetails })));

/** One worker beside the list: what it is, what it can do, what it works on. */
export function WorkerPanel({ workerId, onClose }: { workerId: string | null; onClose(): void }): ReactNode {
  return (
    <SidePanel what={t('Worker')} id={workerId} onClose={onClose}>
      {(id) => (
        <Suspense fallback={null}>
          <WorkerDetails key={id} workerId={id} />
        </Suspense>
      )}
    </SidePanel>
  );
}
