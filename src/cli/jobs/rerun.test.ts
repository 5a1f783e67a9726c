import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeMaster } from '../testing.ts';

/** What the master was asked, to the byte. */
let asked: string[] = [];
const master = fakeMaster(({ method, path, body }) => {
  asked.push(`${method} ${path} ${body}`);
  return path.endsWith('/rerun') ? '{"jobId":"b","rerunOf":"a"}' : '{"id":"t","node":"check","state":"READY","attempt":2}';
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
    expect(await yardmaster('', 'jobs', 'rerun', 'a')).toMatchObject({ code: 0, out: 'job b runs job a again' });
    expect(asked).toEqual(['POST /api/v1/jobs/a/rerun {}']);
  });

  it('takes inputs from a file or standard input, with every digit, another version, and a node', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'rerun-')), 'inputs.json');
    writeFileSync(file, '[{"n": 12345678901234567890}]');
    await yardmaster('', 'jobs', 'rerun', 'a', '--inputs', file, '--commit', 'published', '--from-node', 'check');
    expect(await yardmaster('[1]', 'jobs', 'rerun', 'a', '--inputs', '-', '--json')).toMatchObject({ out: '{"jobId":"b","rerunOf":"a"}' });
    expect(asked).toEqual(['POST /api/v1/jobs/a/rerun {"inputs":[{"n":12345678901234567890}],"commit":"published","fromNode":"check"}', 'POST /api/v1/jobs/a/rerun {"inputs":[1]}']);
  });

  it('sends nothing that is no JSON', async () => {
    expect((await yardmaster('[1', 'jobs', 'rerun', 'a', '--inputs', '-')).code).toBe(1);
    expect(asked).toEqual([]);
  });
});

it('jobs retry-task runs one task again', async () => {
  expect(await yardmaster('', 'jobs', 'retry-task', 't')).toMatchObject({ code: 0, out: 'task t (check) is READY, attempt 2' });
  expect(asked).toEqual(['POST /api/v1/tasks/t/retry ']);
});
