import { expect, it } from 'vitest';
import { expiryInstant, reachesWorkflow, keyStatus } from './key-status.ts';

it('counts keys for all workflows and keys for this one', () => {
  expect([
    reachesWorkflow({ workflows: ['*'] }, 'a'),
    reachesWorkflow({ workflows: ['a', 'b'] }, 'a'),
    reachesWorkflow({ workflows: ['ab'] }, 'a'),
  ]).toEqual([true, true, false]);
});

it('tells live, expired and revoked keys apart', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const now = Date.parse(at);
  expect(keyStatus({ revokedAt: null, expiresAt: null }, now)).toBe('live');
  expect(keyStatus({ revokedAt: null, expiresAt: at }, now)).toBe('expired');
  expect(keyStatus({ revokedAt: null, expiresAt: at }, now - 1)).toBe('live');
  expect(keyStatus({ revokedAt: at, expiresAt: at }, now)).toBe('revoked');
});

it('reckons the end of a key from now', () => {
  expect(expiryInstant('never', 0)).toBeNull();
  expect(expiryInstant('30', 0)).toBe('1970-01-31T00:00:00.000Z');
});
