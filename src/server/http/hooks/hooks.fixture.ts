import { createHmac } from 'node:crypto';
import type { Problem } from '../../../contract/errors.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { RunningMaster } from '../../../contract/process.ts';
import type { WebhookCreated, WebhookDelivery, WebhookDraft } from '../../../contract/webhooks.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../../master.fixture.ts';

/** Needs no worker: its output is its input. */
const echo = {
  schemaVersion: 1,
  name: 'Echo',
  response: 'first',
  nodes: [
    { id: 'in', type: 'input' },
    { id: 'out', type: 'output' },
  ],
  edges: [{ from: 'in', to: 'out' }],
  output: 'out',
};

/** A whole master with a workflow `echo` in dev, and what tests of webhooks ask of it. */
export async function openHookMaster(
  limits: Partial<Limits> = {},
  folder = temporaryFolder('ym-hooks'),
  publicUrl: string | null = null,
) {
  const open = () => openMaster({ data: folder, limits, publicUrl });
  let master: RunningMaster = await open();

  async function call<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T & Problem }> {
    const response = await fetch(`${master.ready.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${master.ready.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T & Problem };
  }

  const rig = {
    folder,
    call,
    get url() {
      return master.ready.url;
    },
    get token() {
      return master.ready.token;
    },
    async publish(id: string, definition: object = {}): Promise<void> {
      await call('POST', '/api/v1/workflows', { id, name: id });
      const commit = await call<{ hash: string }>('POST', `/api/v1/workflows/${id}/commits`, {
        definition: { ...echo, ...definition },
        message: 'First',
        parent: null,
      });
      await call('PUT', `/api/v1/workflows/${id}/environments/dev`, { hash: commit.body.hash });
    },
    async make(draft: Partial<WebhookDraft> = {}): Promise<WebhookCreated> {
      const made = await call<WebhookCreated>('POST', '/api/v1/webhooks', {
        workflowId: 'echo',
        environment: 'dev',
        verify: { type: 'none' },
        ...draft,
      });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return made.body;
    },
    /** Sends a delivery; an object as JSON. */
    async send(
      path: string,
      body: NonNullable<RequestInit['body']> | object | null,
      headers: Record<string, string> = {},
      method = 'POST',
    ): Promise<{ status: number; headers: Headers; text: string; body: { jobId: string; status: string } & Problem }> {
      const isPlain = body !== null && Object.getPrototypeOf(body) === Object.prototype;
      const response = await fetch(`${master.ready.url}/hooks/${path}`, {
        method,
        headers: { ...(isPlain ? { 'content-type': 'application/json' } : {}), ...headers },
        ...(body === null ? {} : { body: isPlain ? JSON.stringify(body) : (body as NonNullable<RequestInit['body']>) }),
      });
      const text = await response.text();
      const isJson = /json/.test(response.headers.get('content-type') ?? '');
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
    },
    /** Sends JSON as GitHub does. */
    github(path: string, secret: string, body: object, id: string) {
      const text = JSON.stringify(body);
      return rig.send(path, text, {
        'content-type': 'application/json',
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
      });
    },
    async inputOf(jobId: string): Promise<unknown> {
      return (await call<{ input: unknown }>('GET', `/api/v1/jobs/${jobId}/input`)).body;
    },
    async deliveries(id: string): Promise<WebhookDelivery[]> {
      return (await call<{ items: WebhookDelivery[] }>('GET', `/api/v1/webhooks/${id}/deliveries`)).body.items;
    },
    async restart(): Promise<void> {
      await master.close();
      master = await open();
    },
    close: () => master.close(),
  };
  await rig.publish('echo');
  return rig;
}
export type HookMaster = Awaited<ReturnType<typeof openHookMaster>>;
