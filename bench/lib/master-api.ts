import type { ReadyLine } from '../../src/contract/process.ts';

/** Calls the REST API as an operator; throws where it does not answer well. */
export async function call<T>(
  { url, token }: Pick<ReadyLine, 'url' | 'token'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' || !answer.headers.get('content-type')?.includes('json') ? text : JSON.parse(text)) as T;
}

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
  const definition = {
    schemaVersion: 1,
    name: id,
    ...(input === undefined ? {} : { input }),
    response: 'list',
    nodes: [{ id: 'input', type: 'input' }, ...steps, { id: 'output', type: 'output' }].map((node, i) => ({
      ...node,
      name: node.id,
      position: { x: i * 200, y: 0 },
    })),
    edges: ids.slice(1).map((to, i) => ({ from: ids[i], to })),
    output: 'output',
  };
  await call(master, 'POST', '/api/v1/workflows', { id, name: id });
  const { hash } = await call<{ hash: string }>(master, 'POST', `/api/v1/workflows/${id}/commits`, {
    definition,
    message: 'Benchmark',
    parent: null,
  });
  await call(master, 'PUT', `/api/v1/workflows/${id}/environments/dev`, { hash, description: 'Benchmark' });
}

export async function createKey(master: ReadyLine): Promise<string> {
  const { key } = await call<{ key: string }>(master, 'POST', '/api/v1/keys', {
    name: 'bench',
    workflows: ['*'],
    environments: ['dev'],
  });
  return key;
}

/** One gauge of the master's own exposition. */
export async function gauge(master: ReadyLine, name: string): Promise<number> {
  const text = await call<string>(master, 'GET', '/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}
