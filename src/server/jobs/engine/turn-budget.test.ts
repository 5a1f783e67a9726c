import { describe, expect, it } from 'vitest';
import { createTurnBudget } from './turn-budget.ts';

describe('the pace of long work', () => {
  it('slows down at once where steps are dear, and takes some cheap turns to be quick again', () => {
    const pace = createTurnBudget();
    const first = pace.steps;
    pace.record(36, 50);
    const slow = pace.steps;
    expect(slow).toBeLessThan(first);
    pace.record(1, 100);
    expect(pace.steps).toBeLessThan(first);
    for (let turn = 0; turn < 30; turn++) pace.record(1, 100);
    expect(pace.steps).toBeGreaterThan(first);
  });

  it('never stands still and never runs away, whatever a turn took', () => {
    const pace = createTurnBudget();
    for (const ms of [1e6, 1e9]) pace.record(ms, 20);
    expect(pace.steps).toBeGreaterThanOrEqual(32);
    for (let turn = 0; turn < 500; turn++) pace.record(0, 1000);
    expect(pace.steps).toBeLessThanOrEqual(200);
  });

  it('learns nothing from turns of few steps', () => {
    const pace = createTurnBudget();
    const before = pace.steps;
    pace.record(500, 1);
    expect(pace.steps).toBe(before);
  });
});
