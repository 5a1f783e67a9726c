import { expect, it } from 'vitest';
import { Fault } from '../lib/fault.ts';
import { printError } from './print-error.ts';

const lines = (fault: Fault) => {
  const out: string[] = [];
  printError(fault, false, { err: (line) => void out.push(line) });
  return out;
};

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
