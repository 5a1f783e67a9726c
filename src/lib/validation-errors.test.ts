import { expect, test } from 'vitest';
import { explainValidationErrors } from './validation-errors.ts';

const said = (keyword: string, params: Record<string, unknown>) =>
  explainValidationErrors([{ instancePath: '/at', keyword, message: 'must NOT be so', params }])[0]?.message;

test('sizes are said in words', () => {
  expect(said('minLength', { limit: 1 })).toBe('must not be empty');
  expect(said('minItems', { limit: 1 })).toBe('must not be empty');
  expect(said('minLength', { limit: 8 })).toBe('must have at least 8 characters');
  expect(said('maxLength', { limit: 200 })).toBe('must have at most 200 characters');
  expect(said('maxItems', { limit: 1 })).toBe('must have at most 1 item');
});

test('a format is shown by an example, where there is a common one', () => {
  expect(said('format', { format: 'date-time' })).toBe('must be a date and time such as 2026-01-31T08:00:00Z');
  expect(said('format', { format: 'ipv6' })).toBe('must NOT be so');
});
