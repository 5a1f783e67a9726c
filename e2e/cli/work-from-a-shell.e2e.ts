import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { ApiKeyCreated, TokenCreated } from '../../src/contract/access.ts';
import type { Job } from '../../src/contract/jobs.ts';
import type { LogSearch } from '../../src/contract/logs.ts';
import type { Metrics } from '../../src/contract/metrics.ts';
import type { BulkDryRun, Operation, OperationResult } from '../../src/contract/operations.ts';
import type { Page } from '../../src/contract/shapes.ts';
import type { Worker } from '../../src/contract/workers.ts';
import type { Commit, CommitDetail, CommitDiff } from '../../src/contract/workflows.ts';
import { openShell, type Shell } from './shell.ts';

const examples = fileURLToPath(new URL('../../resources/examples', import.meta.url));
const triage = join(examples, 'triage.workflow.json');
const sample = JSON.stringify((JSON.parse(readFileSync(triage, 'utf8')) as { sample: unknown }).sample);

let shell: Shell;
test.beforeAll(async () => void (shell = await openShell()));
test.afterAll(async () => void (await shell.close()));

test('an author publishes a workflow, calls it, and sees what it did', { tag: '@goal' }, async () => {
  const first = shell.json<CommitDetail>(['workflow', 'import', triage, '--message', 'Add triage']);
  expect(first).toMatchObject({ parent: null, message: 'Add triage', valid: true, faults: [] });

  const { definition } = first;
  writeFileSync(join(shell.folder, 'next.json'), JSON.stringify({ ...definition, name: 'Triage, better' }));
  const second = shell.json<CommitDetail>(['workflow', 'save', 'triage', 'next.json', '--message', 'Rename it']);
  expect(second.parent).toBe(first.hash);
  expect(shell.json<CommitDiff>(['workflow', 'diff', 'triage', first.hash, second.hash]).settings).toEqual([
    expect.objectContaining({ op: 'replace', path: '/name' }),
  ]);
  expect(shell.json<Page<Commit>>(['workflow', 'versions', 'triage']).items.map(({ hash }) => hash)).toEqual([
    second.hash,
    first.hash,
  ]);

  expect(shell.json<Commit>(['workflow', 'tag', 'triage', 'renamed', second.hash.slice(0, 8)])).toMatchObject({
    number: 2,
    tags: ['renamed'],
  });
  shell.json(['workflow', 'tag', 'triage', 'renamed', '--remove']);
  shell.json(['workflow', 'publish', 'triage', 'dev', second.hash.slice(0, 12), '--description', 'First try']);
  const { key } = shell.json<ApiKeyCreated>([
    'keys',
    'create',
    '--name',
    'shop',
    '--workflow',
    'triage',
    '--environment',
    'dev',
    'staging',
  ]);
  const output = shell.json<{ action: string }[]>(
    ['event', 'send', 'triage', 'dev', '--api-key', key, '--external-id', 'ticket-7'],
    sample,
  );
  expect(output.map(({ action }) => action)).toEqual(['page', 'queue']);

  const {
    items: [job],
  } = shell.json<Page<Job>>(['jobs', 'list', '--external-id', 'ticket-7']);
  expect(job).toMatchObject({
    workflowId: 'triage',
    environment: 'dev',
    commit: second.hash,
    status: 'COMPLETED',
    inputCount: 2,
  });
  const shown = shell.yardmaster(['jobs', 'show', job?.id as string]);
  expect(shown.code).toBe(0);
  expect(shown.out).toMatch(/status +COMPLETED[\s\S]*NODE[\s\S]*score/);

  await expect(() => {
    const { records } = shell.json<LogSearch>(['logs', 'search', '--job', job?.id as string, '--level', 'warn']);
    expect(records).toEqual([
      expect.objectContaining({
        _msg: 'a ticket that cannot wait',
        job_id: job?.id,
        subject: 'Login is down for everybody',
      }),
    ]);
  }).toPass();
  await expect(() => {
    const { metricNames, dataPoints } = shell.json<Metrics>([
      'metrics',
      'query',
      '--measurement',
      'task_metrics',
      '--field',
      'timer_run_ms',
      '--from',
      '5m',
      '--filter',
      `job_id=${job?.id}`,
    ]);
    expect(metricNames).toContain('timer_run_ms');
    expect(dataPoints.length).toBeGreaterThan(0);
  }).toPass();
});

