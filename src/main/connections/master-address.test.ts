import { expect, test } from 'vitest';
import { parseMasterOrigin } from './master-address.ts';

test('https goes anywhere, http only to this machine', () => {
  expect(parseMasterOrigin(' https://Example.com/ ')).toBe('https://example.com');
  expect(parseMasterOrigin('http://127.0.0.1:8700')).toBe('http://127.0.0.1:8700');
  expect(parseMasterOrigin('http://localhost:8700')).toBe('http://localhost:8700');
  expect(parseMasterOrigin('http://[::1]:8700')).toBe('http://[::1]:8700');
  expect(() => parseMasterOrigin('http://example.com')).toThrow(/plain text/);
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
  expect(() => parseMasterOrigin(text)).toThrow(/expected|contains/);
});
