import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { createDraftRun, readDraftRun } from '../../../api/drafts.ts';
import { killJob } from '../../../api/jobs.ts';
import { taskOutputText } from '../../../api/recorded-run.ts';
import { createDraftRuns, type DraftRuns } from './draft-runs.ts';
import { createSamples } from './samples.ts';

const Context = createContext<DraftRuns | null>(null);

/** Gives forms, canvas and toolbar of one workflow the same draft runs. */
export function DraftRunProvider({ workflowId, children }: { workflowId: string; children: ReactNode }): ReactNode {
  const runs = useMemo(
    () =>
      createDraftRuns({
        workflowId,
        samples: createSamples(window.localStorage),
        create: createDraftRun,
        read: readDraftRun,
        kill: killJob,
        output: taskOutputText,
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      }),
    [workflowId],
  );
  // Whoever leaves the page leaves the run: it is kept a while, but nobody waits for it.
  useEffect(() => () => runs.stop(), [runs]);
  return <Context value={runs}>{children}</Context>;
}

export function useDraftRuns(): DraftRuns {
  const runs = useContext(Context);
  if (!runs) throw new Error('useDraftRuns outside of a DraftRunProvider');
  return runs;
}
