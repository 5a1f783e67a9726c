import { expect, it } from 'vitest';
import { isSentInClear } from './plain-url.ts';

it.each([
  'http://yard.example:8700',
  'http://10.0.0.5',
  'http://127.0.0.1.example.org',
  'http://[fd00::1]:8700',
  'http://0.0.0.0:8700',
])('%s can be read on the way', (url) => {
  expect(isSentInClear(url)).toBe(true);
});

it.each(['https://yard.example', 'http://127.0.0.1:8700', 'http://127.1.2.3', 'http://LOCALHOST', 'http://[::1]:8700'])(
  '%s cannot',
  (url) => {
    expect(isSentInClear(url)).toBe(false);
  },
);
