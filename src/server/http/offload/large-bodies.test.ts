import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Problem } from '../../../contract/errors.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { createOffload } from '../../offload/offload.ts';
import type { Offload } from '../../offload/port.ts';
import { isPacked, unpackChunk } from '../../../lib/packed-inputs.ts';
import { simple, startHarness, type Harness } from '../../testing/http.fixture.ts';

let harness: Harness;
let key: string;
/** What the thread was asked. */
const asked: string[] = [];

beforeAll(async () => {
  const offload = createOffload({
    file: threadFile(import.meta.url, './offload-thread.ts', 'offload-thread.js'),
    limits: LIMITS,
    onError: () => {},
  });
  const spy: Offload = {
    call(method, ask, moved) {
      asked.push(method);
      return offload.call(method, ask, moved);
    },
    redact: offload.redact,
    close: () => offload.close(),
  };
  harness = await startHarness({ services: { offload: spy } });
  await harness.publish('upper');
  ({ key } = await harness.key());
});
afterAll(async () => {
  await harness.services.offload.close();
  await harness.close();
});
beforeEach(() => {
  asked.length = 0;
  harness.jobs.clear();
});

const filler = 'x'.repeat(70_000);
const send = (body: string | Buffer, headers: Record<string, string> = {}) =>
  harness.app.inject({
    method: 'POST',
    url: '/api/v1/events/upper/dev',
    headers: { 'api-key': key, 'content-type': 'application/json', ...headers },
    payload: body,
  });
const operate = (method: 'POST' | 'PUT', url: string, body: unknown) =>
  harness.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${harness.tokens.admin}`, 'content-type': 'application/json' },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('a small body', () => {
  it('is read where it came in', async () => {
    expect((await send('[{"content":"a"}]')).statusCode).toBe(200);
    expect(asked).toEqual([]);
  });
});

describe('a large body of an event call', () => {
  it('is read in the thread, and its inputs are never values here', async () => {
    const answer = await send(
      JSON.stringify([{ content: filler }, { content: 'ü', n: 1 }]).replace('"n":1', '"n":12345678901234567890'),
    );
    expect(answer.statusCode).toBe(200);
    expect(asked).toEqual(['event']);
    const inputs = harness.jobs.submitted[0]?.inputs ?? [];
    expect(isPacked(inputs) && inputs.chunks.flatMap((chunk) => unpackChunk(chunk))).toEqual([
      JSON.stringify({ content: filler }),
      '{"content":"ü","n":12345678901234567890}',
    ]);
  });

  it('is known again by its idempotency key, whichever way it was read', async () => {
    const body = JSON.stringify([{ content: filler }]);
    const headers = { 'idempotency-key': 'k1', prefer: 'respond-async' };
    const [first, second] = [
      await send(body, headers),
      await send(gzipSync(body), { ...headers, 'content-encoding': 'gzip' }),
    ];
    expect([first.statusCode, second.statusCode]).toEqual([202, 202]);
    expect(second.json()).toEqual(first.json());
    expect((await send(body.replace('x', 'y'), headers)).json<Problem>().code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(harness.jobs.submitted).toHaveLength(1);
  });

  it.each([
    ['no JSON', `[{"content":"${filler}"}`],
    ['another type', JSON.stringify({ content: filler })],
    ['an input that is no object', JSON.stringify([{ content: filler }, 7])],
    ['inputs that break the schema', JSON.stringify([{ content: filler }, { content: 1 }, {}])],
    ['nested too deeply', `[{"content":"${filler}","a":${'['.repeat(250)}${']'.repeat(250)}}]`],
    ['too many values', `[{"content":"a","a":[${'1,'.repeat(100_001)}1]}]`],
    ['too many inputs', JSON.stringify(Array.from({ length: 1001 }, () => ({ content: 'x'.repeat(100) })))],
  ])('%s is refused as a small one would be', async (_, body) => {
    const offload = (await send(body)).json<Problem>();
    expect(asked).toEqual(['event']);
    // The same body with a master that reads everything itself.
    const limits = harness.services.limits as { heavyBodyBytes: number };
    limits.heavyBodyBytes = Number.POSITIVE_INFINITY;
    try {
      const { instance: _id, ...light } = (await send(body)).json<Problem>();
      expect(offload).toMatchObject(light);
    } finally {
      limits.heavyBodyBytes = LIMITS.heavyBodyBytes;
    }
    expect(asked).toEqual(['event']);
  });

  it('that is no UTF-8 is refused', async () => {
    expect((await send(Buffer.alloc(100_000, 0xff))).json<Problem>().code).toBe('INVALID_JSON');
  });
});

it('a schema that takes long to compile is never compiled on the event loop', async () => {
  const input = {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`p${i}`, { type: 'string', pattern: `^[a-z]{1,${i + 1}}$` }]),
    ),
    required: ['p1'],
  };
  await harness.publish('patterns', { input });
  asked.length = 0;
  const call = (body: unknown) =>
    harness.app.inject({
      method: 'POST',
      url: '/api/v1/events/patterns/dev',
      headers: { 'api-key': key, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    });
  expect((await call([{ p1: 'a' }])).statusCode).toBe(200);
  expect((await call([{ p1: 'A' }])).json<Problem>()).toMatchObject({
    code: 'INPUT_INVALID',
    errors: [{ pointer: '/0/p1' }],
  });
  expect(asked).toEqual(['event', 'event']);
});

describe('a large batch', () => {
  const batch = (inputs: unknown[], more: object = {}) =>
    operate('POST', '/api/v1/jobs', { workflowId: 'upper', environment: 'dev', inputs, ...more });

  it('is read and checked in the thread', async () => {
    expect((await batch([{ content: filler }], { externalId: 'e', replicaRunTimeoutSeconds: 7 })).statusCode).toBe(202);
    expect(asked).toEqual(['body', 'inputs']);
    expect(harness.jobs.submitted[0]).toMatchObject({
      externalId: 'e',
      replicaRunTimeoutSeconds: 7,
      inputs: { length: 1 },
    });
  });

  it('has its faults named', async () => {
    expect((await batch([{ content: filler }, { content: 7 }])).json<Problem>()).toMatchObject({
      code: 'INPUT_INVALID',
      errors: [{ pointer: '/inputs/1/content' }],
    });
    expect((await batch([{ content: filler }, 7])).json<Problem>()).toMatchObject({
      code: 'INPUT_INVALID',
      errors: [{ pointer: '/inputs/1' }],
    });
    expect((await batch([{ content: filler }], { colour: 'red' })).json<Problem>()).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/colour' }],
    });
    expect((await batch([{ content: filler }], { workflowId: 'nowhere' })).json<Problem>().code).toBe(
      'WORKFLOW_NOT_FOUND',
    );
    expect(harness.jobs.submitted).toEqual([]);
  });
});

describe('a large definition', () => {
  const large = {
    ...simple,
    nodes: [...simple.nodes, { id: 'long', type: 'template', config: { template: 'y'.repeat(50_000) } }],
    edges: [
      { from: 'in', to: 'up' },
      { from: 'up', to: 'long' },
      { from: 'long', to: 'out' },
    ],
  };

  it('is checked, saved, read and compared in the thread, with the very hash that it always has', async () => {
    await operate('POST', '/api/v1/workflows', { id: 'large', name: 'Large' });
    const checked = await operate('POST', '/api/v1/workflows/large/check', {
      definition: { ...large, output: 'nowhere' },
    });
    expect(checked.json()).toMatchObject({ faults: [{ pointer: '/output' }] });
    const saved = await operate('POST', '/api/v1/workflows/large/commits', {
      definition: large,
      message: 'Large',
      parent: null,
    });
    expect(saved.statusCode).toBe(201);
    const commit = saved.json<{ hash: string; definition: unknown; faults: unknown[] }>();
    expect(commit).toMatchObject({ definition: large, faults: [], valid: true });
    const again = await operate('POST', '/api/v1/workflows/large/commits', {
      definition: { ...large, name: 'Larger' },
      message: 'Larger',
      parent: commit.hash,
    });
    const read = async (url: string) =>
      (await harness.app.inject({ url, headers: { authorization: `Bearer ${harness.tokens.viewer}` } })).json();
    expect(await read(`/api/v1/workflows/large/commits/${commit.hash}`)).toEqual(commit);
    expect(
      await read(`/api/v1/workflows/large/commits/${commit.hash}/diff/${again.json<{ hash: string }>().hash}`),
    ).toMatchObject({ from: commit.hash, settings: [{ op: 'replace', path: '/name' }], nodes: { changed: [] } });
    expect(asked).toEqual(['body', 'body', 'body']);
  });

  it('is not checked again by the same checker when it is published', async () => {
    const { items } = await harness.services.workflows.commits('large', { page: 0, size: 1 });
    expect(
      (await operate('PUT', '/api/v1/workflows/large/environments/dev', { hash: items[0]?.hash })).statusCode,
    ).toBe(200);
    expect(asked).toEqual([]);
    expect(harness.services.workflows.endpoint('large', 'dev').found).toBe('published');
  });
});

describe('any other route', () => {
  it('has its faults found in the thread', async () => {
    const answer = await operate(
      'POST',
      '/api/v1/keys',
      `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":0`).join(',')}}`,
    );
    expect(answer.json<Problem>()).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(answer.json<Problem>().errors?.length).toBeLessThanOrEqual(101);
    expect(asked).toEqual(['body']);
  });

  it('takes what is good', async () => {
    const answer = await operate(
      'POST',
      '/api/v1/keys',
      `{"name":"k","workflows":["*"],${' '.repeat(70_000)}"environments":["dev"]}`,
    );
    expect(answer.statusCode).toBe(201);
    expect(asked).toEqual(['body']);
  });
});

