import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { workersQuery } from '../../../api/workers.ts';
import { workflowsQuery } from '../../../api/workflows.ts';
import type { KnownNames } from '../definition/complete.ts';
import { definitionCompletions } from './completion.ts';

/** Completion that knows the workflows and the handlers there are now; the same source for good. */
export function useKnownNames(): ReturnType<typeof definitionCompletions> {
  const { data: workflows } = useQuery(workflowsQuery({ size: 500, sort: 'id,asc' }));
  const { data: workers } = useQuery(workersQuery({ size: 500 }));
  const names = useMemo((): KnownNames => {
    const handlers = new Map<string, number>();
    for (const worker of workers?.items ?? [])
      if (worker.state !== 'Down')
        for (const name of worker.handlers) handlers.set(name, (handlers.get(name) ?? 0) + 1);
    return {
      workflows: workflows?.items ?? [],
      handlers: [...handlers].sort(([a], [b]) => a.localeCompare(b)).map(([name, count]) => ({ name, workers: count })),
    };
  }, [workflows, workers]);
  const latest = useRef(names);
  latest.current = names;
  return useMemo(() => definitionCompletions(() => latest.current), []);
}
