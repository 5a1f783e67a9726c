import { expect, it } from 'vitest';
import { OUTCOMES_COUNTED, addOutcome, workerState, type TaskOutcome } from './worker.ts';

const rule = { unstableMs: 6000, downMs: 15_000, forgetMs: 600_000 };
const alive = {
  lastHeartbeatAt: 0,
  saidGoodbye: false,
  currentTasks: 0,
  maxTasks: 2,
  outcomes: [] as readonly TaskOutcome[],
};
const crashes = (count: number, at = 0) =>
  Array.from({ length: 25 }, (_, i) => ({ at, crashed: i < count })).reduce<readonly TaskOutcome[]>(addOutcome, []);

it.each([
  ['Operational', alive, 6000],
  ['Maxed', { ...alive, currentTasks: 2 }, 0],
  ['Unstable', alive, 6001],
  ['Unstable', { ...alive, currentTasks: 2 }, 15_000],
  ['Down', alive, 15_001],
  ['Down', { ...alive, saidGoodbye: true }, 0],
  ['Down', { ...alive, lastHeartbeatAt: null }, 0],
  ['Operational', { ...alive, outcomes: crashes(15) }, 0],
  ['Unstable', { ...alive, outcomes: crashes(16) }, 0],
  // The clock was set back since it crashed.
  ['Operational', { ...alive, lastHeartbeatAt: -3_600_000, outcomes: crashes(25) }, -3_600_000],
  ['Operational', { ...alive, lastHeartbeatAt: 600_001, outcomes: crashes(25) }, 600_001],
] as const)('%s: %o after %d ms', (state, worker, now) => {
  expect(workerState(worker, now, rule)).toBe(state);
});

it('keeps the last outcomes', () => {
  expect(crashes(25)).toHaveLength(OUTCOMES_COUNTED);
});