describe('the thread', () => {
  const file = threadFile(import.meta.url, './offload-thread.ts', 'offload-thread.js');

  it('takes no more than so many bytes at once', async () => {
    const offload = createOffload({ file, limits: { ...LIMITS, heavyQueueBytes: 1000 }, onError: () => {} });
    const event = () => {
      const body = Uint8Array.from(Buffer.from(JSON.stringify([{ content: 'x'.repeat(600) }])));
      return offload.call('event', { body, schema: null }, [body]);
    };
    const [first, second] = await Promise.allSettled([event(), event()]);
    expect(first).toMatchObject({ status: 'fulfilled', value: { inputs: { length: 1 } } });
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'OVERLOADED' } });
    expect((await event()).inputs.length).toBe(1);
    await offload.close();
  });

  it('that ends is started again, and who waited is told', async () => {
    const offload = createOffload({
      file: new URL('data:text/javascript,process.exit(3)'),
      limits: LIMITS,
      onError: () => {},
    });
    await expect(offload.call('definition', { text: '{}' })).rejects.toMatchObject({ code: 'OVERLOADED' });
    await expect(offload.call('definition', { text: '{}' })).rejects.toMatchObject({ code: 'OVERLOADED' });
    await offload.close();
  });

  it('ends when it has nothing to do', async () => {
    const offload = createOffload({ file, limits: LIMITS, onError: () => {}, idleMs: 1 });
    const text = JSON.stringify(simple);
    expect(await offload.call('definition', { text })).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await offload.call('definition', { text })).toEqual([]);
    await offload.close();
  });
});
