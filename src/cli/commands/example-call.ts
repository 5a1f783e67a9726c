import type { RunningMaster } from '../../contract/process.ts';
import type { Workflow } from '../../contract/workflows.ts';

/** The example that the start screen calls (resources/examples). */
const EXAMPLE_WORKFLOW = 'shout';

/** A curl line that works when pasted, where this master has the starter example and a key for it. */
export async function exampleCallLines(running: Pick<RunningMaster, 'ready' | 'apiKey'>): Promise<string[]> {
  const { ready, apiKey } = running;
  if (apiKey === null) return [];
  const answer = await fetch(`${ready.url}/api/v1/workflows/${EXAMPLE_WORKFLOW}`, {
    headers: { authorization: `Bearer ${ready.token}` },
  }).catch(() => null);
  if (!answer?.ok) return [];
  const { environments, archivedAt } = (await answer.json()) as Workflow;
  if (archivedAt !== null || !environments.some(({ environment, hash }) => environment === 'dev' && hash !== null))
    return [];
  return ['', 'Try it:', `  ${curlLine(ready.url, EXAMPLE_WORKFLOW, apiKey)}`];
}

/** One line for a shell. Keys and ids need no quoting; the body holds no single quote. */
export function curlLine(url: string, workflowId: string, apiKey: string): string {
  return `curl -sS ${url}/api/v1/events/${workflowId}/dev -H 'api-key: ${apiKey}' -H 'content-type: application/json' -d '[{"content":"hello"}]'`;
}
