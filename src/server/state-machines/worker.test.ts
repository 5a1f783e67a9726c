import { expect, it } from 'vitest';
import { OUTCOMES_COUNTED, addOutcome, workerState, type TaskOutcome } from './worker.ts';

const rule = { unstableMs: 6000, downMs: 15_000, forgetMs: 600_000 };
const alive = {
  silentMs: 0,
  saidGoodbye: false,
  currentTasks: 0,
  maxTasks: 2,
  outcomes: [] as readonly TaskOutcome[],
};
const crashes = (count: number, at = 0) =>
  Array.from({ length: 25 }, (_, i) => ({ at, crashed: i < count })).reduce<readonly TaskOutcome[]>(addOutcome, []);

it.each([
  ['Operational', { ...alive, silentMs: 6000 }],
  ['Maxed', { ...alive, currentTasks: 2 }],
  ['Unstable', { ...alive, silentMs: 6001 }],
  ['Unstable', { ...alive, currentTasks: 2, silentMs: 15_000 }],
  ['Down', { ...alive, silentMs: 15_001 }],
  ['Down', { ...alive, saidGoodbye: true }],
  ['Down', { ...alive, silentMs: null }],
  ['Operational', { ...alive, outcomes: crashes(15) }],
  ['Unstable', { ...alive, outcomes: crashes(16) }],
] as const)('%s: %o', (state, worker) => {
  expect(workerState(worker, 0, rule)).toBe(state);
});

it.each([-3_600_000, 600_001])('outcomes of another time than the last minutes do not count: at %d ms', (now) => {
  expect(workerState({ ...alive, outcomes: crashes(25) }, now, rule)).toBe('Operational');
});

it('keeps the last outcomes', () => {
  expect(crashes(25)).toHaveLength(OUTCOMES_COUNTED);
});
