import { useQuery } from '@tanstack/react-query';
import type { Job } from '../../../contract/api.ts';
import { t } from '../../../lib/language.ts';
import { ApiError } from '../../api/client.ts';
import { jobInputs } from '../../api/mending.ts';

/** Inputs that can be edited by hand; a larger job is run again with the same. */
const MOST = 200;

/** The inputs of a node, or of the whole job, as the text of a list, with every number as it was sent. Read once they are wanted. */
export function useInputs(job: Job, fromNode: string | null, wanted: boolean): { text: string | undefined; error: unknown; retry(): void } {
  const query = useQuery({
    queryKey: ['jobs', 'input-text', job.id, fromNode],
    queryFn: async ({ signal }) => JSON.stringify(await readInputs(job, fromNode, signal), null, 2),
    enabled: wanted,
    staleTime: Infinity,
    retry: false,
  });
  return { text: query.data, error: query.error, retry: () => void query.refetch() };
}

async function readInputs(job: Job, fromNode: string | null, signal: AbortSignal): Promise<unknown[]> {
  if (job.inputCount > MOST) throw new ApiError(t('the inputs'), 0, { title: t('The inputs cannot be edited here'), detail: t('The job has {inputCount} inputs; up to {MOST} can be edited here. Send the others as a new job.', { inputCount: job.inputCount, MOST }) }, null);
  return jobInputs(job.id, fromNode, signal);
}
