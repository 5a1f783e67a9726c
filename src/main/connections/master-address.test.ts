import { expect, test } from 'vitest';
import { parseMasterOrigin, parseMasterOrigins } from './master-address.ts';

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

test('several addresses are taken each once, each by the same rules', () => {
  expect(parseMasterOrigins('https://a.example.com')).toEqual(['https://a.example.com']);
  expect(parseMasterOrigins(' https://a.example.com , https://b.example.com/,https://a.example.com,')).toEqual([
    'https://a.example.com',
    'https://b.example.com',
  ]);
  expect(() => parseMasterOrigins('https://a.example.com,http://b.example.com')).toThrow(/plain text/);
  expect(() => parseMasterOrigins(' , ')).toThrow(/expected a URL/);
  expect(() => parseMasterOrigins(Array.from({ length: 17 }, (_, i) => `https://m${i}.example.com`).join(','))).toThrow(
    /at most 16 URLs, got 17/,
  );
});
