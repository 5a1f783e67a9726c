import { expect, it } from 'vitest';
import { createClosedWindows, type GroupedWindows } from './closed-windows.ts';

const SECOND = 1000;
const NOW = 1_000_000 * SECOND;
const START = NOW - 600 * SECOND;

function open() {
  const clock = { now: NOW };
  return { clock, closed: createClosedWindows(() => clock.now) };
}
/** One value for each of so many windows of 10 s from a time on. */
const windows = (from: number, count: number, tag = 'a'): GroupedWindows =>
  new Map([
    [tag, { tags: { tag }, windows: new Map(Array.from({ length: count }, (_, i) => [from + i * 10_000, i])) }],
  ]);
const startsOf = (found: ReturnType<ReturnType<typeof createClosedWindows>['known']>) =>
  found && [...(found.groups.get('a')?.windows.keys() ?? [])];

it('knows windows that ended a while ago, and asks again for the newest ones', () => {
  const { clock, closed } = open();
  closed.keep('q', START, 10_000, NOW, windows(START, 60));
  const known = closed.known('q', START, NOW);
  expect(known?.to).toBe(NOW - 60 * SECOND);
  expect(startsOf(known)).toHaveLength(54);
  // A range that moves on knows what is left of it; one that begins before knows nothing.
  clock.now += 20 * SECOND;
  expect(startsOf(closed.known('q', START + 20 * SECOND, clock.now))).toHaveLength(52);
  expect(closed.known('q', START - 10 * SECOND, clock.now)).toBeNull();
  expect(closed.known('other', START, clock.now)).toBeNull();
});

it('reads all of them again after a moment, however often they were added to', () => {
  const { clock, closed } = open();
  closed.keep('q', START, 10_000, NOW, windows(START, 60));
  clock.now += 20 * SECOND;
  closed.keep('q', START, 10_000, clock.now, windows(START, 62));
  expect(closed.known('q', START, clock.now)?.to).toBe(NOW - 40 * SECOND);
  clock.now += 11 * SECOND;
  expect(closed.known('q', START, clock.now)).toBeNull();
  closed.keep('q', START, 10_000, clock.now, windows(START, 63));
  clock.now += 29 * SECOND;
  expect(closed.known('q', START, clock.now)).not.toBeNull();
});

it('keeps nothing of a time of which points are on their way, and of few windows', () => {
  const { closed } = open();
  closed.keep('q', START, 10_000, START + 300 * SECOND, windows(START, 60));
  expect(closed.known('q', START, NOW)?.to).toBe(START + 300 * SECOND);
  closed.keep('q', START, 10_000, START + 100 * SECOND, windows(START, 60));
  expect(closed.known('q', START, NOW)).toBeNull();
});

it('holds no more than so many values, the newest of them', () => {
  const { closed } = open();
  const start = NOW - 60_000 * 10 * SECOND;
  for (const key of ['a', 'b', 'c', 'd']) closed.keep(key, start, 10_000, NOW, windows(start, 59_000));
  expect(closed.known('a', start, NOW)).toBeNull();
  for (const key of ['b', 'c', 'd']) expect(closed.known(key, start, NOW)).not.toBeNull();
});
