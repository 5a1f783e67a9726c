import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Comparison, LogComparison } from '../../../../contract/comparisons.ts';
import type { IncidentEnd, IncidentManifest } from '../../../../contract/incident.ts';
import type { Job } from '../../../../contract/jobs.ts';
import type { RunningMaster } from '../../../../contract/process.ts';
import { openMaster } from '../../../master.fixture.ts';
import { connectWorker, done, failed, type FakeWorker } from '../../../testing/worker.fake.ts';
import { temporaryFolder } from '../../../../lib/temporary-folder.fixture.ts';

/** A run that failed is taken away as one file, from a real master over real sockets. */
const SECRET = 'correct-horse-battery';
/** Made a secret only after it was written down. */
const LATER = 'staple-of-the-shop';
const KEY = `ym_${'a1B2'.repeat(11)}`.slice(0, 46);
let master: RunningMaster;
let worker: FakeWorker;
let failing: string;
let well: string;

const call = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${master.ready.url}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${master.ready.token}`,
      ...(init.body ? { 'content-type': 'application/json' } : {}),
      ...init.headers,
    },
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
};
const json = async <T>(path: string, init?: RequestInit) => (await (await call(path, init)).json()) as T;
const post = <T>(path: string, body: unknown, method = 'POST') => json<T>(path, { method, body: JSON.stringify(body) });

const definition = {
  schemaVersion: 1,
  name: 'Shop',
  response: 'list',
  output: 'output',
  nodes: [
    { id: 'input', type: 'input' },
    { id: 'parse', type: 'transform', config: { expression: '$' } },
    { id: 'charge', type: 'transform', retries: 0, config: { expression: `"${SECRET}"` } },
    { id: 'output', type: 'output' },
  ],
  edges: [
    { from: 'input', to: 'parse' },
    { from: 'parse', to: 'charge' },
    { from: 'charge', to: 'output' },
  ],
};

async function run(input: unknown, charge: 'fails' | 'works'): Promise<string> {
  const { jobId } = await post<{ jobId: string }>('/api/v1/jobs', {
    workflowId: 'shop',
    environment: 'dev',
    inputs: [input],
  });
  await answer(charge);
  await vi.waitFor(async () => expect((await json<Job>(`/api/v1/jobs/${jobId}`)).finishedAt).not.toBeNull(), {
    timeout: 60_000,
    interval: 30,
  });
  return jobId;
}

/** What the worker does with the next order. */
async function answer(charge: 'fails' | 'works'): Promise<void> {
  const lease = await worker.lease();
  for (const { id, node, attempt } of [lease, ...lease.chain.map((next) => ({ ...next, attempt: 1 }))]) {
    if (node === 'parse') worker.report(done({ id, attempt }, { order: 12, big: 'x'.repeat(40_000), key: KEY }));
    else
      worker.report(
        charge === 'works'
          ? done({ id, attempt }, 'charged')
          : failed({ id, attempt }, { code: 'NON_RETRYABLE', message: `no funds, said ${SECRET}`, retryable: false }),
      );
  }
}

const bytesOf = async (path: string): Promise<Buffer> => Buffer.from(await (await call(path)).arrayBuffer());

const partsOf = async (path: string): Promise<Map<string, string>> => unpacked(await bytesOf(path));

async function unpacked(bundle: Buffer): Promise<Map<string, string>> {
  const parts = await unpackTar(gunzipSync(bundle), { strict: true });
  return new Map(parts.map(({ header, data }) => [header.name, new TextDecoder().decode(data)]));
}

beforeAll(async () => {
  master = await openMaster({
    data: join(temporaryFolder('incident'), 'data'),
    limits: { workerUnstableSeconds: 600, workerDownSeconds: 3600 },
  });
  await post('/api/v1/secrets/HORSE', { value: SECRET }, 'PUT');
  await post('/api/v1/workflows', { id: 'shop', name: `Shop of ${LATER} and ${KEY}` });
  const { hash } = await post<{ hash: string }>('/api/v1/workflows/shop/commits', {
    definition,
    message: 'First',
    parent: null,
  });
  await post('/api/v1/workflows/shop/environments/dev', { hash }, 'PUT');
  const { token } = await post<{ token: string }>('/api/v1/tokens', { name: 'w', role: 'worker' });
  worker = await connectWorker({ url: `${master.ready.url.replace('http', 'ws')}/api/v1/worker`, token });
  well = await run({ order: 12 }, 'works');
  failing = await run({ order: 13 }, 'fails');
  const line = (message: string) =>
    `${JSON.stringify({ _time: new Date().toISOString(), _msg: message, level: 'ERROR', job_id: failing })}\n`;
  const logs = `http://127.0.0.1:${master.ready.ports.logStore}/insert/jsonline`;
  const sent = await fetch(logs, {
    method: 'POST',
    headers: { authorization: `Bearer ${master.ready.token}` },
    body: line('card refused, no funds on 4711') + line(`authorization: Bearer ${'t'.repeat(30)}`),
  });
  expect(sent.ok).toBe(true);
  const fields = `${JSON.stringify({ _time: new Date().toISOString(), _msg: 'asked', job_id: failing, url: `https://shop.test/?key=${LATER}`, [LATER]: 1 })}\n`;
  expect(
    (await fetch(logs, { method: 'POST', headers: { authorization: `Bearer ${master.ready.token}` }, body: fields }))
      .ok,
  ).toBe(true);
  await vi.waitFor(
    async () => expect(await json(`/api/v1/logs/search?job_id=${failing}`)).toMatchObject({ records: { length: 3 } }),
    { interval: 50 },
  );
  await post('/api/v1/secrets/LATER', { value: LATER }, 'PUT');
});
afterAll(async () => {
  await worker?.vanish();
  await master?.close();
});

