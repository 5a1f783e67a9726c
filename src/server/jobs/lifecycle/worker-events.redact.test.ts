import { expect, it } from 'vitest';
import type { Report } from '../../../contract/worker-protocol.ts';
import { createRedactor } from '../../../lib/redact.ts';
import { redactReports } from './worker-events.ts';

it('takes the values of secrets out of messages of failures, and touches nothing else', () => {
  const secrets = { redactor: createRedactor([{ name: 'TOKEN', value: 'hunter-22' }], 6) };
  const done: Report = { e: 'done', id: 'a', attempt: 1, startedAt: 1, at: 2, output: 'hunter-22' };
  const fail: Report = {
    e: 'fail',
    id: 'b',
    attempt: 1,
    startedAt: 1,
    at: 2,
    error: { code: 'E-hunter-22', message: 'no hunter-22', retryable: true },
  };
  expect(redactReports([done, fail], secrets)).toEqual([
    done,
    { ...fail, error: { ...fail.error, code: 'E-[secret TOKEN]', message: 'no [secret TOKEN]' } },
  ]);
  const [only] = [[done]];
  expect(redactReports(only as Report[], secrets)).toBe(only);
});
