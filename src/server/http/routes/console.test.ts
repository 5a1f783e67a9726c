import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../contract/routes.ts';
import type { Route } from '../../../contract/shapes.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { STORE_REFUSES_WRITES } from '../core/services.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

let h: Harness;
const folder = temporaryFolder('console');
const script = 'console.log("hello");'.repeat(100);
beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><script type="module" src="/assets/index-AbCd1234.js" nonce="__CSP_NONCE__"></script>',
  );
  writeFileSync(join(folder, 'assets/index-AbCd1234.js'), script);
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(join(folder, '..', 'secret.json'), '{}');
  h = await startHarness({ services: { consoleFolder: folder } });
});
afterAll(() => h.close());

const get = (url: string, headers: Record<string, string> = {}) => h.app.inject({ url, headers });
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the console', () => {
  it('answers any path that wants HTML with the page, each time with a fresh nonce', async () => {
    const nonces = new Set<string>();
    for (const path of ['/', '/jobs', '/jobs/018f?tab=logs', '/workflows/a.b/edit', '/apiary']) {
      const page = await get(path, html);
      expect([path, page.statusCode, page.headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
      const csp = String(page.headers['content-security-policy']);
      const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(csp)?.[1] as string;
      expect(csp).not.toMatch(/unsafe/);
      expect(page.body).toContain(`content="${nonce}"`);
      expect(page.body).not.toContain('__CSP_NONCE__');
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(5);
    expect((await get('/', { accept: '*/*' })).statusCode).toBe(200);
  });

  it('leaves the API alone', async () => {
    for (const path of ['/api/v1/nothing', '/docs/x', '/api'])
      expect((await get(path, html)).json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    expect((await get('/nothing', { accept: 'application/json' })).json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    expect((await h.app.inject({ method: 'POST', url: '/jobs', headers: html })).json()).toMatchObject({
      code: 'ROUTE_NOT_FOUND',
    });
  });

  it('lets browsers keep hashed files, packs them, and knows what they have', async () => {
    const plain = await get('/assets/index-AbCd1234.js');
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(plain.body).toBe(script);
    expect(
      gunzipSync((await get('/assets/index-AbCd1234.js', { 'accept-encoding': 'gzip' })).rawPayload).toString(),
    ).toBe(script);
    expect(
      brotliDecompressSync(
        (await get('/assets/index-AbCd1234.js', { 'accept-encoding': 'gzip, deflate, br' })).rawPayload,
      ).toString(),
    ).toBe(script);
    const known = await get('/assets/index-AbCd1234.js', { 'if-none-match': `W/${String(plain.headers.etag)}` });
    expect([known.statusCode, known.body]).toEqual([304, '']);
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('no-cache');
    const head = await h.app.inject({ method: 'HEAD', url: '/assets/index-AbCd1234.js' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
  });

  it('sends what the build packed where it is of the file, and packs the others itself', async () => {
    const packed = brotliCompressSync(script, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    const other = brotliCompressSync('another file');
    const sent = async (name: string, beside: Buffer | null) => {
      const file = join(folder, 'assets', name);
      writeFileSync(file, script);
      if (beside) writeFileSync(`${file}.br`, beside);
      return (await get(`/assets/${name}`, { 'accept-encoding': 'br' })).rawPayload;
    };
    const byItself = await sent('a-AbCd1234.js', null);
    expect(byItself.equals(packed)).toBe(false);
    expect(brotliDecompressSync(byItself).toString()).toBe(script);
    expect((await sent('b-AbCd1234.js', packed)).equals(packed)).toBe(true);
    expect((await sent('c-AbCd1234.js', packed.subarray(0, -4))).equals(byItself)).toBe(true);
    expect((await sent('d-AbCd1234.js', other)).equals(byItself)).toBe(true);
    expect((await get('/assets/b-AbCd1234.js.br')).statusCode).toBe(404);
  });

  it('hands out nothing but its own files', async () => {
    for (const path of [
      '/../secret.json',
      '/assets/../../secret.json',
      '/%2e%2e/secret.json',
      '/assets/..%2f..%2fsecret.json',
      '/assets//index-AbCd1234.js',
      '/assets/missing-12345678.js',
    ])
      expect([path, (await get(path)).statusCode]).toEqual([path, 404]);
  });

  it('is taken up again when it was rebuilt', async () => {
    writeFileSync(join(folder, 'favicon.svg'), '<svg id="new"/>');
    utimesSync(join(folder, 'favicon.svg'), 1, 1);
    expect((await get('/favicon.svg')).body).toBe('<svg id="new"/>');
  });
});

describe('the description', () => {
  it('is OpenAPI 3.1 of every route, with schemas that compile', async () => {
    const answer = await get('/api/v1/openapi.json');
    const api = answer.json() as {
      openapi: string;
      paths: Record<string, Record<string, Operation>>;
      components: { schemas: Record<string, object>; securitySchemes: object };
    };
    interface Operation {
      operationId: string;
      security: Record<string, string[]>[];
      parameters?: { name: string; in: string; required: boolean; schema: object }[];
      requestBody?: { content: Record<string, { schema: object }> };
      responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
    }
    expect(api.openapi).toBe('3.1.0');
    const ajv = new Ajv2020({ strict: false });
    (formats as unknown as (ajv: Ajv2020) => void)(ajv);
    ajv.addSchema({ $id: 'api', ...api });
    const ids = new Set<string>();
    for (const [path, operations] of Object.entries(api.paths)) {
      expect(path).toMatch(/^\/[a-z0-9/{}A-Z.-]+$/);
      for (const [method, operation] of Object.entries(operations)) {
        ids.add(operation.operationId);
        const route = ROUTES[operation.operationId as keyof typeof ROUTES] as Route;
        expect(method).toBe(route.method.toLowerCase());
        const inPath = [...path.matchAll(/\{([A-Za-z]+)\}/g)].map((m) => m[1]);
        expect(
          (operation.parameters ?? [])
            .filter((p) => p.in === 'path')
            .map((p) => p.name)
            .sort(),
        ).toEqual(inPath.sort());
        for (const parameter of operation.parameters ?? []) ajv.compile(parameter.schema);
        for (const { schema } of Object.values(operation.requestBody?.content ?? {})) ajv.compile(schema);
        expect(Object.keys(operation.responses)).toContain('default');
        for (const { description, content } of Object.values(operation.responses)) {
          expect(description).not.toBe('');
          for (const { schema } of Object.values(content ?? {})) if (!('$ref' in schema)) ajv.compile(schema);
        }
        for (const scheme of operation.security.flatMap((s) => Object.keys(s)))
          expect(api.components.securitySchemes).toHaveProperty(scheme);
      }
    }
    expect([...ids].sort()).toEqual(Object.keys(ROUTES).sort());
  });

  it('reads well as a page that runs nothing', async () => {
    const page = await get('/docs', html);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'nonce-/);
    expect(page.body).not.toMatch(/<script|style="| on[a-z]+="/);
    for (const name of Object.keys(ROUTES)) expect(page.body).toContain(`id="${name}"`);
    expect(page.body).toContain('id="STALE_PARENT"');
  });
});

describe('the master', () => {
  const viewer = () => ({ authorization: `Bearer ${h.tokens.viewer}` });
  it('tells how it is', async () => {
    expect((await get('/healthz')).json()).toEqual({ status: 'ok' });
    expect((await get('/readyz')).json()).toEqual({ status: 'ready' });
    expect((await get('/metrics', viewer())).headers['content-type']).toMatch(/^text\/plain; version=0.0.4/);
    expect((await get('/api/v1/overview', viewer())).json()).toMatchObject({
      workers: { total: 1 },
      jobs: { running: 0 },
      publications: [],
    });
    expect((await get('/api/v1/settings', viewer())).json()).toMatchObject({ limits: { bodyBytes: 5_242_880 } });
  });

  it.each([
    ['it is stopping', 'the master is shutting down', 'SHUTTING_DOWN'],
    ['the disk is full', STORE_REFUSES_WRITES, 'STORE_UNAVAILABLE'],
  ])('takes no work while %s', async (_, reason, code) => {
    const stopping = await startHarness({ services: { notReady: () => [reason] } });
    const { key } = await stopping.key();
    await stopping.publish('upper');
    expect((await stopping.app.inject({ url: '/readyz' })).statusCode).toBe(503);
    const call = await stopping.app.inject({
      method: 'POST',
      url: '/api/v1/events/upper/dev',
      headers: { 'api-key': key, 'content-type': 'application/json' },
      payload: '[{"content":"a"}]',
    });
    expect(call.json()).toMatchObject({ status: 503, code, detail: expect.stringContaining(reason) });
    expect(call.headers['retry-after']).toBe('2');
    await stopping.close();
  });
});