it('holds the job with all that is known of it, the manifest first and what it came to last', async () => {
  const parts = await partsOf(`/api/v1/jobs/${failing}/incident-bundle`);
  const names = [...parts.keys()];
  expect([names[0], names.at(-1)]).toEqual(['manifest.json', 'end.json']);
  const manifest = JSON.parse(parts.get('manifest.json') ?? '') as IncidentManifest;
  expect(manifest).toMatchObject({
    format: 'yardmaster-incident',
    version: 1,
    jobId: failing,
    jobs: [failing],
    payloads: true,
    cluster: new URL(master.ready.url).host,
  });
  const at = `jobs/${failing}`;
  const tasks = (parts.get(`${at}/tasks/000000000.ndjson`) ?? '')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as { id: string; node: string; state: string });
  expect(tasks.map(({ node, state }) => [node, state])).toEqual([
    ['parse', 'COMPLETED'],
    ['charge', 'FAILED'],
  ]);
  expect(parts.get(`${at}/inputs/000000000.ndjson`)).toBe('[0,{"order":13}]\n');
  // A long payload is cut in the list and stands whole in a part of its own.
  expect(JSON.parse(parts.get(`${at}/payloads/${tasks[0]?.id}.output.json`) ?? '')).toMatchObject({
    order: 12,
    big: 'x'.repeat(40_000),
  });
  expect(parts.get(`${at}/logs/000000000.ndjson`)).toContain('no funds on 4711');
  for (const name of [
    `${at}/job.json`,
    `${at}/graph.json`,
    `${at}/output.json`,
    `${at}/metrics.json`,
    'workflows/shop/workflow.json',
    'workflows/shop/publications.json',
    'workers.json',
    'failures.json',
  ])
    expect(names).toContain(name);
  expect(JSON.parse(parts.get('failures.json') ?? '')).toMatchObject([{ node: 'charge', count: 1 }]);
  expect(JSON.parse(parts.get('workers.json') ?? '')).toMatchObject([{ id: worker.id }]);
  expect(JSON.parse(parts.get('end.json') ?? '')).toMatchObject({
    tasks: 2,
    parts: parts.size,
    leftOut: [],
  } satisfies Partial<IncidentEnd>);
  // The first bundle starts threads.
});

it('is opened by common tools', async () => {
  // One bundle, read twice: metrics of the jobs may still arrive between two.
  const bundle = await bytesOf(`/api/v1/jobs/${failing}/incident-bundle`);
  const listed = execFileSync('tar', ['-tz'], { input: bundle, encoding: 'utf8' }).trim().split('\n');
  expect(listed.toSorted()).toEqual([...(await unpacked(bundle)).keys()].toSorted());
});

it('holds no secret, no key and no token, wherever they stood', async () => {
  const all = [...(await partsOf(`/api/v1/jobs/${failing}/incident-bundle`)).values()].join('\n');
  for (const secret of [SECRET, LATER, KEY, 't'.repeat(30), master.ready.token]) expect(all).not.toContain(secret);
  expect(all).toContain('no funds, said [secret HORSE]');
  expect(all).toContain('Bearer [credential]');
});

