import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { fakeMaster } from '../../process-io.fake.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

let asked: string[] = [];
const answers: Record<string, string> = {};
const master = fakeMaster(({ path }, response) => {
  asked.push(path);
  const answer = answers[path.split('?')[0] as string];
  return answer === 'cut'
    ? void response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy())
    : answer;
});
beforeEach(() => void (asked = []));
const logs = (...args: string[]) => master.yardmaster(['logs', ...args]);
const TIME = '2026-01-01T00:00:00.000Z';

it('shows what stood around a record, and marks the moment', async () => {
  answers['/api/v1/logs/context'] = JSON.stringify({
    at: TIME,
    before: [{ _time: '2025-12-31T23:59:59.000Z', _msg: 'before' }],
    after: [{ _time: TIME, _msg: 'this\u001b[31m', level: 'ERROR' }],
  });
  const { code, out } = await logs('context', TIME, '--job', 'j', '--before', '1', '--level', 'error');
  expect(asked).toEqual([`/api/v1/logs/context?at=${TIME}&before=1&job_id=j&level=ERROR`]);
  // Control characters of a line do not reach the terminal.
  expect([code, out]).toEqual([0, `  2025-12-31T23:59:59.000Z -     before\n> ${TIME} ERROR this [31m`]);
});

it('shows what stood around a moment so long ago, too', async () => {
  answers['/api/v1/logs/context'] = JSON.stringify({ at: TIME, before: [], after: [] });
  await logs('context', '5m');
  expect(asked).toEqual([expect.stringMatching(/\?at=\d{4}-\d\d-\d\dT[\d:.]+Z$/)]);
});

it('lists fields, and values with counts', async () => {
  answers['/api/v1/logs/values'] = JSON.stringify({
    values: [
      { value: 'a', count: 12 },
      { value: '', count: 3 },
    ],
    complete: false,
  });
  expect((await logs('values', 'tenant', 'level:=ERROR', '--contains', 'a', '--limit', '2')).out).toBe(
    'VALUE   COUNT\na          12\n(none)      3\nmore results exist',
  );
  expect(asked).toEqual(['/api/v1/logs/values?field=tenant&contains=a&limit=2&query=level:=ERROR']);
  answers['/api/v1/logs/fields'] = JSON.stringify({ values: [], complete: true });
  expect((await logs('fields')).out).toBe('no matching records');
});

it('exports to standard output, or to a file that is there whole or not at all', async () => {
  answers['/api/v1/logs/export'] = '{"n":1}\n';
  expect((await logs('export', 'busy', '--limit', '5', '--column', 'n, m')).out).toBe('{"n":1}\n');
  expect(asked).toEqual(['/api/v1/logs/export?format=ndjson&order=asc&limit=5&column=n&column=m&query=busy']);
  const folder = temporaryFolder('export');
  expect((await logs('export', '--output', join(folder, 'a.csv'))).code).toBe(0);
  expect([asked.at(-1), readFileSync(join(folder, 'a.csv'), 'utf8')]).toEqual([
    '/api/v1/logs/export?format=csv&order=asc',
    '{"n":1}\n',
  ]);
  answers['/api/v1/logs/export'] = 'cut';
  expect((await logs('export', '--output', join(folder, 'b.log'))).code).toBe(1);
  expect(readdirSync(folder)).toEqual(['a.csv']);
  expect((await logs('export', '--format', 'text', '--json')).code).toBe(2);
});

it('says where nothing is found, beside what a script reads', async () => {
  answers['/api/v1/logs/search'] = JSON.stringify({ query: 'x', from: null, to: null, records: [], nextCursor: null });
  expect(await logs('search', 'x')).toEqual({ code: 0, out: '', err: 'no matching lines' });
  expect((await logs('search', 'x', '--json')).err).toBe('');
});

it('refuses a level that there is not', async () => {
  const { code, err } = await logs('search', '--level', 'bad');
  expect(code).toBe(2);
  expect(err).toContain('Expected one of TRACE, DEBUG');
  expect(asked).toEqual([]);
});
