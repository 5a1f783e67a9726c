import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeMaster } from '../../process-io.fake.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

let asked: { line: string; body: unknown }[] = [];
let answers: Record<string, unknown> = {};
const master = fakeMaster(({ method, path, body }, response) => {
  asked.push({ line: `${method} ${path}`, body: body === '' ? undefined : JSON.parse(body) });
  const answer = answers[`${method} ${path.split('?')[0]}`];
  return answer === 'broken'
    ? void response.writeHead(200).write('half of it', () => response.destroy())
    : (answer ?? {});
});
beforeEach(() => {
  asked = [];
  answers = {};
});
const yardmaster = (...args: string[]) => master.yardmaster(args);

describe('jobs kill and jobs retry', () => {
  it('take one job by its own route', async () => {
    answers = {
      'DELETE /api/v1/jobs/kill/a': { jobId: 'a', killedTasks: 2, status: 'FAILED' },
      'POST /api/v1/jobs/a/retry': { jobId: 'a', retriedTasks: 2, status: 'RUNNING' },
    };
    expect(await yardmaster('jobs', 'kill', 'a')).toMatchObject({ code: 0, out: '2 tasks killed, the job is FAILED' });
    expect(await yardmaster('jobs', 'retry', 'a', '--json')).toMatchObject({
      code: 0,
      out: '{"jobId":"a","retriedTasks":2,"status":"RUNNING"}',
    });
  });

  it('take several jobs, or those that match a filter, as an operation', async () => {
    answers = {
      'POST /api/v1/jobs/bulk/kill': { operationId: 'o' },
      'POST /api/v1/jobs/bulk/retry': {
        count: 5,
        eligible: 3,
        ineligible: [{ reason: 'TERMINAL', count: 2 }],
        snapshot: 's1',
      },
    };
    expect(await yardmaster('jobs', 'kill', 'a', 'b')).toMatchObject({
      code: 0,
      out: expect.stringContaining('operations show o'),
    });
    expect(
      (
        await yardmaster(
          'jobs',
          'retry',
          '--filter',
          'status=FAILED,TIMEOUT',
          '--workflow',
          'w',
          '--label',
          'team=a',
          '--label',
          'x',
          '--dry-run',
        )
      ).out,
    ).toBe(
      '3 of 5 jobs would be retried\nSKIPPED BECAUSE  JOBS\nTERMINAL            2\nexactly these jobs, within 15 minutes: yardmaster jobs retry --snapshot s1',
    );
    await yardmaster('jobs', 'kill', '--all', '--json');
    expect(asked).toEqual([
      { line: 'POST /api/v1/jobs/bulk/kill', body: { ids: ['a', 'b'] } },
      {
        line: 'POST /api/v1/jobs/bulk/retry',
        body: { filter: { status: ['FAILED', 'TIMEOUT'], workflowId: 'w', label: ['team=a', 'x'] }, dryRun: true },
      },
      { line: 'POST /api/v1/jobs/bulk/kill', body: { filter: {}, all: true } },
    ]);
  });

  it('take the jobs that a dry run counted, and nothing beside them', async () => {
    answers = { 'POST /api/v1/jobs/bulk/retry': { operationId: 'o' } };
    await yardmaster('jobs', 'retry', '--snapshot', 's1', '--include-non-retryable');
    expect(asked).toEqual([
      { line: 'POST /api/v1/jobs/bulk/retry', body: { snapshot: 's1', includeNonRetryable: true } },
    ]);
    for (const more of [['a'], ['--status', 'FAILED'], ['--all'], ['--dry-run']])
      expect(await yardmaster('jobs', 'kill', '--snapshot', 's1', ...more)).toMatchObject({ code: 2 });
  });

  it('with --wait fail where jobs were left alone', async () => {
    const operation = {
      operationId: 'o',
      kind: 'kill',
      status: 'DONE',
      total: 3,
      done: 3,
      failed: 1,
      createdAt: 'x',
      finishedAt: 'y',
      createdBy: 'ann',
      filter: null,
    };
    answers = { 'POST /api/v1/jobs/bulk/kill': { operationId: 'o' }, 'GET /api/v1/operations/o': operation };
    expect(await yardmaster('jobs', 'kill', 'a', 'b', 'c', '--wait')).toMatchObject({
      code: 1,
      out: expect.stringContaining('3 of 3 jobs, 1 skipped'),
      err: expect.stringContaining('operations results o --failed'),
    });
  });

  it('do nothing without a job or a filter, or with both', async () => {
    for (const args of [
      ['kill'],
      ['retry'],
      ['kill', 'a', '--status', 'FAILED'],
      ['retry', 'a', '--all'],
      ['kill', '--filter', 'colour=red'],
      ['kill', '--filter', 'createdFrom=whenever'],
    ])
      expect([args, (await yardmaster('jobs', ...args)).code]).toEqual([args, 2]);
    expect(asked).toEqual([]);
  });
});

describe('jobs export', () => {
  it('prints what comes as it is, or writes it to a file', async () => {
    answers = { 'GET /api/v1/jobs/export': 'id,status\r\na,FAILED\r\n' };
    expect((await yardmaster('jobs', 'export', '--format', 'csv', '--status', 'FAILED')).out).toBe(
      'id,status\r\na,FAILED\r\n',
    );
    const file = join(temporaryFolder('export'), 'jobs.csv');
    expect(await yardmaster('jobs', 'export', '--output', file, '--json')).toMatchObject({
      code: 0,
      out: JSON.stringify({ file, format: 'csv', bytes: 21 }),
    });
    expect(readFileSync(file, 'utf8')).toBe('id,status\r\na,FAILED\r\n');
    expect(asked.map(({ line }) => line)).toEqual([
      'GET /api/v1/jobs/export?format=csv&status=FAILED',
      'GET /api/v1/jobs/export?format=csv',
    ]);
  });

  it('leaves no half of a file where the connection breaks', async () => {
    answers = { 'GET /api/v1/jobs/export': 'broken' };
    const folder = temporaryFolder('export');
    expect(await yardmaster('jobs', 'export', '--output', join(folder, 'jobs.json'))).toMatchObject({ code: 1 });
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('operations list, show, results and abort', async () => {
  const operation = {
    operationId: 'o',
    kind: 'retry',
    status: 'RUNNING',
    total: 3,
    done: 1,
    failed: 0,
    createdAt: 'x',
    finishedAt: null,
    createdBy: 'ann',
    filter: { status: ['FAILED'] },
  };
  const page = { page: 0, size: 20, totalItems: 1, totalPages: 1 };
  answers = {
    'GET /api/v1/operations': { items: [operation], ...page },
    'GET /api/v1/operations/o': operation,
    'GET /api/v1/operations/o/results': {
      items: [{ jobId: 'a', ok: false, code: 'TERMINAL', message: 'the job had already finished' }],
      ...page,
    },
    'POST /api/v1/operations/o/abort': { ...operation, status: 'ABORTED' },
  };
  expect((await yardmaster('operations', 'list')).out).toContain('RUNNING');
  expect(JSON.parse((await yardmaster('operations', 'show', 'o', '--json')).out)).toEqual(operation);
  expect((await yardmaster('operations', 'results', 'o', '--failed')).out).toContain(
    'TERMINAL  the job had already finished',
  );
  expect((await yardmaster('operations', 'abort', 'o')).out).toContain('ABORTED');
  expect(asked.map(({ line }) => line)).toEqual([
    'GET /api/v1/operations',
    'GET /api/v1/operations/o',
    'GET /api/v1/operations/o/results?ok=false',
    'POST /api/v1/operations/o/abort',
  ]);
});
