import { expect, test } from 'vitest';
import { originOf } from './master-address.ts';

test('https goes anywhere, http only to this machine', () => {
  expect(originOf(' https://Example.com/ ')).toBe('https://example.com');
  expect(originOf('http://127.0.0.1:8700')).toBe('http://127.0.0.1:8700');
  expect(originOf('http://localhost:8700')).toBe('http://localhost:8700');
  expect(originOf('http://[::1]:8700')).toBe('http://[::1]:8700');
  expect(() => originOf('http://example.com')).toThrow(/clear text/);
});

test.each([
  '',
  'example.com',
  'ftp://example.com',
  'https://u:p@example.com',
  'https://example.com/path',
  'https://example.com/?a',
  'https://',
])('%s is refused with a reason', (text) => {
  expect(() => originOf(text)).toThrow(/expected|holds/);
});
