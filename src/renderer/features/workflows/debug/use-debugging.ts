import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { recordedRunQuery } from '../../../api/recorded-run.ts';
import { formatDefinition } from '../../../ui/json-text/format.ts';
import type { EditorSession } from '../draft/session.ts';
import type { DraftRuns } from '../draft-run/draft-runs.ts';
import { readableDefinition } from '../readable-definition.ts';

/** Opens the version that a task failed on, with what its nodes were given and gave. False until it is open, or known not to open. */
export function useDebugging(taskId: string | undefined, session: EditorSession, runs: DraftRuns): boolean {
  const { data, isError } = useQuery({ ...recordedRunQuery(taskId ?? ''), enabled: taskId !== undefined });
  useEffect(() => {
    if (!data) return;
    session.debug(data.task.id, readableDefinition(data.definition), data.job.commit);
    runs.show(data.run, data.definition, formatDefinition(data.input));
  }, [data, session, runs]);
  return taskId === undefined || isError || data !== undefined;
}
