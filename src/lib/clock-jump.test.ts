import { expect, it } from 'vitest';
import { watchClockJumps } from './clock-jump.ts';

it('tells the time that passed unseen between two steps, and no other', () => {
  let now = 1000;
  const absence = watchClockJumps({ now: () => now }, 500);
  now += 700;
  expect(absence.since()).toBe(0);
  // The step itself may take long.
  now += 20_000;
  absence.ended();
  now += 500;
  expect(absence.since()).toBe(0);
  absence.ended();
  now += 3_600_500;
  expect(absence.since()).toBe(3_600_000);
  absence.ended();
  // A clock that goes back hides nothing.
  now -= 60_000;
  expect(absence.since()).toBe(0);
});
