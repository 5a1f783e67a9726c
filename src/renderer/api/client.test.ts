import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, needsSignIn, request, urlOf } from './client.ts';

const answer = (status: number, type: string, body: string | null) =>
  new Response(body, { status, headers: { 'content-type': type, 'x-request-id': 'r1' } });
/** Answers as the master and what may stand before it do. */
const ANSWERS: Readonly<Record<string, () => Response>> = {
  '/json': () => answer(200, 'application/json', '{"n":12345678901234567890}'),
  '/empty': () => answer(204, 'application/json', null),
  '/problem': () =>
    answer(
      422,
      'application/problem+json',
      '{"code":"VALIDATION_FAILED","title":"Not valid","detail":"size is wrong","errors":[{"pointer":"/size","message":"too big"}]}',
    ),
  '/proxy': () => answer(502, 'text/html', '<h1>Bad gateway</h1>'),
  '/page': () => answer(200, 'text/html', '<p>not the API</p>'),
};
beforeEach(() => {
  vi.stubGlobal('fetch', (path: string) => {
    const found = ANSWERS[path];
    return found ? Promise.resolve(found()) : Promise.reject(new TypeError('fetch failed'));
  });
});
afterEach(() => vi.unstubAllGlobals());

const failure = (path: string): Promise<ApiError> =>
  request(path).then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error as ApiError,
  );

describe('a call of the API', () => {
  it('answers the body, and nothing where there is none', async () => {
    expect(await request('/empty')).toBeUndefined();
    expect(JSON.stringify(await request('/json', { lossless: true }))).toBe('{"n":12345678901234567890}');
  });

  it('throws what a problem document says', async () => {
    expect(await failure('/problem')).toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
      detail: 'size is wrong',
      requestId: 'r1',
      errors: [{ pointer: '/size', message: 'too big' }],
    });
  });

  it('tells a proxy apart from the master', async () => {
    expect(await failure('/proxy')).toMatchObject({ status: 502, code: 'UNKNOWN' });
    expect(await failure('/page')).toMatchObject({ title: 'The response is not JSON' });
  });

  it('says when nothing answers', async () => {
    const error = await request('/nobody').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 0, code: 'OFFLINE' });
  });
});

describe('an address', () => {
  it('leaves absent parameters out and repeats lists', () => {
    expect(urlOf('/jobs', { page: 0, q: '', size: undefined, status: ['FAILED', 'MIXED'] })).toBe(
      '/jobs?page=0&status=FAILED&status=MIXED',
    );
  });
});

describe('signing in', () => {
  it('helps against a missing or wrong token, not against a wrong API key', () => {
    const of = (code: string) => new ApiError('GET /', 401, { code: code as never }, null);
    expect(needsSignIn(of('TOKEN_MISSING'))).toBe(true);
    expect(needsSignIn(of('API_KEY_INVALID'))).toBe(false);
  });
});
