import { expect, test } from 'vitest';
import { asSentence, describeError, furtherFaults } from './error-text.ts';

test('a detail is shown as a sentence', () => {
  expect(describeError({ detail: 'the token is unknown, revoked or expired', code: 'TOKEN_INVALID' }).detail).toBe(
    'The token is unknown, revoked or expired',
  );
  expect(describeError(new Error('no response within 5 s')).detail).toBe('No response within 5 s');
});

test('a name at its beginning stays as it is spelled', () => {
  for (const detail of ['ada is disabled here', 'triage.example.com is reachable', '3 exports are running', 'theatre'])
    expect(asSentence(detail)).toBe(detail);
});

test('a fault that the detail names is not listed again', () => {
  const fault = { pointer: '/1', message: 'must be an object' };
  expect(furtherFaults({ detail: 'the input at /1 must be an object', errors: [fault] })).toEqual([]);
  expect(furtherFaults({ detail: 'the inputs are not valid; see errors', errors: [fault, fault] })).toHaveLength(2);
});