it('leaves inputs and outputs out where it is told to, is noted in the audit log, and is for whoever may look', async () => {
  const parts = await partsOf(`/api/v1/jobs/${failing}/incident-bundle?payloads=false`);
  expect([...parts.keys()].filter((name) => name.includes('/inputs/') || name.includes('/payloads/'))).toEqual([]);
  expect([...parts.values()].join('')).not.toContain('xxxx');
  const { items } = await json<{ items: { action: string; target: string; after: unknown }[] }>(
    '/api/v1/audit?action=job.incidentBundle',
  );
  expect(items[0]).toMatchObject({ target: `job:${failing}`, after: { payloads: false } });
  const { token } = await post<{ token: string }>('/api/v1/tokens', { name: 'v', role: 'viewer' });
  expect(
    (
      await fetch(`${master.ready.url}/api/v1/jobs/${failing}/incident-bundle`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status,
  ).toBe(200);
});

it('holds for people of one project nothing of workers and of the metrics of others', async () => {
  const path = `/api/v1/jobs/${failing}/incident-bundle`;
  const { id } = await post<{ id: string }>('/api/v1/users', { login: 'sam', kind: 'service' });
  const grant = { subjectKind: 'user', subject: id, role: 'viewer', project: 'default' };
  await post('/api/v1/grants', grant);
  const { token } = await post<{ token: string }>(`/api/v1/users/${id}/tokens`, { name: 'own' });
  const ofSam = async () => {
    const answer = await call(path, { headers: { authorization: `Bearer ${token}` } });
    return unpacked(Buffer.from(await answer.arrayBuffer()));
  };
  const around = (parts: Map<string, string>) =>
    [...parts].flatMap(([name, text]) =>
      name.startsWith('metrics/') || (name === 'workers.json' && text !== '[]') ? [name] : [],
    );
  expect(around(await partsOf(path))).toContain('metrics/all/job_metrics.json');
  const parts = await ofSam();
  expect(around(parts)).toEqual([]);
  expect(parts.has(`jobs/${failing}/metrics.json`)).toBe(true);
  expect((JSON.parse(parts.get('end.json') ?? '') as IncidentEnd).leftOut.join()).toMatch(/Workers.*Metrics of all/);
  const causes = (of: Map<string, string>) =>
    (JSON.parse(of.get('failures.json') ?? '') as { causes: { kind: string }[] }[]).flatMap((group) => group.causes);
  expect(causes(parts)).toEqual(causes(await partsOf(path)));
  // Of one environment alone: what was given in others is not theirs.
  await post('/api/v1/grants', { ...grant, environments: ['dev'] });
  const { items } = await json<{ items: { id: string; environments: string[] | null; subject: string }[] }>(
    '/api/v1/grants',
  );
  const wide = items.find(({ environments, subject }) => environments === null && subject === id);
  await call(`/api/v1/grants/${wide?.id}`, { method: 'DELETE' });
  expect(causes(await ofSam()).filter(({ kind }) => kind === 'input')).toEqual([]);
});

it('takes the jobs along that it called, and those that called it', async () => {
  await post('/api/v1/workflows', { id: 'mall', name: 'Mall' });
  const calls = {
    ...definition,
    name: 'Mall',
    nodes: [
      { id: 'input', type: 'input' },
      { id: 'call', type: 'workflow', retries: 0, config: { workflowId: 'shop', environment: 'dev' } },
      { id: 'output', type: 'output' },
    ],
    edges: [
      { from: 'input', to: 'call' },
      { from: 'call', to: 'output' },
    ],
  };
  const { hash } = await post<{ hash: string }>('/api/v1/workflows/mall/commits', {
    definition: calls,
    message: 'First',
    parent: null,
  });
  await post('/api/v1/workflows/mall/environments/dev', { hash }, 'PUT');
  const { jobId: parent } = await post<{ jobId: string }>('/api/v1/jobs', {
    workflowId: 'mall',
    environment: 'dev',
    inputs: [{ order: 1 }],
  });
  await answer('works');
  const child = (await json<{ items: Job[] }>(`/api/v1/jobs?parentJobId=${parent}`)).items[0]?.id ?? '';
  const jobsOf = async (id: string) =>
    (JSON.parse((await partsOf(`/api/v1/jobs/${id}/incident-bundle`)).get('manifest.json') ?? '') as IncidentManifest)
      .jobs;
  expect(await jobsOf(parent)).toEqual([parent, child]);
  expect(await jobsOf(child)).toEqual([child, parent]);
  expect([...(await partsOf(`/api/v1/jobs/${parent}/incident-bundle`)).keys()]).toEqual(
    expect.arrayContaining([`workflows/mall/commits/${hash}.json`, 'workflows/shop/workflow.json']),
  );
});

it('gives its place back when the reader goes', async () => {
  for (let i = 0; i < 4; i++) {
    const gone = new AbortController();
    // The places of those before are given back a moment after they went.
    const begun = await vi.waitFor(() => call(`/api/v1/jobs/${failing}/incident-bundle`, { signal: gone.signal }), {
      timeout: 60_000,
      interval: 50,
    });
    await begun.body?.getReader().read();
    gone.abort();
  }
  await vi.waitFor(
    async () => expect((await partsOf(`/api/v1/jobs/${failing}/incident-bundle`)).size).toBeGreaterThan(5),
    { interval: 50 },
  );
});

it('is compared with the run before it, over REST', async () => {
  const found = await json<Comparison>(`/api/v1/jobs/${failing}/compare/${well}`);
  expect(found.message).toBe(
    'charge ended as FAILED instead of COMPLETED: NON_RETRYABLE, no funds, said [secret HORSE]',
  );
  expect(found.inputs).toEqual({ differing: 1, replicas: [0] });
  expect(await json(`/api/v1/jobs/${failing}/compare/${well}/values?of=input`)).toMatchObject({
    changes: [{ op: 'changed', path: '$.order', before: '12', after: '13' }],
    complete: true,
  });
  const logs = await json<LogComparison>(`/api/v1/jobs/${failing}/compare/${well}/logs`);
  expect(logs.items.map(({ pattern, here, there }) => [pattern, here, there])).toContainEqual([
    'card refused, no funds on <n>',
    1,
    0,
  ]);
  expect(
    (
      await fetch(`${master.ready.url}/api/v1/jobs/${failing}/compare/none`, {
        headers: { authorization: `Bearer ${master.ready.token}` },
      })
    ).status,
  ).toBe(404);
});
