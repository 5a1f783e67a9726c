import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Io } from './io.ts';
import { run } from './program.ts';

/** A master that remembers what it was asked, and answers as told. */
let server: Server;
let url: string;
let asked: string[] = [];
const answers: Record<string, string> = {};
beforeAll(async () => {
  server = createServer((request, response) => {
    const line = decodeURIComponent(request.url ?? '');
    asked.push(line);
    const text = answers[line.split('?')[0] as string];
    if (text === 'cut') response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    else response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => void (asked = []));

async function logs(...args: string[]) {
  const out: string[] = [];
  const said: string[] = [];
  const io: Io = { env: {}, out: (line) => void out.push(line), err: (line) => void said.push(line), write: async (chunk) => void out.push(Buffer.from(chunk).toString()), stdin: async () => '', interactive: false, load: async () => ({}), stopped: new AbortController().signal, onParentGone: () => {}, columns: null };
  return { code: await run(['logs', ...args, '--url', url, '--token', 't'], io), out: out.join('\n'), said };
}
const TIME = '2026-01-01T00:00:00.000Z';

it('shows what stood around a record, and marks the moment', async () => {
  answers['/api/v1/logs/context'] = JSON.stringify({ at: TIME, before: [{ _time: '2025-12-31T23:59:59.000Z', _msg: 'before' }], after: [{ _time: TIME, _msg: 'this\u001b[31m', level: 'ERROR' }] });
  const { code, out } = await logs('context', TIME, '--job', 'j', '--before', '1', '--level', 'error');
  expect(asked).toEqual([`/api/v1/logs/context?at=${TIME}&before=1&job_id=j&level=ERROR`]);
  // Control characters of a line do not reach the terminal.
  expect([code, out]).toEqual([0, `  2025-12-31T23:59:59.000Z -     before\n> ${TIME} ERROR this [31m`]);
});

it('lists fields, and values with counts', async () => {
  answers['/api/v1/logs/values'] = JSON.stringify({ values: [{ value: 'a', count: 12 }, { value: '', count: 3 }], complete: false });
  expect((await logs('values', 'tenant', 'level:=ERROR', '--contains', 'a', '--limit', '2')).out).toBe('VALUE   COUNT\na          12\n(none)      3\nthese are not all');
  expect(asked).toEqual(['/api/v1/logs/values?field=tenant&contains=a&limit=2&query=level:=ERROR']);
  answers['/api/v1/logs/fields'] = JSON.stringify({ values: [], complete: true });
  expect((await logs('fields')).out).toBe('nothing matches');
});

it('exports to standard output, or to a file that is there whole or not at all', async () => {
  answers['/api/v1/logs/export'] = '{"n":1}\n';
  expect((await logs('export', 'busy', '--limit', '5', '--column', 'n, m')).out).toBe('{"n":1}\n');
  expect(asked).toEqual(['/api/v1/logs/export?format=ndjson&order=asc&limit=5&column=n&column=m&query=busy']);
  const folder = mkdtempSync(join(tmpdir(), 'export-'));
  expect((await logs('export', '--output', join(folder, 'a.csv'))).code).toBe(0);
  expect([asked.at(-1), readFileSync(join(folder, 'a.csv'), 'utf8')]).toEqual(['/api/v1/logs/export?format=csv&order=asc', '{"n":1}\n']);
  answers['/api/v1/logs/export'] = 'cut';
  expect((await logs('export', '--output', join(folder, 'b.log'))).code).toBe(1);
  expect(readdirSync(folder)).toEqual(['a.csv']);
  expect((await logs('export', '--format', 'text', '--json')).code).toBe(2);
});

it('says where nothing is found, beside what a script reads', async () => {
  answers['/api/v1/logs/search'] = JSON.stringify({ query: 'x', from: null, to: null, records: [], nextCursor: null });
  expect(await logs('search', 'x')).toEqual({ code: 0, out: '', said: ['no line matches'] });
  expect((await logs('search', 'x', '--json')).said).toEqual([]);
});

it('refuses a level that there is not', async () => {
  const { code, said } = await logs('search', '--level', 'bad');
  expect(code).toBe(2);
  expect(said.join('\n')).toContain('Expected one of TRACE, DEBUG');
  expect(asked).toEqual([]);
});
