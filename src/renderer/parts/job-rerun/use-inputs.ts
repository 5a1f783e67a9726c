import { useQuery } from '@tanstack/react-query';
import type { Job, Page, Task } from '../../../contract/api.ts';
import { ApiError, request } from '../../api/client.ts';
import { taskInputText } from '../../api/mending.ts';
import { inputTasks, listText } from './draft.ts';

/** Inputs that can be edited by hand; a larger job is run again with the same. */
const MOST = 200;
/** Inputs read at once. */
const LANES = 6;

interface Graph {
  readonly nodes: readonly { readonly id: string; readonly type: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** The inputs of a node's tasks, or of the whole job, as the text of a list, to the byte. Read once they are wanted. */
export function useInputs(job: Job, fromNode: string | null, definition: Graph | undefined, wanted: boolean): { text: string | undefined; error: unknown; retry(): void } {
  const query = useQuery({
    queryKey: ['jobs', 'input-text', job.id, fromNode],
    queryFn: ({ signal }) => readInputs(job, fromNode, definition as Graph, signal),
    enabled: wanted && definition !== undefined,
    staleTime: Infinity,
    retry: false,
  });
  return { text: query.data, error: query.error, retry: () => void query.refetch() };
}

async function readInputs(job: Job, fromNode: string | null, { nodes, edges }: Graph, signal: AbortSignal): Promise<string> {
  const refuse = (detail: string): never => {
    throw new ApiError('the inputs', 0, { title: 'The inputs cannot be edited here', detail }, null);
  };
  if (job.inputCount === 0) return '[]';
  if (job.inputCount > MOST) refuse(`The job has ${job.inputCount} inputs; up to ${MOST} can be edited here. Send the others as a new job.`);
  // A replica's input is what its first step got.
  const inputId = nodes.find((node) => node.type === 'input')?.id;
  const candidates = fromNode === null ? edges.filter((edge) => edge.from === inputId).map((edge) => edge.to) : [fromNode];
  for (const node of candidates) {
    const page = await request<Page<Task>>(`/api/v1/jobs/${encodeURIComponent(job.id)}/tasks`, { query: { node, size: MOST, sort: 'replica,asc' }, signal });
    const tasks = inputTasks(page.items, job.inputCount);
    if (tasks === null) continue;
    const texts: string[] = [];
    for (let at = 0; at < tasks.length; at += LANES) texts.push(...(await Promise.all(tasks.slice(at, at + LANES).map((task) => taskInputText(task.id, signal)))));
    return listText(texts);
  }
  return refuse(fromNode === null ? 'No step holds the inputs as they came.' : `${fromNode} was not reached in every replica of this job. Begin at an earlier step, or at the beginning.`);
}
