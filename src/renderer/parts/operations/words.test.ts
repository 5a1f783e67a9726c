import { expect, it } from 'vitest';
import { outcomeWords, percentOf, reasonWords } from './words.ts';

it('tells how far an operation is, and what it left', () => {
  expect(outcomeWords({ kind: 'retry', status: 'RUNNING', total: 42, done: 10, failed: 0 })).toBe('Retrying 10 of 42 jobs');
  expect(outcomeWords({ kind: 'kill', status: 'DONE', total: 1, done: 1, failed: 0 })).toBe('Killed 1 job');
  expect(outcomeWords({ kind: 'kill', status: 'ABORTED', total: 10, done: 4, failed: 1 })).toBe('Killed 3 of 10 jobs, 1 could not be, 6 left as they were');
});
it('is through where there is nothing to do', () => {
  expect(percentOf({ total: 0, done: 0 })).toBe(100);
  expect(percentOf({ total: 4, done: 2 })).toBe(50);
});
it('shows a reason that it does not know as it is, readable', () => {
  expect(reasonWords('RETRIES_LEFT')).toContain('still retrying');
  expect(reasonWords('TERMINAL', 'retry')).toContain('nothing to retry');
  expect(reasonWords('SOME_NEW_CODE')).toBe('some new code');
});
