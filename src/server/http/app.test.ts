import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../contract/routes.ts';
import type { Route } from '../../contract/shapes.ts';
import type { Role } from '../../contract/vocabulary.ts';
import { codePoint } from '../../lib/code-point.fixture.ts';
import { simple, startHarness, type Harness } from '../testing/http.fixture.ts';

let h: Harness;
let key: string;
beforeAll(async () => {
  h = await startHarness({ limits: { eventWaitSeconds: 0.05 } });
  key = (await h.key()).key;
  await h.publish('upper');
});
afterAll(() => h.close());

const routes = Object.entries(ROUTES) as [string, Route][];
const isStream = (r: Route) => r.produces === 'text/event-stream';
const urlOf = (r: Route, value: (name: string) => string = () => 'upper') =>
  r.path.replace(/:([A-Za-z]+)/g, (_all, name: string) => encodeURIComponent(value(name)));
const bearer = (role: Role) => ({ authorization: `Bearer ${h.tokens[role]}` });

describe('the roles', () => {
  const RANK: Record<string, number> = { viewer: 0, operator: 1, admin: 2 };
  const guarded = routes.filter(([, r]) => r.access in RANK && !isStream(r));

  it.each(guarded)('%s', async (_name, r) => {
    const send = (headers: Record<string, string>) =>
      h.app.inject({ method: r.method, url: urlOf(r, () => 'other'), headers });
    const codeOf = async (headers: Record<string, string>) => ((await send(headers)).json() as { code?: string }).code;
    expect(await codeOf({})).toBe('TOKEN_MISSING');
    expect(await codeOf({ authorization: 'Bearer yt_wrong' })).toBe('TOKEN_INVALID');
    expect(await codeOf({ authorization: 'Basic dXNlcjpwYXNz' })).toBe('TOKEN_INVALID');
    expect(await codeOf(bearer('worker'))).toBe('FORBIDDEN');
    for (const role of ['viewer', 'operator', 'admin'] as const) {
      const { body, statusCode } = await send(bearer(role));
      const refused = statusCode === 403 && body.includes('FORBIDDEN');
      expect([role, refused]).toEqual([role, (RANK[role] as number) < (RANK[r.access] as number)]);
    }
  });

  it('prod is for admins', async () => {
    const { items } = await h.services.workflows.commits('upper', { page: 0, size: 1 });
    const put = (environment: string, role: Role) =>
      h.app.inject({
        method: 'PUT',
        url: `/api/v1/workflows/upper/environments/${environment}`,
        headers: bearer(role),
        payload: { hash: items[0]?.hash, description: 'x' },
      });
    expect((await put('staging', 'operator')).statusCode).toBe(200);
    expect((await put('prod', 'operator')).json()).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect((await put('prod', 'admin')).statusCode).toBe(200);
    expect(
      (
        await h.app.inject({
          method: 'DELETE',
          url: '/api/v1/workflows/upper/environments/prod',
          headers: bearer('operator'),
        })
      ).statusCode,
    ).toBe(403);
    expect(
      (
        await h.app.inject({
          method: 'DELETE',
          url: '/api/v1/workflows/upper/environments/prod',
          headers: bearer('admin'),
        })
      ).statusCode,
    ).toBe(204);
  });
});

