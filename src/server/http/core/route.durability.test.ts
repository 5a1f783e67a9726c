import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startHarness, tester, type Harness } from '../../testing/http.fixture.ts';
import { heldDisk, type HeldDisk } from '../../testing/held-disk.fixture.ts';

/** What is committed and not on the disk yet may vanish in a power failure: nobody is told of it. */
let disk: HeldDisk;
let h: Harness;
beforeEach(async () => {
  disk = heldDisk();
  h = await startHarness({ disk });
});
afterEach(() => {
  disk.release();
  return h.close();
});

const get = (url: string) =>
  h.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${h.tokens.viewer}` } });

/** Sets once the promise is settled. */
function watch(promise: Promise<unknown>) {
  const state = { settled: false };
  void promise.finally(() => (state.settled = true));
  return state;
}

/** Has something committed that the disk does not keep yet. */
async function commitUnsafely() {
  disk.hold();
  const before = disk.waiting;
  void h.services.access.tokens.create({ name: 'unsafe', role: 'viewer' }, tester);
  await expect.poll(() => disk.waiting).toBe(before + 1);
}

it('lists wait for the disk, health checks do not', async () => {
  await commitUnsafely();
  const list = get('/api/v1/tokens');
  const state = watch(list);
  await expect.poll(() => disk.waiting).toBe(2);
  expect((await h.app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
  expect(state.settled).toBe(false);
  disk.release();
  expect((await list).json<{ items: { name: string }[] }>().items.map(({ name }) => name)).toContain('unsafe');
});

it('answers at once where everything is on the disk', async () => {
  disk.hold();
  expect((await get('/api/v1/tokens')).statusCode).toBe(200);
});

it('a repeated call with an idempotency key is answered when the first is on the disk', async () => {
  await h.publish('upper');
  const key = (await h.key()).key;
  const call = () =>
    h.app.inject({
      method: 'POST',
      url: '/api/v1/events/upper/dev',
      headers: {
        'api-key': key,
        'content-type': 'application/json',
        'idempotency-key': 'order-1',
        prefer: 'respond-async',
      },
      payload: '[{"content":"a"}]',
    });
  const first = await call();
  await commitUnsafely();
  const second = call();
  const state = watch(second);
  await expect.poll(() => disk.waiting).toBe(2);
  expect(state.settled).toBe(false);
  disk.release();
  expect((await second).body).toBe(first.body);
});

it('the live stream tells of a change when it is on the disk', async () => {
  await h.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = h.app.server.address() as AddressInfo;
  const closed = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/stream`, {
    headers: { authorization: `Bearer ${h.tokens.viewer}` },
    signal: closed.signal,
  });
  let text = '';
  void (async () => {
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  })().catch(() => undefined);
  const worker = (await h.services.workers.list({ page: 0, size: 1, sort: '' })).items[0]?.id ?? '';
  await commitUnsafely();
  h.services.feed.publish('worker', worker);
  await expect.poll(() => disk.waiting).toBe(2);
  expect(text).not.toContain('event: worker');
  disk.release();
  await expect.poll(() => text).toContain('event: worker');
  closed.abort();
});
