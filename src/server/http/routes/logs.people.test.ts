import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { systemClock } from '../../../lib/clock.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { createLogs } from '../../logs/logs.ts';
import type { Logs } from '../../logs/port.ts';
import { startHarness, tester, type Harness } from '../../testing/http.fixture.ts';
import { granted, letPersonIn, makeProject } from '../../testing/person.fixture.ts';

let logs: Logs;
let be: ReturnType<typeof letPersonIn>['be'];
let h: Harness;
beforeAll(async () => {
  logs = await createLogs({ folder: temporaryFolder('logs'), limits: LIMITS, clock: systemClock });
  h = await startHarness({ services: { logs } });
  await h.app.listen({ port: 0, host: '127.0.0.1' });
  ({ be } = letPersonIn(h));
});
afterAll(async () => {
  await h.close();
  await logs.close();
});

const insert = (record: object) =>
  logs.insert({
    id: null,
    ndjson: new TextEncoder().encode(JSON.stringify({ _time: new Date().toISOString(), source: 'test', ...record })),
    options: {
      timeFields: ['_time'],
      messageFields: ['_msg'],
      streamFields: ['source'],
      ignoreFields: [],
      extraFields: {},
    },
  });
const write = (job: string, message: string) => insert({ _msg: message, job_id: job });

it('a tail tells nothing more once the workflow was moved to a project of others', async () => {
  const job = await makeProject(h, 'own', 'moving');
  await h.services.access.projects.create({ id: 'other', name: 'Other' }, tester);
  be([granted('viewer', 'own')]);
  let text = '';
  let isOver = false;
  const { port } = h.app.server.address() as AddressInfo;
  const path = `/api/v1/logs/tail?job_id=${job}`;
  const request = get({ port, path, headers: { authorization: 'Bearer person' } }, (answer) => {
    answer.setEncoding('utf8');
    answer.on('data', (piece: string) => (text += piece));
    answer.on('close', () => (isOver = true));
  });
  await expect.poll(() => text).toContain(': following');
  await write(job, 'theirs to read');
  await expect.poll(() => text).toContain('theirs to read');
  await h.services.workflows.update('moving', { project: 'other' }, tester);
  await write(job, 'not theirs');
  await expect.poll(() => isOver).toBe(true);
  expect(text).not.toContain('not theirs');
  request.destroy();
});

