import { describe, expect, it } from 'vitest';
import { type ApiRequest, createApiClient, pathTo } from './api-client.ts';

/** A master that keeps what it is asked and answers `{}`. */
function master() {
  const asked: ApiRequest[] = [];
  return {
    asked,
    client: createApiClient((request) => {
      asked.push(request);
      return Promise.resolve(new Response('{}'));
    }),
  };
}

describe('the path of a route', () => {
  it('has its parameters, encoded', () => {
    expect(pathTo('secrets.set', { params: { name: 'a/b c' } })).toBe('/api/v1/secrets/a%2Fb%20c');
    expect(pathTo('shadowReplays.result', { params: { id: '1', number: 7 } })).toBe(
      '/api/v1/shadow-replays/1/results/7',
    );
  });

  it('leaves absent parameters of the query out and repeats lists', () => {
    expect(
      pathTo('jobs.list', { query: { page: 0, q: '', size: undefined, sort: null, status: ['FAILED', 'MIXED'] } }),
    ).toBe('/api/v1/jobs?page=0&status=FAILED&status=MIXED');
  });
});

describe('a call', () => {
  it('goes by the method and path of its route, a body as JSON', async () => {
    const { asked, client } = master();
    await client.call('jobs.kill', { params: { jobId: '1' } });
    await client.call('silences.create', { body: { matchers: [], comment: 'c' } });
    await client.call('jobs.rerun', { params: { jobId: '1' }, json: '{"inputs":[1.10]}' });
    expect(asked).toMatchObject([
      { method: 'DELETE', path: '/api/v1/jobs/kill/1', headers: { accept: 'application/json' }, body: undefined },
      { method: 'POST', path: '/api/v1/alerts/silences', headers: { 'content-type': 'application/json' } },
      { method: 'POST', path: '/api/v1/jobs/1/rerun', body: '{"inputs":[1.10]}' },
    ]);
    expect(asked[0]?.headers).not.toHaveProperty('content-type');
    expect(asked[1]?.body).toBe('{"matchers":[],"comment":"c"}');
  });

  it('answers a refusal as it came where any answer will do, and throws it elsewhere', async () => {
    const client = createApiClient(() => Promise.resolve(new Response('{"code":"JOB_NOT_FOUND"}', { status: 404 })));
    expect((await client.answer('jobs.get', { params: { jobId: '1' } })).status).toBe(404);
    for (const call of [client.open, client.bytes, client.call])
      await expect(call('jobs.get', { params: { jobId: '1' } })).rejects.toMatchObject({
        status: 404,
        code: 'JOB_NOT_FOUND',
        request: 'GET /api/v1/jobs/1',
      });
  });
});

describe('a list that is read again', () => {
  it('is not sent again where it is as before', async () => {
    const seen: unknown[] = [];
    const client = createApiClient(({ headers }) => {
      const known = headers['if-none-match'];
      seen.push(known);
      return Promise.resolve(
        known === '"1"'
          ? new Response(null, { status: 304, headers: { etag: '"1"' } })
          : new Response('{"items":[]}', { headers: { etag: '"1"' } }),
      );
    });
    expect(await client.callUnlessSame(null, 'jobs.list')).toEqual({ value: { items: [] }, tag: '"1"' });
    expect(await client.callUnlessSame('"1"', 'jobs.list')).toBeNull();
    expect(await client.callUnlessSame('"0"', 'jobs.list')).toMatchObject({ tag: '"1"' });
    expect(seen).toEqual([undefined, '"1"', '"0"']);
  });

  it('throws a refusal, and takes the answer of a master that gives no tags', async () => {
    const refusing = createApiClient(() => Promise.resolve(new Response('{"code":"FORBIDDEN"}', { status: 403 })));
    await expect(refusing.callUnlessSame('"1"', 'jobs.list')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const { client } = master();
    expect(await client.callUnlessSame('"1"', 'jobs.list')).toEqual({ value: {}, tag: null });
  });
});

describe('types', () => {
  it('hold what a route takes and answers', () => {
    const { client } = master();
    const compiled = async () => {
      const job = await client.call('jobs.get', { params: { jobId: '1' } });
      const status: 'COMPLETED' | 'RUNNING' | 'FAILED' | 'PARTIAL_FAILURE' | 'TIMEOUT' | 'MIXED' | 'EMPTY' = job.status;
      // @ts-expect-error a job has no such member
      void job.state;
      // @ts-expect-error its parameter is missing
      await client.call('jobs.get');
      // @ts-expect-error there is no such status
      await client.call('jobs.list', { query: { status: ['LOST'] } });
      // @ts-expect-error the body lacks its comment
      await client.call('silences.create', { body: { matchers: [] } });
      // @ts-expect-error route not found
      await client.call('jobs.resurrect');
      return status;
    };
    expect(compiled).toBeTypeOf('function');
  });
});