test('an operator counts, kills and exports many jobs', { tag: '@goal' }, async () => {
  const definition = {
    schemaVersion: 1,
    name: 'Patient',
    response: 'list',
    nodes: [
      { id: 'in', type: 'input', name: 'in', config: {}, position: { x: 0, y: 0 } },
      { id: 'wait', type: 'delay', name: 'wait', config: { seconds: 600 }, position: { x: 1, y: 0 } },
      { id: 'out', type: 'output', name: 'out', config: {}, position: { x: 2, y: 0 } },
    ],
    edges: [
      { from: 'in', to: 'wait' },
      { from: 'wait', to: 'out' },
    ],
    output: 'out',
  };
  writeFileSync(join(shell.folder, 'patient.json'), JSON.stringify(definition));
  const { hash } = shell.json<CommitDetail>(['workflow', 'save', 'patient', 'patient.json', '--message', 'Wait']);
  shell.json(['workflow', 'publish', 'patient', 'dev', hash]);
  const { key } = shell.json<ApiKeyCreated>([
    'keys',
    'create',
    '--name',
    'patient',
    '--workflow',
    'patient',
    '--environment',
    'dev',
  ]);
  for (let i = 0; i < 3; i++)
    shell.json(['event', 'send', 'patient', 'dev', '--api-key', key, '--async', '--external-id', `=${i}`], '[{}]');

  expect(shell.json<BulkDryRun>(['jobs', 'kill', '--workflow', 'patient', '--dry-run'])).toEqual({
    count: 3,
    eligible: 3,
    ineligible: [],
    snapshot: expect.any(String),
  });
  expect(
    shell.json<Operation>(['jobs', 'kill', '--filter', 'workflowId=patient', '--filter', 'status=RUNNING', '--wait']),
  ).toMatchObject({ kind: 'kill', status: 'DONE', total: 3, done: 3, failed: 0 });
  const [operation] = shell.json<Page<Operation>>(['operations', 'list']).items;
  expect(
    shell
      .json<Page<OperationResult>>(['operations', 'results', operation?.operationId as string])
      .items.map(({ ok, message }) => [ok, message]),
  ).toEqual(Array(3).fill([true, '1 task killed']));
  const again = shell.yardmaster(['jobs', 'kill', '--workflow', 'patient', '--wait']);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('3 of 3 jobs were skipped')]);

  expect(shell.json(['jobs', 'export', '--workflow', 'patient', '--output', 'patient.csv'])).toMatchObject({
    file: 'patient.csv',
    format: 'csv',
  });
  const [head, ...rows] = readFileSync(join(shell.folder, 'patient.csv'), 'utf8').trimEnd().split('\r\n');
  expect(head).toMatch(/^id,externalId,status,/);
  expect(rows.map((row) => row.split(',').slice(1, 4))).toEqual(
    ["'=2", "'=1", "'=0"].map((externalId) => [externalId, 'FAILED', 'patient']),
  );
  expect(shell.json<Job[]>(['jobs', 'export', '--workflow', 'patient']).map(({ status }) => status)).toEqual(
    Array(3).fill('FAILED'),
  );
});

test('the history leaves as a Git repository with the very same hashes', () => {
  shell.yardmaster(['workflow', 'export', 'triage', '--git', 'repository']);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', join(shell.folder, 'repository'), ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const history = shell.json<Page<Commit>>(['workflow', 'versions', 'triage']).items.map(({ hash }) => hash);
  expect(history.length).toBeGreaterThan(1);
  expect(git('log', '--format=%H').split('\n')).toEqual(history);
  expect(git('fsck', '--strict', '--full')).toBe('');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('rev-parse', 'env/dev')).toBe(history[0]);
});

test('an exported file comes back as the same definition', () => {
  const { out } = shell.yardmaster(['workflow', 'export', 'triage']);
  const { hash, definition } = shell.json<CommitDetail>(['workflow', 'import', '-', '--id', 'triage-copy'], out);
  expect(hash).toMatch(/^[0-9a-f]{40}$/);
  expect(definition).toEqual((JSON.parse(out) as { definition: unknown }).definition);
});

test('an operator drains a worker and makes a token that can only look', () => {
  const {
    items: [worker],
  } = shell.json<Page<Worker>>(['workers', 'list']);
  expect(shell.json<Worker>(['workers', 'drain', worker?.id as string]).drained).toBe(true);
  expect(shell.json<Worker>(['workers', 'resume', worker?.id as string]).drained).toBe(false);

  const { id, token } = shell.json<TokenCreated>(['tokens', 'create', '--name', 'wall', '--role', 'viewer']);
  expect(shell.yardmaster(['jobs', 'list', '--token', token]).code).toBe(0);
  const refused = shell.yardmaster([
    'keys',
    'create',
    '--name',
    'x',
    '--workflow',
    '*',
    '--environment',
    'dev',
    '--token',
    token,
    '--json',
  ]);
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.err)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  shell.json(['tokens', 'revoke', id]);
  expect(shell.yardmaster(['jobs', 'list', '--token', token, '--json']).err).toContain('TOKEN_INVALID');
});

test('what fails says why, and exits 1', () => {
  const stale = shell.yardmaster([
    'workflow',
    'save',
    'triage',
    'next.json',
    '--message',
    'x',
    '--parent',
    '0'.repeat(40),
    '--json',
  ]);
  expect(stale.code).toBe(1);
  expect(stale.out).toBe('');
  expect(JSON.parse(stale.err)).toMatchObject({
    status: 409,
    code: 'STALE_PARENT',
    head: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  expect(shell.yardmaster(['jobs', 'show', 'no-such-job']).err).toMatch(/^yardmaster: /);
  const second = shell.yardmaster(['master', '--json', '--port', '0']);
  expect(second.code).toBe(1);
  expect(JSON.parse(second.err.trim().split('\n').at(-1) as string)).toMatchObject({
    detail: expect.stringContaining('--data'),
  });
});

test('the doctor finds a running master healthy', () => {
  const { ok, checks } = shell.json<{ ok: boolean; checks: { name: string; status: string }[] }>(['doctor']);
  expect(ok).toBe(true);
  expect(checks.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['node', 'sqlite', 'data folder', 'master', 'ready', 'token', 'version', 'workers']),
  );
});

test('a terminated master ends in order', async () => {
  const own = await openShell();
  expect(await own.close()).toBe(0);
});
