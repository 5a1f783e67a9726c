import { expect, it } from 'vitest';
import { Fault } from '../lib/fault.ts';
import { printError } from './print-error.ts';

const lines = (fault: Fault) => {
  const out: string[] = [];
  printError(fault, false, { err: (line) => void out.push(line) });
  return out;
};

it('hands a terminal nothing that it obeys', () => {
  const errors = [{ pointer: '/a\u001b[2J', message: 'b\u009b31m' }];
  expect(lines(new Fault('JOB_NOT_FOUND', 'job \u001b]0;title\u0007 not found', { errors }))).toEqual([
    'yardmaster: job  ]0;title  not found',
    '  /a [2J: b 31m',
  ]);
});

it('tells a single fault once, and several each at its place', () => {
  expect(
    lines(
      new Fault('VALIDATION_FAILED', 'an empty filter would match every job', {
        errors: [{ pointer: '/filter', message: 'an empty filter would match every job' }],
      }),
    ),
  ).toEqual(['yardmaster: an empty filter would match every job']);
  expect(
    lines(
      new Fault('INVALID_DAG', 'the definition has 1 problem', {
        errors: [{ pointer: '/nodes/0', message: 'is unknown' }],
      }),
    ),
  ).toEqual(['yardmaster: the definition has 1 problem', '  /nodes/0: is unknown']);
  expect(
    lines(
      new Fault('INVALID_DAG', 'a and b', {
        errors: [
          { pointer: '/a', message: 'a' },
          { pointer: '', message: 'b' },
        ],
      }),
    ),
  ).toEqual(['yardmaster: a and b', '  /a: a', '  (whole): b']);
});
