import { expect, it } from 'vitest';
import { expiryOf, reaches, standingOf } from './reach.ts';

it('counts keys for all workflows and keys for this one', () => {
  expect([
    reaches({ workflows: ['*'] }, 'a'),
    reaches({ workflows: ['a', 'b'] }, 'a'),
    reaches({ workflows: ['ab'] }, 'a'),
  ]).toEqual([true, true, false]);
});

it('tells live, expired and revoked keys apart', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const now = Date.parse(at);
  expect(standingOf({ revokedAt: null, expiresAt: null }, now)).toBe('live');
  expect(standingOf({ revokedAt: null, expiresAt: at }, now)).toBe('expired');
  expect(standingOf({ revokedAt: null, expiresAt: at }, now - 1)).toBe('live');
  expect(standingOf({ revokedAt: at, expiresAt: at }, now)).toBe('revoked');
});

it('reckons the end of a key from now', () => {
  expect(expiryOf('never', 0)).toBeNull();
  expect(expiryOf('30', 0)).toBe('1970-01-31T00:00:00.000Z');
});
