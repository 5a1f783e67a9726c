import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { call, isGatewayError, needsSignIn } from './client.ts';

const answer = (status: number, type: string, body: string | null) =>
  new Response(body, { status, headers: { 'content-type': type, 'x-request-id': 'r1' } });
/** Answers as the master and what may stand before it do. */
const ANSWERS: Readonly<Record<string, () => Response>> = {
  '/api/v1/jobs/json/input': () => answer(200, 'application/json', '{"n":12345678901234567890}'),
  '/api/v1/keys/empty': () => answer(204, 'application/json', null),
  '/api/v1/jobs/problem': () =>
    answer(
      422,
      'application/problem+json',
      '{"code":"VALIDATION_FAILED","title":"Not valid","detail":"size is wrong","errors":[{"pointer":"/size","message":"too big"}]}',
    ),
  '/api/v1/jobs/proxy': () => answer(502, 'text/html', '<h1>Bad gateway</h1>'),
  '/api/v1/jobs/page': () => answer(200, 'text/html', '<p>not the API</p>'),
};
beforeEach(() => {
  vi.stubGlobal('fetch', (path: string) => {
    const found = ANSWERS[path];
    return found ? Promise.resolve(found()) : Promise.reject(new TypeError('fetch failed'));
  });
});
afterEach(() => vi.unstubAllGlobals());

const failure = (jobId: string): Promise<unknown> =>
  call('jobs.get', { params: { jobId } }).then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error,
  );

describe('a call of the API', () => {
  it('answers the body, and nothing where there is none', async () => {
    expect(await call('keys.revoke', { params: { id: 'empty' } })).toBeUndefined();
    const input = await call('jobs.input', { params: { jobId: 'json' }, lossless: true });
    expect(JSON.stringify(input)).toBe('{"n":12345678901234567890}');
  });

  it('throws what a problem document says', async () => {
    expect(await failure('problem')).toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
      detail: 'size is wrong',
      requestId: 'r1',
      request: 'GET /api/v1/jobs/problem',
      errors: [{ pointer: '/size', message: 'too big' }],
    });
  });

  it('tells a proxy apart from the master', async () => {
    expect(await failure('proxy')).toMatchObject({ status: 502, code: 'UNKNOWN' });
    expect(await failure('page')).toMatchObject({ title: 'The response is not JSON' });
  });

  it('says when nothing answers', async () => {
    expect(await failure('nobody')).toMatchObject({ status: 0, code: 'OFFLINE' });
  });
});

describe('a request while no master owns the state', () => {
  it('waits until one does; what changes something is told at once, for it may have been done', async () => {
    const methods: string[] = [];
    const nobody = () =>
      new Response('{"code":"NO_OWNER"}', {
        status: 503,
        headers: { 'content-type': 'application/problem+json', 'retry-after': '0' },
      });
    vi.stubGlobal('fetch', async (_path: string, { method = '' }: RequestInit) =>
      methods.push(method) < 4 ? nobody() : answer(200, 'application/json', '{"mode":"cluster"}'),
    );
    await expect(call('cluster.handover', { body: {} })).rejects.toMatchObject({ code: 'NO_OWNER' });
    expect(await call('cluster.get')).toEqual({ mode: 'cluster' });
    expect(methods).toEqual(['POST', 'GET', 'GET', 'GET']);
  });
});

describe('a proxy without a master behind it', () => {
  it('is told from a master that refuses', async () => {
    const of = (status: number, code?: 'STORE_FULL' | 'OFFLINE') =>
      isGatewayError(new ApiError('GET /', status, code === undefined ? {} : { code }, null));
    expect([of(502), of(503), of(504)]).toEqual([true, true, true]);
    expect([of(500), of(404), of(503, 'STORE_FULL'), of(0, 'OFFLINE')]).toEqual([false, false, false, false]);
  });
});

describe('signing in', () => {
  it('helps against a missing or wrong token, not against a wrong API key', () => {
    const of = (code: 'TOKEN_MISSING' | 'API_KEY_INVALID') => new ApiError('GET /', 401, { code }, null);
    expect(needsSignIn(of('TOKEN_MISSING'))).toBe(true);
    expect(needsSignIn(of('API_KEY_INVALID'))).toBe(false);
  });
});
