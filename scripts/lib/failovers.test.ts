import { expect, it } from 'vitest';
import { failoverLines } from './failovers.mjs';

const failover = (epoch: number, gapMs: number) => ({ epoch, reason: 'owner gone', gapMs });

it('tells each failover once, but for what was known', () => {
  const lines = failoverLines(1);
  expect(lines(undefined, 'master 1')).toBeNull();
  expect(lines(failover(1, 0), 'master 1')).toBeNull();
  expect(lines(failover(1, 1200), 'master 1')).toBeNull();
  const line = 'master 2 owns the state now (epoch 2, owner gone, 1.2 s without an owner).';
  expect(lines(failover(2, 1240), 'master 2')).toBe(line);
  expect(lines(failover(2, 1240), 'master 2')).toBeNull();
});

it('tells a failover that happened before the first look', () => {
  expect(failoverLines(1)(failover(2, 900), 'master 2')).toContain('master 2 owns the state now (epoch 2');
});

it('waits until it is known how long nobody owned the state', () => {
  const lines = failoverLines(1);
  expect(lines(failover(2, 0), 'master 2')).toBeNull();
  expect(lines(failover(2, 3300), 'master 2')).toContain('3.3 s without an owner');
});

it('does not wait for ever, and then says nothing of a time that it does not know', () => {
  const lines = failoverLines(1);
  let line: string | null = null;
  for (let looks = 0; line === null && looks < 100; looks++) line = lines(failover(2, 0), 'master 2');
  expect(line).toBe('master 2 owns the state now (epoch 2, owner gone).');
});
