import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fakeMaster } from '../../process-io.fake.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

const job = {
  id: 'a',
  status: 'FAILED',
  commit: 'c'.repeat(40),
  environment: 'dev',
  createdAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1200,
};
const side = {
  taskId: 't',
  state: 'FAILED',
  attempt: 1,
  workerId: null,
  waitMs: 1,
  runMs: 2,
  port: null,
  error: { code: 'TASK_ERROR', message: 'it broke' },
};
const pair = {
  node: 'charge',
  nodeType: 'http',
  replica: 3,
  item: null,
  differs: ['state'],
  here: side,
  there: { ...side, state: 'COMPLETED', error: null },
};
const comparison = {
  here: job,
  there: { ...job, id: 'b', status: 'COMPLETED' },
  message: 'charge returned 402 instead of 200.',
  ended: null,
  first: null,
  nodes: [
    {
      node: 'charge',
      nodeType: 'http',
      here: { tasks: 1, failed: 1, runs: 1, runMs: 2, maxRunMs: 2, waitMs: 1 },
      there: null,
    },
  ],
  tasks: { here: 1, there: 1, differing: 1, items: [pair] },
  workers: [],
  inputs: { differing: 1, replicas: [3] },
  complete: true,
};
const answers: Record<string, unknown> = {
  '/api/v1/jobs/a/compare/b': comparison,
  '/api/v1/jobs/a/compare/b/values?of=input&replica=3': {
    bytes: { here: 1, there: 1 },
    changes: [{ op: 'changed', path: '$.amount', before: '20', after: '200' }],
    complete: true,
  },
  '/api/v1/jobs/a/compare/b/logs': {
    lines: { here: 1, there: 0 },
    items: [{ level: 'ERROR', pattern: 'p', sample: 'card refused', here: 1, there: 0, firstAt: '' }],
    alike: 0,
    complete: true,
  },
};
const asked: string[] = [];
const master = fakeMaster(({ path }, response) => {
  asked.push(path);
  if (path.includes('incident-bundle')) return 'bundle';
  return (
    answers[path] ??
    void response
      .writeHead(422, { 'content-type': 'application/problem+json' })
      .end('{"code":"VALIDATION_FAILED","detail":"too large to compare"}')
  );
});
const yardmaster = (...args: string[]) => master.yardmaster(args);

it('jobs compare says what matters first, and what could not be compared', async () => {
  const { code, out } = await yardmaster('jobs', 'compare', 'a', 'b');
  expect(code).toBe(0);
  expect(out.split('\n')[0]).toBe('charge returned 402 instead of 200.');
  for (const part of [
    '1 task differs',
    '$.amount',
    'card refused',
    'The outputs were not compared: too large to compare',
  ])
    expect(out).toContain(part);
  expect(JSON.parse((await yardmaster('jobs', 'compare', 'a', 'b', '--json')).out)).toMatchObject({
    message: comparison.message,
    input: { complete: true },
    output: { refused: 'too large to compare' },
  });
});

it('jobs bundle writes one file, and none over another', async () => {
  const file = join(temporaryFolder('bundle'), 'x.yardmaster-incident');
  expect(JSON.parse((await yardmaster('jobs', 'bundle', 'a', '-o', file, '--no-payloads', '--json')).out)).toEqual({
    file,
    bytes: 6,
  });
  expect(asked.at(-1)).toBe('/api/v1/jobs/a/incident-bundle?payloads=false');
  expect(readFileSync(file, 'utf8')).toBe('bundle');
  expect(await yardmaster('jobs', 'bundle', 'a', '-o', file)).toMatchObject({
    code: 1,
    err: expect.stringContaining('exists') as string,
  });
});
