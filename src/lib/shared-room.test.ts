import { afterEach, expect, it, vi } from 'vitest';
import { createSharedRoom } from './shared-room.ts';

afterEach(() => vi.useRealTimers());
const MB = 1_000_000;

it('gives memory again that was given back, and never the same twice at a time', () => {
  const room = createSharedRoom();
  const [one, two] = [room.take(MB), room.take(MB)];
  expect(one.length).toBe(MB);
  expect(two.buffer).not.toBe(one.buffer);
  room.giveBack(one);
  expect(room.take(MB - 5000).buffer).toBe(one.buffer);
  expect(room.take(MB).buffer).not.toBe(one.buffer);
});

it('gives nothing that is too small or far too large', () => {
  const room = createSharedRoom();
  const [small, large] = [room.take(10), room.take(8 * MB)];
  room.giveBack(small);
  room.giveBack(large);
  const middle = room.take(MB);
  expect([small.buffer, large.buffer]).not.toContain(middle.buffer);
});

it('keeps no more than it may, and nothing that is not used for long', () => {
  vi.useFakeTimers();
  const room = createSharedRoom({ keptBytes: 3 * MB, keptMs: 1000 });
  const all = Array.from({ length: 4 }, () => room.take(MB));
  for (const one of all) room.giveBack(one);
  const kept = [room.take(MB), room.take(MB), room.take(MB)].filter((one) =>
    all.some(({ buffer }) => buffer === one.buffer),
  );
  expect(kept).toHaveLength(2);
  for (const one of kept) room.giveBack(one);
  vi.advanceTimersByTime(1001);
  expect(kept.map(({ buffer }) => buffer)).not.toContain(room.take(MB).buffer);
});

it('takes no memory back that is not shared', () => {
  const room = createSharedRoom();
  room.giveBack(new Uint8Array(MB));
  expect(room.take(MB).buffer).toBeInstanceOf(SharedArrayBuffer);
});
