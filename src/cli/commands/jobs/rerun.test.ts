import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeMaster } from '../../process-io.fake.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

/** What the master was asked, to the byte. */
let asked: string[] = [];
const master = fakeMaster(({ method, path, body }) => {
  asked.push(`${method} ${path} ${body}`);
  if (path.endsWith('/bulk/rerun'))
    return body.includes('dryRun')
      ? JSON.stringify({
          count: 3,
          eligible: 2,
          ineligible: [{ reason: 'CHILD_JOB', count: 1 }],
          versions: [{ workflowId: 'pay', environment: 'dev', commit: 'a'.repeat(40), jobs: 2, same: 0 }],
          unchecked: 1,
          snapshot: 's1',
        })
      : '{"operationId":"o"}';
  return path.endsWith('/rerun')
    ? '{"jobId":"b","rerunOf":"a"}'
    : '{"id":"t","node":"check","state":"READY","attempt":2}';
});
beforeEach(() => void (asked = []));
const yardmaster = (stdin: string, ...args: string[]) => master.yardmaster(args, { stdin: async () => stdin });

it('jobs input asks for what a job, a replica or a node was given', async () => {
  expect((await yardmaster('', 'jobs', 'input', 'a', '--node', 'each', '--replica', '3')).code).toBe(0);
  await yardmaster('', 'jobs', 'input', 'a', '--json');
  expect(asked).toEqual(['GET /api/v1/jobs/a/input?replica=3&node=each ', 'GET /api/v1/jobs/a/input ']);
});

describe('jobs rerun', () => {
  it('runs a job again as it was', async () => {
    expect(await yardmaster('', 'jobs', 'rerun', 'a')).toMatchObject({ code: 0, out: 'job b is a rerun of job a' });
    expect(asked).toEqual(['POST /api/v1/jobs/a/rerun {}']);
  });

  it('takes inputs from a file or standard input, with every digit, another version, and a node', async () => {
    const file = join(temporaryFolder('rerun'), 'inputs.json');
    writeFileSync(file, '[{"n": 12345678901234567890}]');
    await yardmaster('', 'jobs', 'rerun', 'a', '--inputs', file, '--commit', 'published', '--from-node', 'check');
    expect(await yardmaster('[1]', 'jobs', 'rerun', 'a', '--inputs', '-', '--json')).toMatchObject({
      out: '{"jobId":"b","rerunOf":"a"}',
    });
    expect(asked).toEqual([
      'POST /api/v1/jobs/a/rerun {"inputs":[{"n":12345678901234567890}],"commit":"published","fromNode":"check"}',
      'POST /api/v1/jobs/a/rerun {"inputs":[1]}',
    ]);
  });

  it('takes several jobs, or those that match a filter, as an operation', async () => {
    expect((await yardmaster('', 'jobs', 'rerun', 'a', 'b', '--commit', 'published')).out).toContain(
      'operations show o',
    );
    const { out } = await yardmaster(
      '',
      'jobs',
      'rerun',
      '--failure-group',
      'f',
      '--commit',
      'published',
      '--include-rerun',
      '--dry-run',
    );
    expect(out).toBe(
      '2 of 3 jobs would be rerun as new jobs\nON VERSION  OF   IN   JOBS  ALREADY RAN ON IT\naaaaaaaaaa  pay  dev     2                  0\nthe inputs of 1 job were not checked yet against the changed input schema: they are checked before each rerun\nSKIPPED BECAUSE  JOBS\nCHILD_JOB           1\nexactly these jobs, within 15 minutes: yardmaster jobs rerun --snapshot s1 --commit published --include-rerun',
    );
    await yardmaster('', 'jobs', 'rerun', 'a', '--include-completed');
    expect(asked).toEqual([
      'POST /api/v1/jobs/bulk/rerun {"ids":["a","b"],"commit":"published"}',
      'POST /api/v1/jobs/bulk/rerun {"filter":{"failureGroup":"f"},"commit":"published","includeRerun":true,"dryRun":true}',
      'POST /api/v1/jobs/bulk/rerun {"ids":["a"],"includeCompleted":true}',
    ]);
    asked = [];
    for (const args of [[], ['a', 'b', '--from-node', 'n'], ['a', '--all']])
      expect([args, (await yardmaster('', 'jobs', 'rerun', ...args)).code]).toEqual([args, 2]);
    expect(asked).toEqual([]);
  });

  it('sends nothing that is no JSON', async () => {
    expect((await yardmaster('[1', 'jobs', 'rerun', 'a', '--inputs', '-')).code).toBe(1);
    expect(asked).toEqual([]);
  });
});

it('jobs retry-task runs one task again', async () => {
  expect(await yardmaster('', 'jobs', 'retry-task', 't')).toMatchObject({
    code: 0,
    out: 'task t (check) is READY, attempt 2',
  });
  expect(asked).toEqual(['POST /api/v1/tasks/t/retry ']);
});
