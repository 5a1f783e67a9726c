import { expect, it } from 'vitest';
import { countAlreadyRerun, countNewerVersions } from '../bulk/versions.ts';
import { outcomeText, percentDone, percentSkipped, reasonText, skippedText } from './labels.ts';

it('tells how far an operation is, and what it left', () => {
  expect(outcomeText({ kind: 'retry', status: 'RUNNING', total: 42, done: 10, failed: 0 })).toBe(
    'Retrying 10 of 42 jobs',
  );
  expect(outcomeText({ kind: 'kill', status: 'DONE', total: 1, done: 1, failed: 0 })).toBe('1 job killed');
  expect(outcomeText({ kind: 'kill', status: 'ABORTED', total: 10, done: 4, failed: 1 })).toBe(
    '3 of 10 jobs killed, 1 skipped, 6 not processed',
  );
  expect(outcomeText({ kind: 'rerun', status: 'DONE', total: 3, done: 3, failed: 1 })).toBe(
    '2 of 3 jobs rerun, 1 skipped',
  );
});
it('is through where there is nothing to do', () => {
  expect(percentDone({ total: 0, done: 0 })).toBe(100);
  expect(percentDone({ total: 4, done: 2 })).toBe(50);
  expect(percentSkipped({ total: 0, failed: 0 })).toBe(0);
  expect(percentSkipped({ total: 4, failed: 1 })).toBe(25);
});
it('says why a job was skipped in its own words, unless the master knows more of this one', () => {
  expect(skippedText('RERUN_EXISTS', 'the job was already rerun', 'rerun')).toBe('already rerun as new jobs');
  expect(skippedText('NOTHING_FAILED', 'the job has no failed tasks', 'rerun')).toBe('succeeded');
  expect(skippedText('INPUT_INVALID', '/amount must be a number', 'rerun')).toBe('/amount must be a number');
  expect(skippedText('SOME_NEW_CODE', 'of a newer master', 'kill')).toBe('of a newer master');
  expect(skippedText('SOME_NEW_CODE', null, 'kill')).toBe('some new code');
});
it('shows a reason that it does not know as it is, readable', () => {
  expect(reasonText('RETRIES_LEFT')).toContain('still retrying');
  expect(reasonText('TERMINAL', 'retry')).toContain('nothing to retry');
  expect(reasonText('NOTHING_FAILED', 'rerun')).toBe('succeeded');
  expect(reasonText('SOME_NEW_CODE')).toBe('some new code');
});
it('knows what a rerun would run on another version, and what a retry would do twice', () => {
  const version = { workflowId: 'orders', environment: 'prod' as const, commit: 'a' };
  expect(
    countNewerVersions({
      versions: [
        { ...version, jobs: 5, same: 2 },
        { ...version, commit: 'b', jobs: 1, same: 3 },
      ],
    }),
  ).toBe(3);
  expect(countNewerVersions({})).toBe(0);
  expect(
    countAlreadyRerun({
      ineligible: [
        { reason: 'CHILD_JOB', count: 1 },
        { reason: 'RERUN_EXISTS', count: 4 },
      ],
    }),
  ).toBe(4);
});
