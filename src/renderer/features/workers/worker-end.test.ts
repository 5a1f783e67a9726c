import { expect, it } from 'vitest';
import { exitText, isPast } from './worker-end.ts';

const end = (reason: 'stopped' | 'crashed' | 'lost') => ({
  reason,
  at: '2026-01-01T00:00:00.000Z',
  exitCode: null,
  signal: null,
  message: null,
});

it('leaves a worker in the list that crashed or is lost, until another one took its place', () => {
  expect(isPast({ state: 'Down', ended: end('crashed'), replacedBy: null })).toBe(false);
  expect(isPast({ state: 'Down', ended: end('lost') })).toBe(false);
  expect(isPast({ state: 'Down', ended: end('crashed'), replacedBy: 'w2' })).toBe(true);
  expect(isPast({ state: 'Down', ended: end('stopped') })).toBe(true);
  expect(isPast({ state: 'Operational', ended: null })).toBe(false);
});

it('says how a process ended', () => {
  expect(exitText({ exitCode: null, signal: 'SIGKILL' })).toBe('SIGKILL');
  expect(exitText({ exitCode: 1, signal: null })).toBe('exit code 1');
  expect(exitText({ exitCode: null, signal: null })).toBeNull();
});
