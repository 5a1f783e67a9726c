import type { Definition } from '../../src/contract/definition.ts';
import type { ReadyLine } from '../../src/contract/process.ts';
import { type ApiClient, createApiClient, fetchTransport } from '../../src/lib/api-client.ts';

/** The REST API as an operator calls it. */
export const api = (master: Pick<ReadyLine, 'url' | 'token'>): ApiClient =>
  createApiClient(fetchTransport(master, fetch));

/** A node of a benchmark's workflow that makes a task. */
export interface Step {
  id: string;
  type: string;
  config: Record<string, unknown>;
}

/** Saves a chain `input → steps → output` and publishes it to dev. */
export async function publishChain(
  master: ReadyLine,
  id: string,
  input: Record<string, unknown> | undefined,
  steps: readonly Step[],
): Promise<void> {
  const ids = ['input', ...steps.map((step) => step.id), 'output'];
  const definition: Definition = {
    schemaVersion: 1,
    name: id,
    ...(input === undefined ? {} : { input }),
    response: 'list',
    nodes: [{ id: 'input', type: 'input' }, ...steps, { id: 'output', type: 'output' }].map((node, i) => ({
      ...node,
      name: node.id,
      position: { x: i * 200, y: 0 },
    })),
    edges: ids.slice(1).map((to, i) => ({ from: ids[i] ?? '', to })),
    output: 'output',
  };
  const { call } = api(master);
  await call('workflows.create', { body: { id, name: id } });
  const { hash } = await call('commits.create', {
    params: { id },
    body: { definition, message: 'Benchmark', parent: null },
  });
  await call('workflows.publish', { params: { id, environment: 'dev' }, body: { hash, description: 'Benchmark' } });
}

export async function createKey(master: ReadyLine): Promise<string> {
  const { key } = await api(master).call('keys.create', {
    body: { name: 'bench', workflows: ['*'], environments: ['dev'] },
  });
  return key;
}

/** The master's own exposition. */
export const exposition = async (master: ReadyLine): Promise<string> =>
  (await api(master).open('master.metrics', { headers: { accept: 'text/plain' } })).text();

/** One gauge of it. */
export async function gauge(master: ReadyLine, name: string): Promise<number> {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await exposition(master))?.[1]);
}
