import { afterEach, beforeEach, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLogs } from './logs.ts';
import type { Logs } from './port.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

/** What is a secret now was logged before it was one. */
const SECRET = 'hunter-22';
const CLEAN = '[secret API_TOKEN]';
const LINES = [
  { _time: '2026-01-02T03:04:05.000Z', _msg: 'plain', level: 'INFO', job_id: 'j' },
  {
    _time: '2026-01-02T03:04:06.000Z',
    _msg: `with ${SECRET}`,
    level: 'INFO',
    job_id: 'j',
    url: `https://x.test/?token=${SECRET}`,
    [`by ${SECRET}`]: 'name',
    n: 12345678,
    big: '"12345678901234567890"',
  },
  {
    _time: '2026-01-02T03:04:07.000Z',
    _msg: 'third',
    level: 'WARN',
    job_id: 'j',
    url: `https://x.test/?token=${SECRET}`,
  },
];
let logs: Logs;
const insert = (lines: readonly object[]) =>
  logs.insert({
    id: null,
    ndjson: new Uint8Array(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))),
    options: { timeFields: ['_time'], messageFields: ['_msg'], streamFields: [], ignoreFields: [], extraFields: {} },
  });
const run = async (query: string) => {
  let text = '';
  for await (const page of logs.run(
    { query, from: null, to: null, extraFilters: [], limit: null, offset: 0, now: Date.now(), timeoutMs: 10_000 },
    new AbortController().signal,
  ))
    text += Buffer.from(page).toString();
  return text;
};

beforeEach(async () => {
  logs = await createLogs({ folder: temporaryFolder('logs'), limits: LIMITS, clock: systemClock });
  await insert(LINES);
});
afterEach(() => logs.close());

it('is taken out of every field of what is found, and nothing else is changed', async () => {
  const before = await logs.search({ limit: 10, order: 'asc' });
  expect(JSON.stringify(before)).toContain(SECRET);
  logs.redact([{ name: 'API_TOKEN', value: SECRET }]);
  const found = await logs.search({ limit: 10, order: 'asc' });
  expect(JSON.stringify(found)).toBe(JSON.stringify(before).replaceAll(SECRET, CLEAN));
  expect(Buffer.from(await logs.searchJson({ limit: 10, order: 'asc' })).toString()).not.toContain(SECRET);
  // It is still found by what it was.
  expect((await logs.search({ query: `url:"${SECRET}"`, limit: 10, order: 'asc' })).records).toHaveLength(2);
  logs.redact([]);
  expect(await logs.search({ limit: 10, order: 'asc' })).toEqual(before);
});

it('is taken out of what pipes make, of values, names and counts', async () => {
  logs.redact([{ name: 'API_TOKEN', value: SECRET }]);
  for (const query of [
    '*',
    '* | sort by (_time)',
    '* | stats by (url) count() n',
    '* | uniq by (url)',
    '* | format "<_msg> <url>" as all | fields all',
    '* | field_names',
  ]) {
    const text = await run(query);
    expect(text).not.toContain(SECRET);
    expect(text).toContain(CLEAN);
  }
  expect(await logs.values({ field: 'url', limit: 10 })).toMatchObject({
    values: [
      { value: `https://x.test/?token=${CLEAN}`, count: 2 },
      { value: '', count: 1 },
    ],
  });
  expect((await logs.fields({ limit: 100 })).values.map(({ value }) => value)).toContain(`by ${CLEAN}`);
  const { hits } = await logs.hits({ stepMs: 1000, field: 'url' });
  expect(hits.map(({ fields, total }) => [fields['url'], total])).toEqual([
    ['', 1],
    [`https://x.test/?token=${CLEAN}`, 2],
  ]);
});

it('is taken out of what followers get', async () => {
  const got: string[] = [];
  const stop = new AbortController();
  logs.tail({}, (records) => void got.push(records), stop.signal);
  await insert([{ ...LINES[1], _time: new Date().toISOString() }]);
  // It is stored by now as it came, and followers see it a little later.
  logs.redact([{ name: 'API_TOKEN', value: SECRET }]);
  await expect.poll(() => got.length).toBe(1);
  expect(got[0]).not.toContain(SECRET);
  expect(got[0]).toContain(`"_msg":"with ${CLEAN}"`);
  stop.abort();
});
