import type { RunningMaster } from '../../contract/process.ts';
import { createApiClient, fetchTransport, pathTo } from '../../lib/api-client.ts';

/** The example that the start screen calls (resources/examples). */
const EXAMPLE_WORKFLOW = 'shout';

/** A curl line that works when pasted, where this master has the starter example and a key for it. */
export async function exampleCallLines(running: Pick<RunningMaster, 'ready' | 'apiKey'>): Promise<string[]> {
  const { ready, apiKey } = running;
  if (apiKey === null) return [];
  const { call } = createApiClient(fetchTransport(ready, fetch));
  const workflow = await call('workflows.get', { params: { id: EXAMPLE_WORKFLOW } }).catch(() => null);
  if (workflow === null) return [];
  const { environments, archivedAt } = workflow;
  if (archivedAt !== null || !environments.some(({ environment, hash }) => environment === 'dev' && hash !== null))
    return [];
  return ['', 'Try it:', `  ${curlLine(ready.url, EXAMPLE_WORKFLOW, apiKey)}`];
}

/** One line for a shell. Keys and ids need no quoting; the body holds no single quote. */
export function curlLine(url: string, workflowId: string, apiKey: string): string {
  const path = pathTo('events.send', { params: { workflowId, environment: 'dev' } });
  return `curl -sS ${url}${path} -H 'api-key: ${apiKey}' -H 'content-type: application/json' -d '[{"content":"hello"}]'`;
}
