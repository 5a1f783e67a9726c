import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningMaster } from '../../contract/process.ts';
import type { Role } from '../../contract/vocabulary.ts';
import { createApiClient, fetchTransport, type ApiClient } from '../../lib/api-client.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../master.fixture.ts';
import { connectWorker } from '../testing/worker.fake.ts';

/** A worker is who its token says: over the real routes of a whole master. */
let master: RunningMaster;
let api: ApiClient;
beforeEach(async () => {
  master = await openMaster({ data: temporaryFolder('tokens'), adminToken: 'a'.repeat(40) });
  api = createApiClient(fetchTransport({ url: master.ready.url, token: 'a'.repeat(40) }, fetch));
});
afterEach(() => master.close());

const newToken = (role: Role, name: string = role) => api.call('tokens.create', { body: { name, role } });
const join = (token: string, id?: string, handlers: string[] = []) =>
  connectWorker({
    url: `${master.ready.url.replace('http', 'ws')}/api/v1/worker`,
    ...{ token, handlers },
    ...(id === undefined ? {} : { id }),
  });
const stateOf = async (id: string) => (await api.call('workers.get', { params: { id } })).state;

describe('a worker token that is revoked', () => {
  it('ends its links at once: the worker is Down, and cannot come back', async () => {
    const { id, token } = await newToken('worker');
    const worker = await join(token);
    const other = await join((await newToken('worker', 'other')).token);
    expect(await stateOf(worker.id)).toBe('Operational');
    await api.call('tokens.revoke', { params: { id } });
    await worker.closed;
    expect(await stateOf(worker.id)).toBe('Down');
    expect(await stateOf(other.id)).toBe('Operational');
    await expect(join(token, worker.id)).rejects.toThrow();
  });

  it('ends as well where it expires', async () => {
    const { token } = await api.call('tokens.create', {
      body: { name: 'short', role: 'worker', expiresAt: new Date(Date.now() + 1500).toISOString() },
    });
    const worker = await join(token);
    await worker.closed;
    expect(await stateOf(worker.id)).toBe('Down');
  });
});

describe('the workers of a token', () => {
  it('are told, with what was refused lately and why', async () => {
    const mine = await newToken('worker', 'mine');
    const uses = () => api.call('tokens.workers', { params: { id: mine.id } });
    expect(await uses()).toEqual({ workers: [], refused: [] });

    await expect(join('ymt_nobody')).rejects.toThrow();
    await expect(join((await newToken('viewer')).token)).rejects.toThrow();
    const { refused } = await uses();
    expect(refused).toMatchObject([
      { code: 'FORBIDDEN', address: '127.0.0.1', message: expect.stringContaining('has the role viewer') as unknown },
      { code: 'TOKEN_INVALID', message: expect.stringContaining('unknown') as unknown },
    ]);

    const worker = await join(mine.token);
    await join((await newToken('worker', 'other')).token);
    expect((await uses()).workers).toMatchObject([{ id: worker.id, state: 'Operational', maxTasks: 4 }]);
    await expect(join((await newToken('worker', 'thief')).token, worker.id)).rejects.toThrow('WORKER_ID_TAKEN');
    expect((await uses()).refused[0]).toMatchObject({ code: 'WORKER_ID_TAKEN' });
  });

  it('say no more of themselves than the master has room for, which those that are Down give back', async () => {
    const { id, token } = await newToken('worker');
    const much = Array.from({ length: 1310 }, (_, i) => String(i).padEnd(200, 'x'));
    const joined = await Promise.all(Array.from({ length: 64 }, () => join(token, undefined, much)));
    // It tries again by itself: the code is not the one of a refusal for good.
    await expect(join(token, undefined, much)).rejects.toThrow(/1013 .* exceed 16 Mi characters/);
    await expect(join(token, undefined, much)).rejects.toThrow('1013');
    const { refused } = await api.call('tokens.workers', { params: { id } });
    expect(refused).toMatchObject([{ code: 'TOKEN_FULL' }]);
    // Whoever is there comes back, and others have a room of their own.
    const [first] = joined;
    await join(token, first?.id, much);
    await join((await newToken('worker', 'other')).token, undefined, much);

    const gone = joined[1];
    gone?.send({ t: 'bye' });
    await expect.poll(() => stateOf(gone?.id ?? '')).toBe('Down');
    await join(token, undefined, much);
    await expect(stateOf(gone?.id ?? '')).rejects.toMatchObject({ code: 'WORKER_NOT_FOUND' });
  });

  it('are those of a token that is there', async () => {
    await expect(api.call('tokens.workers', { params: { id: 'nothing' } })).rejects.toMatchObject({
      code: 'TOKEN_NOT_FOUND',
    });
  });
});

describe('the ID of a worker', () => {
  it('belongs to the token that it joined with', async () => {
    const mine = await newToken('worker', 'mine');
    const worker = await join(mine.token);
    const thief = await newToken('worker', 'thief');
    await expect(join(thief.token, worker.id)).rejects.toThrow('WORKER_ID_TAKEN');
    expect(await stateOf(worker.id)).toBe('Operational');
    // The same token may come back, as after a lost connection.
    expect((await join(mine.token, worker.id)).id).toBe(worker.id);
  });

  it('is free again once that token is revoked', async () => {
    const old = await newToken('worker', 'old');
    const worker = await join(old.token);
    await api.call('tokens.revoke', { params: { id: old.id } });
    await worker.closed;
    expect((await join((await newToken('worker', 'new')).token, worker.id)).id).toBe(worker.id);
  });
});

it('a stream ends with the token that opened it', async () => {
  const { id, token } = await newToken('viewer');
  const answer = await fetch(`${master.ready.url}/api/v1/stream`, { headers: { authorization: `Bearer ${token}` } });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await api.call('tokens.revoke', { params: { id } });
  const ended = (async () => {
    for (;;) if ((await reader.read()).done) return;
  })();
  await ended.catch(() => undefined);
});
