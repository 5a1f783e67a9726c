import { useQuery } from '@tanstack/react-query';
import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { jobInputsText } from '../../../api/reruns.ts';
import { formatBytes, formatCount } from '../../../ui/Duration.tsx';
import { formatDefinition } from '../../../ui/json-text/format.ts';

/** Inputs that can be edited by hand, by number and by characters; a larger job is run again with the same. */
const MOST = 200;
const MAX_CHARACTERS = 1_000_000;

/**
 * The inputs of a node, or of the whole job, as the text of a list: laid out in lines, and every value in it spelled as it
 * was sent. Read once they are wanted.
 */
export function useInputs(
  job: Job,
  fromNode: string | null,
  wanted: boolean,
): { text: string | undefined; error: unknown; retry(): void } {
  const query = useQuery({
    queryKey: ['jobs', 'input-text', job.id, fromNode],
    queryFn: async ({ signal }) => formatDefinition(await readInputs(job, fromNode, signal)),
    enabled: wanted,
    staleTime: Infinity,
    retry: false,
  });
  return { text: query.data, error: query.error, retry: () => void query.refetch() };
}

async function readInputs(job: Job, fromNode: string | null, signal: AbortSignal): Promise<string> {
  const refuse = (detail: string) =>
    new ApiError(t('inputs'), 0, { title: t('The inputs cannot be edited here'), detail }, null);
  if (job.inputCount > MOST)
    throw refuse(
      t('The job has {count} inputs; at most {most} can be edited here. Submit edited inputs as a new job instead.', {
        count: formatCount(job.inputCount),
        most: formatCount(MOST),
      }),
    );
  const text = await jobInputsText(job.id, fromNode, signal);
  if (text.length > MAX_CHARACTERS)
    throw refuse(
      t('The inputs are {size}; at most {most} can be edited here. Submit edited inputs as a new job instead.', {
        size: formatBytes(text.length),
        most: formatBytes(MAX_CHARACTERS),
      }),
    );
  return text;
}
