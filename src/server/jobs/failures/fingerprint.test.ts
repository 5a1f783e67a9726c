import fc from 'fast-check';
import { expect, it } from 'vitest';
import { processorMs } from '../../../lib/processor-time.fixture.ts';
import { codePoint } from '../../../lib/code-point.fixture.ts';
import { fingerprint, normalise } from './fingerprint.ts';

it.each([
  ['card 4111 refused after 12.50 EUR', 'card <n> refused after <n> EUR'],
  ['no user 0199f3c2-1b7a-7c3d-8e4f-001122334455 there', 'no user <id> there'],
  ['"Ann" is not known, nor is \'Bob\'', '<text> is not known, nor is <text>'],
  [String.raw`the expression "a \"b\" & c" failed`, 'the expression <text> failed'],
  ["it doesn't fit", "it doesn't fit"],
  ['late since 2026-01-31T12:00:00.123Z, at 12:30', 'late since <time>, at <time>'],
  ['address 0xDEADbeef, digest a94a8fe5ccb19ba61c4c0873d391e987982fbbd3', 'address <hex>, digest <hex>'],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED <n>:<n>'],
  ['request req_8fK2mQ9zLx3v failed', 'request <id> failed'],
  [
    'GET https://pay.example/charge answered 503 Service Unavailable',
    'GET https://pay.example/charge answered 503 Service Unavailable',
  ],
  ['Request 17 failed with status code 404', 'Request <n> failed with status code 404'],
  [
    'HTTP/1.1 502 Bad Gateway, HTTP 500, status=429; Status: 401.',
    'HTTP/<n> 502 Bad Gateway, HTTP 500, status=429; Status: 401.',
  ],
  [
    'answered 42 of 503 calls, status 1503, status 503.5, HTTP 200-299, status 700',
    'answered <n> of <n> calls, status <n>, status <n>, HTTP <n><n>, status <n>',
  ],
  ['two\n  lines\tand  spaces ', 'two lines and spaces'],
])('%s', (message, expected) => {
  expect(normalise(message, 300)).toBe(expected);
});

const messages = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 400 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '"',
          "'",
          '`',
          '“',
          '”',
          ' ',
          '-',
          '.',
          ':',
          '<n>',
          '<text>',
          'T',
          'Z',
          '0x',
          'ab',
          '\n',
          'answered ',
          'status',
          'HTTP/1.1 ',
          ' 503',
        ),
        fc.nat().map(String),
        fc.uuid(),
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join('')),
);

it('is idempotent and bounded, and leaves no digit but of a status', () => {
  fc.assert(
    fc.property(messages, fc.integer({ min: 1, max: 300 }), (message, most) => {
      const once = normalise(message, most);
      expect(once.length).toBeLessThanOrEqual(most);
      expect(
        once.replaceAll(/(?<=(?:answered|status(?:[ _-]?code)?|HTTP(?:\/<n>)?)[\s:=]{1,3})[1-5]\d\d(?!\d)/gi, ''),
      ).not.toMatch(/\d/);
      expect(normalise(once, most)).toBe(once);
    }),
    { numRuns: 2000 },
  );
});

it('takes no longer for a message that is made to be slow', () => {
  for (const message of [
    '"'.repeat(100_000),
    'a1'.repeat(50_000),
    "'a".repeat(50_000),
    '1-'.repeat(50_000),
    '«'.repeat(100_000),
  ]) {
    expect(processorMs(() => normalise(message, 300))).toBeLessThan(100);
  }
});

it('names groups by 16 hex digits that differ with each part', () => {
  const ids = [
    ['w', 'n', 'c', 'm'],
    ['w', 'n', 'c', ''],
    ['w', 'n', '', 'cm'],
    ['wn', '', 'c', 'm'],
  ].map((parts) => fingerprint(...(parts as [string, string, string, string])));
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
});
