import { expect, it } from 'vitest';
import { fakeMaster } from '../../process-io.fake.ts';

/** A replay that has ended at the second look. */
let asked: string[] = [];
let summary = { same: 2, different: 0, failing: 0, mended: 0, unknown: 0 };
const master = fakeMaster(({ method, path, body }) => {
  asked.push(`${method} ${path} ${body}`.trim());
  if (path.includes('ignores')) return { paths: ['/at'] };
  if (!path.includes('/results'))
    return {
      id: 'r1',
      workflowId: 'quote',
      commit: 'c'.repeat(40),
      environment: 'prod',
      against: 'a'.repeat(40),
      where: {},
      status: method === 'POST' ? 'RUNNING' : 'DONE',
      total: 2,
      done: 2,
      summary,
      paths: summary.different > 0 ? [{ path: '/total', inputs: 1 }] : [],
      warnings: [],
      createdAt: 't',
      finishedAt: 't',
      createdBy: 'x',
    };
  return {
    items:
      summary.different > 0
        ? [
            {
              number: 0,
              jobId: 'j1',
              replica: 0,
              commit: 'a',
              verdict: 'different',
              reason: null,
              ignored: false,
              differences: [{ path: '/total', kind: 'changed', before: '1', after: '2', ignored: false }],
              differencesTotal: 1,
              assumptions: [],
              msBefore: 4.2,
              msAfter: 5,
              errorBefore: null,
              errorAfter: null,
            },
          ]
        : [],
    page: 0,
    size: 500,
    totalItems: 1,
    totalPages: 1,
  };
});
const shadow = (...args: string[]) => {
  asked = [];
  return master.yardmaster(['workflow', 'shadow', 'quote', ...args]);
};

it('ends with 0 where every input came out as before', async () => {
  const { code, out } = await shadow('--commit', 'cccc', '--from', 'staging', '--count', '20');
  expect(asked[0]).toBe(
    'POST /api/v1/workflows/quote/shadow-replays {"commit":"cccc","environment":"staging","count":20}',
  );
  expect([code, out]).toEqual([0, expect.stringContaining('2 of 2')]);
});

it('ends with 1 where an answer differs, and says where; with 1 too where nothing is known of one', async () => {
  summary = { same: 1, different: 1, failing: 0, mended: 0, unknown: 0 };
  const differs = await shadow('--commit', 'cccc');
  expect(differs).toMatchObject({
    code: 1,
    out: expect.stringMatching(/\/total +1[\s\S]*j1 .*\/total: 1 → 2/),
    err: expect.stringContaining('1 of 2 inputs gave a different result'),
  });
  expect(JSON.parse((await shadow('--commit', 'cccc', '--json')).out)).toMatchObject({
    id: 'r1',
    results: [{ jobId: 'j1' }],
  });
  summary = { same: 1, different: 0, failing: 0, mended: 0, unknown: 1 };
  expect(await shadow('--commit', 'cccc')).toMatchObject({ code: 1, err: expect.stringContaining('could not be run') });
});

it('remembers places that are ignored beside those that are', async () => {
  await shadow('--commit', 'cccc', '--ignore', '/id,/at');
  expect(asked.slice(0, 2)).toEqual([
    'GET /api/v1/workflows/quote/shadow-ignores',
    'PUT /api/v1/workflows/quote/shadow-ignores {"paths":["/at","/id"]}',
  ]);
  expect((await shadow()).code).toBe(2);
});
