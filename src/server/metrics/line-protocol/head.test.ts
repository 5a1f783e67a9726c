import { expect, it } from 'vitest';
import { LineFault } from './head.ts';

it('a fault of a line costs no stack, and those of others keep theirs', () => {
  const { stackTraceLimit } = Error;
  expect(new LineFault('missing fields').stack).toBe('Error: missing fields');
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});
