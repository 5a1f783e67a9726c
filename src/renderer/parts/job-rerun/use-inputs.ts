import { useQuery } from '@tanstack/react-query';
import type { Job } from '../../../contract/api.ts';
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
  if (job.inputCount > MOST) throw new ApiError('the inputs', 0, { title: 'The inputs cannot be edited here', detail: `The job has ${job.inputCount} inputs; up to ${MOST} can be edited here. Send the others as a new job.` }, null);
  return jobInputs(job.id, fromNode, signal);
}