describe('errors', () => {
  const admin = (method: string, url: string, payload?: unknown, headers: Record<string, string> = {}) =>
    h.app.inject({
      method: method as 'GET',
      url,
      headers: { ...bearer('admin'), ...headers },
      ...(payload === undefined ? {} : { payload: payload as object }),
    });

  it('404 for unknown routes, 405 with Allow for wrong methods', async () => {
    expect((await admin('GET', '/api/v1/nothing')).json()).toMatchObject({ status: 404, code: 'ROUTE_NOT_FOUND' });
    expect((await h.app.inject({ method: 'POST', url: '/nothing', payload: '{' })).json()).toMatchObject({
      status: 404,
      code: 'ROUTE_NOT_FOUND',
    });
    for (const [, r] of routes) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
        if (routes.some(([, other]) => matches(other.path, r.path) && other.method === method)) continue;
        const answer = await h.app.inject({
          method,
          url: urlOf(r, (name) => (name === 'environment' ? 'dev' : 'abcd')),
        });
        expect([method, r.path, answer.statusCode, (answer.json() as { code: string }).code]).toEqual([
          method,
          r.path,
          405,
          'METHOD_NOT_ALLOWED',
        ]);
        expect(answer.headers.allow?.split(', ')).toContain(r.method);
      }
    }
  });

  it('422 with one entry for each fault of path, query and body', async () => {
    const answer = await admin(
      'GET',
      '/api/v1/jobs?page=-1&size=501&sort=colour&status=DONE&nonsense=1&createdFrom=yesterday',
    );
    expect(answer.json()).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
    expect((answer.json() as { errors: { pointer: string }[] }).errors.map((e) => e.pointer).sort()).toEqual([
      '/createdFrom',
      '/nonsense',
      '/page',
      '/size',
      '/sort',
      '/status',
    ]);
    expect((await admin('GET', '/api/v1/overview?x=1')).json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/x' }],
    });
    expect((await admin('POST', '/api/v1/workflows', { id: 'Not An Id', extra: 1 })).json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/name' }, { pointer: '/extra' }, { pointer: '/id' }],
    });
    expect((await admin('PUT', '/api/v1/workflows/upper/environments/nowhere', { hash: 'abcd' })).json()).toMatchObject(
      { code: 'VALIDATION_FAILED', errors: [{ pointer: '/environment' }] },
    );
    expect((await admin('GET', '/api/v1/%zz')).json()).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await admin('GET', '/api/v1/workflows/%E0%A4%A')).json()).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('pages have the size that is configured', async () => {
    const small = await startHarness({ limits: { pageSize: 1, pageSizeMax: 2 } });
    const list = async (query: string) =>
      (
        await small.app.inject({
          url: `/api/v1/tokens${query}`,
          headers: { authorization: `Bearer ${small.tokens.viewer}` },
        })
      ).json() as { size?: number; items?: unknown[]; totalPages?: number; code?: string };
    expect(await list('')).toMatchObject({ size: 1, page: 0, totalItems: 4, totalPages: 4 });
    expect((await list('?size=2&page=1')).items).toHaveLength(2);
    expect((await list('?size=3')).code).toBe('VALIDATION_FAILED');
    await small.close();
  });

  it('one entry for one fault of a list, and whole numbers in digits alone', async () => {
    expect((await admin('GET', '/api/v1/jobs?status=FAILED&status=DONE')).json()).toMatchObject({
      errors: [{ pointer: '/status/1', message: expect.stringContaining('must be one of "COMPLETED"') }],
    });
    expect((await admin('GET', '/api/v1/jobs?status=DONE')).json()).toMatchObject({ errors: [{ pointer: '/status' }] });
    for (const size of ['1e2', '0x10', '%205', '%2B5', '5.0', ''])
      expect([size, (await admin('GET', `/api/v1/jobs?size=${size}`)).json()]).toMatchObject([
        size,
        { code: 'VALIDATION_FAILED', errors: [{ pointer: '/size', message: 'must be integer' }] },
      ]);
    expect((await admin('GET', '/api/v1/jobs?size=05')).json()).toMatchObject({ size: 5 });
    for (const replica of ['many', '1.5', '-1', '1e2', '99999999999999999999', ''])
      expect([replica, (await admin('GET', `/api/v1/jobs/j/tasks?replica=${replica}`)).json()]).toMatchObject([
        replica,
        { status: 422, code: 'VALIDATION_FAILED', errors: [{ pointer: '/replica' }] },
      ]);
  });

  it('404 where a path ends before its last part', async () => {
    for (const path of ['/api/v1/jobs/', '/api/v1/workflows/', '/api/v1/workflows/upper/commits/?page=0'])
      expect([path, (await admin('GET', path)).json()]).toMatchObject([path, { status: 404, code: 'ROUTE_NOT_FOUND' }]);
  });

  it('415 and 400 for bodies, after the token', async () => {
    const post = (headers: Record<string, string>, payload: string) =>
      h.app.inject({ method: 'POST', url: '/api/v1/workflows', headers, payload });
    expect((await post({ 'content-type': 'text/plain' }, 'x')).statusCode).toBe(401);
    expect((await post({ ...bearer('admin'), 'content-type': 'text/plain' }, 'x')).json()).toMatchObject({
      status: 415,
    });
    expect(
      (await h.app.inject({ method: 'POST', url: '/api/v1/workflows', headers: bearer('admin') })).json(),
    ).toMatchObject({ status: 415 });
    expect((await post({ ...bearer('admin'), 'content-type': 'application/json' }, '{')).json()).toMatchObject({
      status: 400,
      code: 'INVALID_JSON',
    });
  });

  it('refuse names that are not this host, and take addresses', async () => {
    const host = (name: string) => h.app.inject({ url: '/healthz', headers: { host: name } });
    for (const ok of ['localhost:8700', '127.0.0.1', '[::1]:8700', '10.0.0.7:8700', 'app.localhost'])
      expect((await host(ok)).statusCode).toBe(200);
    expect((await host('evil.example:8700')).json()).toMatchObject({ code: 'HOST_REFUSED' });
    expect((await host('a b')).json()).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('of a definition: by its schema 422, with faults saved', async () => {
    await admin('POST', '/api/v1/workflows', { id: 'draft', name: 'Draft' });
    expect((await admin('POST', '/api/v1/workflows', { id: 'draft', name: 'Draft' })).json()).toMatchObject({
      status: 409,
      code: 'WORKFLOW_EXISTS',
    });
    const commit = (definition: unknown, parent?: string | null) =>
      admin('POST', '/api/v1/workflows/draft/commits', {
        definition,
        message: 'm',
        ...(parent === undefined ? {} : { parent }),
      });
    expect((await commit({ ...simple, nodes: [{ id: 'a' }] })).json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/definition/nodes/0/type' }],
    });
    const saved = await commit({ ...simple, edges: [] }, null);
    expect(saved.statusCode).toBe(201);
    const { hash } = saved.json() as { hash: string };
    expect(saved.json()).toMatchObject({
      valid: false,
      parent: null,
      environments: [],
      description: null,
      faults: [{ code: 'UNREACHABLE' }, { code: 'OUTPUT_UNREACHABLE', pointer: '/output' }],
    });
    expect((await commit(simple)).json()).toMatchObject({ status: 409, code: 'STALE_PARENT', head: hash });
    expect((await admin('PUT', '/api/v1/workflows/draft/environments/dev', { hash })).json()).toMatchObject({
      status: 422,
      code: 'INVALID_DAG',
      errors: [{ pointer: '/nodes/1' }, { pointer: '/output' }],
    });
    expect((await admin('POST', '/api/v1/workflows/draft/check', { definition: simple })).json()).toEqual({
      faults: [],
      warnings: [],
    });
    // Notes and groups are for people: no fault, whatever they name; nothing else may stand beside the members that are known.
    const canvas = {
      notes: [{ id: 'note-1', text: 'Look', position: { x: 1, y: 2 } }],
      groups: [{ id: 'group-1', name: 'End', nodes: ['gone'] }],
    };
    const noted = await commit({ ...simple, canvas }, hash);
    expect(noted.json()).toMatchObject({ valid: true, faults: [], definition: { canvas } });
    for (const other of [
      { ...simple, notes: [] },
      { ...simple, canvas: { frames: [] } },
      { ...simple, canvas: { notes: [{ id: 'n', text: 'x' }] } },
    ])
      expect((await commit(other, (noted.json() as { hash: string }).hash)).statusCode).toBe(422);
  });

  it('of a batch job: exactly one of environment and commit, inputs by the schema', async () => {
    const post = (body: unknown) => admin('POST', '/api/v1/jobs', body);
    expect((await post({ workflowId: 'upper', inputs: [] })).json()).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await post({ workflowId: 'upper', environment: 'dev', inputs: [{ content: 1 }] })).json()).toMatchObject({
      code: 'INPUT_INVALID',
      errors: [{ pointer: '/inputs/0/content' }],
    });
    expect((await post({ workflowId: 'upper', environment: 'dev', inputs: [] })).json()).toMatchObject({
      status: 'EMPTY',
    });
    expect((await post({ workflowId: 'none', environment: 'dev', inputs: [] })).json()).toMatchObject({
      code: 'WORKFLOW_NOT_FOUND',
    });
    expect((await post({ workflowId: 'upper', commit: 'abcdef', inputs: [] })).json()).toMatchObject({
      code: 'COMMIT_NOT_FOUND',
    });
  });
});