describe('somebody limited to projects who names no job', () => {
  const log = (workflow: string | null, message: string, more: object = {}) =>
    insert({ _msg: message, ...(workflow !== null && { workflow_id: workflow }), kind: 'k', ...more });
  beforeAll(async () => {
    await makeProject(h, 'shop', 'orders');
    await makeProject(h, 'bank', 'accounts');
    await log('orders', 'ours one', { amount: '1', secret: 'accounts' });
    await log('orders', 'ours two', { amount: '2' });
    await log('accounts', 'theirs', { amount: '7777', iban: 'DE1' });
    await log(null, 'nobodys', { amount: '88888' });
    // A field of that name in what is logged is not whose line it is; an older line has none.
    await log('', 'empty', { amount: '555555' });
  });
  const ask = async (path: string, query: Record<string, string> = {}) => {
    // Around a line there is no range.
    const range = path === 'context' ? {} : { from: '2020-01-01T00:00:00Z' };
    const text = new URLSearchParams({ ...range, ...query }).toString();
    const answer = await h.app.inject({
      url: `/api/v1/logs/${path}?${text}`,
      headers: { authorization: 'Bearer person' },
    });
    return answer.headers['content-type']?.includes('json') === true && !answer.headers['content-type'].includes('nd')
      ? answer.json()
      : answer.body;
  };
  const FOREIGN = /theirs|nobodys|empty|DE1|iban|7777|8888|5555/;

  // Ways past a filter that is only put in front of a query.
  const ESCAPES = [
    '*',
    'kind:k',
    'ours OR theirs',
    '* OR workflow_id:accounts',
    '(ours) OR (theirs)',
    'ours) OR (theirs',
    '!ours',
    'workflow_id:accounts',
    'workflow_id:in(accounts, orders)',
    'workflow_id:""',
    '* | union (theirs)',
    '* | union (* | union (theirs))',
    '* | join by (kind) (theirs | fields kind, iban)',
    '* | join by (kind) (* | fields kind, amount, _msg) prefix other.',
    'amount:in(* | fields amount)',
    'kind:k | filter amount:in(theirs | fields amount)',
    '* | stats sum(amount) total, count() n',
    '* | stats sum(amount) if (iban:*) total',
    '* | stats by (workflow_id) count() n',
    '* | uniq by (_msg)',
    '* | field_names',
    '* | field_values iban',
    '* | facets',
    '* | top 10 by (_msg)',
    '* | rename workflow_id as x, iban as workflow_id',
    '* | sort by (amount desc) | limit 5',
    'options(concurrency=1, ignore_global_time_filter=true) *',
    'options(ignore_global_time_filter=true) * | union (options(ignore_global_time_filter=true) *)',
    '_stream:{source="test"}',
    '_time:100d',
    'secret:eq_field(workflow_id)',
    '* // theirs',
    '* # theirs\n OR theirs',
  ];
  it.each(ESCAPES)('sees nothing of others by %s', async (query) => {
    be([granted('viewer', 'shop')]);
    const ours = [
      await ask('search', { query }),
      await ask('hits', { query, field: '_msg', step: '1d' }),
      await ask('fields', { query }),
      await ask('values', { query, field: '_msg' }),
      await ask('values', { query, field: 'iban' }),
      await ask('export', { query, format: 'ndjson' }),
      await ask('context', { query, at: new Date(Date.now() + 60_000).toISOString() }),
    ];
    for (const answer of ours) {
      // What was asked comes back in the answer; times have digits of their own.
      const text = (typeof answer === 'string' ? answer : JSON.stringify({ ...answer, query: '', detail: '' }))
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
        .replaceAll(/"(timestamps|instance|position|at|from)":("[^"]*"|\[[^\]]*\]|\d+)/g, '');
      expect(text).not.toMatch(FOREIGN);
    }
  });

  it('sees all lines of their workflows', async () => {
    be([granted('viewer', 'shop')]);
    const found = async (query: string) =>
      (await ask('search', { query, order: 'asc' })).records.map(({ _msg }: { _msg: string }) => _msg);
    expect(await found('*')).toEqual(['ours one', 'ours two']);
    expect(await found('workflow_id:accounts')).toEqual([]);
    expect((await ask('search', { query: '* | stats sum(amount) total' })).records).toEqual([{ total: '3' }]);
    expect((await ask('search', { query: '* | union (*) | stats count() n' })).records).toEqual([{ n: '4' }]);
    expect((await ask('fields')).values.map(({ value }: { value: string }) => value)).not.toContain('iban');
    be([granted('viewer', 'shop'), granted('viewer', 'bank')]);
    expect(await found('*')).toEqual(['ours one', 'ours two', 'theirs']);
    await h.services.access.projects.create({ id: 'bare', name: 'Bare' }, tester);
    be([granted('viewer', 'bare')]);
    expect([await found('*'), await found('workflow_id:""')]).toEqual([[], []]);
  });

  it('sees the lines around one of their jobs, and none of others', async () => {
    const [ours, theirs] = [await makeProject(h, 'mine', 'mine'), await makeProject(h, 'yours', 'yours')];
    await log('mine', 'mine one', { job_id: ours });
    await log('yours', 'theirs one', { job_id: theirs });
    be([granted('viewer', 'mine')]);
    const at = new Date(Date.now() + 60_000).toISOString();
    const around = async (more: Record<string, string>) => {
      const answer = await ask('context', { at, ...more });
      return answer.code ?? [...answer.before, ...answer.after].map(({ _msg }: { _msg: string }) => _msg);
    };
    expect(await around({})).toEqual(['mine one']);
    expect(await around({ job_id: ours })).toEqual(['mine one']);
    expect(await around({ job_id: ours, query: '* OR theirs' })).toEqual(['mine one']);
    expect(await around({ job_id: theirs })).toBe('JOB_NOT_FOUND');
    expect(await around({ task_id: theirs })).toBe('TASK_NOT_FOUND');
    expect(await around({ at: new Date(0).toISOString(), worker_id: 'w', query: '* OR theirs' })).toEqual([]);
  });

  it('follows no lines of others', async () => {
    be([granted('viewer', 'shop')]);
    let text = '';
    const { port } = h.app.server.address() as AddressInfo;
    const request = get({ port, path: '/api/v1/logs/tail', headers: { authorization: 'Bearer person' } }, (answer) => {
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => (text += piece));
    });
    await expect.poll(() => text).toContain(': following');
    await log('accounts', 'theirs later');
    await log('orders', 'ours later');
    await expect.poll(() => text).toContain('ours later');
    expect(text).not.toContain('theirs later');
    request.destroy();
  });
});
