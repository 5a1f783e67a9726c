import { describe, expect, it } from 'vitest';
import { createPace } from './turn-budget.ts';

describe('the pace of long work', () => {
  it('slows down at once where steps are dear, and takes some cheap turns to be quick again', () => {
    const pace = createPace();
    const first = pace.steps;
    pace.took(36, 50);
    const slow = pace.steps;
    expect(slow).toBeLessThan(first);
    pace.took(1, 100);
    expect(pace.steps).toBeLessThan(first);
    for (let turn = 0; turn < 30; turn++) pace.took(1, 100);
    expect(pace.steps).toBeGreaterThan(first);
  });

  it('never stands still and never runs away, whatever a turn took', () => {
    const pace = createPace();
    for (const ms of [1e6, 1e9]) pace.took(ms, 20);
    expect(pace.steps).toBeGreaterThanOrEqual(32);
    for (let turn = 0; turn < 500; turn++) pace.took(0, 1000);
    expect(pace.steps).toBeLessThanOrEqual(200);
  });

  it('learns nothing from turns of few steps', () => {
    const pace = createPace();
    const before = pace.steps;
    pace.took(500, 1);
    expect(pace.steps).toBe(before);
  });
});