/** Whether a path with parameters takes this one as well: `/schedules/:id` takes `/schedules/preview`. */
function matches(pattern: string, path: string): boolean {
  const [a, b] = [pattern.split('/'), path.split('/')];
  return a.length === b.length && a.every((part, i) => part === b[i] || part.startsWith(':'));
}

describe('no input causes a 500', () => {
  const text = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '-1',
      'null',
      '__proto__',
      'constructor',
      'upper',
      'dev',
      '../..',
      '%00',
      'a'.repeat(3000),
      '9'.repeat(30),
      '1e400',
      'NaN',
      'true',
      'createdAt,asc',
      "'; DROP TABLE job --",
    ),
    fc.string({ unit: codePoint, maxLength: 20 }),
  );
  const json = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(
      fc.constantFrom(
        'id',
        'name',
        'definition',
        'message',
        'parent',
        'hash',
        'inputs',
        'workflowId',
        'environment',
        'expiresAt',
        'token',
        'role',
        'workflows',
        'environments',
        '__proto__',
        'overlapSeconds',
      ),
      fc.oneof(
        fc.jsonValue(),
        fc.constant(simple),
        fc.constant('upper'),
        fc.constantFrom('2026-01-01T00:00:00Z', '9999-12-31T23:59:60Z'),
      ),
    ),
  );
  const body = fc.oneof(
    json.map((value) => JSON.stringify(value)),
    text,
    fc.constantFrom('12345678901234567890', '[[[[', '{"a":1e999}', '"\\ud800"'),
  );

  it.each(routes.filter(([, r]) => !isStream(r)))('%s', async (_name, r) => {
    const names = [
      ...Object.keys((r.query as { properties?: object } | undefined)?.properties ?? {}),
      '__proto__',
      'x',
      'x[]',
    ];
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 4 }),
        body,
        fc.constantFrom('application/json', 'text/plain', 'application/json; charset=x', ';;'),
        text,
        async (part, query, payload, type, header) => {
          const url = `${urlOf(r, (name) => (name === 'environment' ? 'dev' : part.toWellFormed()))}${query.length === 0 ? '' : `?${query.map(([k, v]) => `${k}=${encodeURIComponent(v.toWellFormed())}`).join('&')}`}`;
          const headers = {
            ...bearer('admin'),
            'api-key': key,
            'content-type': type,
            prefer: header.replace(/[^\x20-\x7e]/g, ''),
            'idempotency-key': header.replace(/[^\x20-\x7e]/g, '').slice(0, 50),
          };
          const answer = await h.app.inject({
            method: r.method,
            url,
            headers,
            ...(r.method === 'GET' ? {} : { payload }),
          });
          expect(answer.statusCode).not.toBe(500);
          expect(answer.headers['x-request-id']).toBeDefined();
          // The page of a one-time link is for people.
          if (r.path.startsWith('/respond/') && String(answer.headers['content-type']).startsWith('text/html')) return;
          if (answer.statusCode >= 400)
            expect(answer.json()).toMatchObject({
              status: answer.statusCode,
              code: expect.any(String),
              detail: expect.any(String),
            });
        },
      ),
      // Others at each run of the tests; `app.fuzz.test.ts` asks every route as well.
      { numRuns: 15 },
    );
    expect(h.unexpected).toEqual([]);
  });
});
