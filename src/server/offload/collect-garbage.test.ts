import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { collectBetweenCalls, type GarbageCollection } from './collect-garbage.ts';

const MIB = 1024 * 1024;
let held: number;
let lives: number;
let collectMs: number;
let collections: number;
let able: boolean;
let worked: number;
let garbage: GarbageCollection;

beforeEach(() => {
  vi.useFakeTimers();
  held = lives = 8 * MIB;
  collectMs = 10;
  collections = 0;
  able = true;
  worked = 0;
  garbage = collectBetweenCalls({
    held: () => held,
    worked: () => worked,
    collect() {
      if (!able) return false;
      collections++;
      held = lives;
      vi.setSystemTime(Date.now() + collectMs);
      vi.advanceTimersByTime(collectMs);
      return true;
    },
  });
});
afterEach(() => void vi.useRealTimers());

function call(bytes: number): void {
  garbage.begin();
  held += bytes;
  garbage.end();
}

it('collects once a thread has grown by some megabytes, soon after the call', () => {
  call(2 * MIB);
  vi.advanceTimersByTime(200);
  expect(collections).toBe(0);
  call(2 * MIB);
  vi.advanceTimersByTime(200);
  expect(collections).toBe(1);
  expect(held).toBe(8 * MIB);
});

it('leaves a thread that hardly rests to V8, until it has grown by a lot', () => {
  vi.advanceTimersByTime(10_000);
  collections = 0;
  const busy = () => {
    worked += 180;
    call(6 * MIB);
    vi.advanceTimersByTime(200);
  };
  for (let i = 0; i < 5; i++) busy();
  expect(collections).toBe(0);
  busy();
  expect(collections).toBe(1);
  vi.advanceTimersByTime(60_000);
  call(6 * MIB);
  vi.advanceTimersByTime(200);
  expect(collections).toBe(2);
});

it('gives back what the start of the thread left, once it rests', () => {
  held = 8 * MIB;
  lives = 5 * MIB;
  vi.advanceTimersByTime(1900);
  expect(collections).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(collections).toBe(1);
});

it('gives it back also beside a call that does not end', () => {
  lives = 5 * MIB;
  garbage.begin();
  vi.advanceTimersByTime(60_000);
  expect(collections).toBe(1);
});

it('tries it again where it could not', () => {
  lives = 5 * MIB;
  able = false;
  vi.advanceTimersByTime(4000);
  able = true;
  vi.advanceTimersByTime(60_000);
  expect(collections).toBe(1);
});

it('looks after a thread that works by itself and is asked nothing', () => {
  vi.advanceTimersByTime(10_000);
  collections = 0;
  held += 4 * MIB;
  vi.advanceTimersByTime(5000);
  expect(collections).toBe(1);
});

it('lets a large thread grow by a share of what lives', () => {
  held = lives = 100 * MIB;
  call(4 * MIB);
  vi.advanceTimersByTime(2000);
  collections = 0;
  call(20 * MIB);
  vi.advanceTimersByTime(200);
  expect(collections).toBe(0);
  call(20 * MIB);
  vi.advanceTimersByTime(200);
  expect(collections).toBe(1);
});

it('collects nothing while a call is under way', () => {
  vi.advanceTimersByTime(2000);
  collections = 0;
  garbage.begin();
  call(50 * MIB);
  vi.advanceTimersByTime(10_000);
  expect(collections).toBe(0);
  garbage.end();
  vi.advanceTimersByTime(200);
  expect(collections).toBe(1);
});

it('spends no more than a part of the time on it', () => {
  collectMs = 500;
  for (let i = 0; i < 200; i++) {
    call(50 * MIB);
    vi.advanceTimersByTime(100);
  }
  // 20 seconds.
  expect(collections).toBeGreaterThan(0);
  expect(collections).toBeLessThanOrEqual(3);
});

it('gives back less, too, once nothing is asked any more, and leaves it at that', () => {
  call(2 * MIB);
  vi.advanceTimersByTime(60_000);
  expect(collections).toBe(1);
  call(1000);
  vi.advanceTimersByTime(60_000);
  expect(collections).toBe(1);
});

it('gives back what lived when it last collected and does no more, however often it is asked', () => {
  lives = 300 * MIB;
  call(292 * MIB);
  vi.advanceTimersByTime(200);
  expect(collections).toBe(1);
  lives = 8 * MIB;
  // Followers are looked after all the time.
  for (let i = 0; i < 60; i++) {
    call(1000);
    vi.advanceTimersByTime(100);
  }
  expect(held).toBeLessThan(9 * MIB);
});

it('takes a collection of V8 for one of its own', () => {
  held = 20 * MIB;
  call(0);
  vi.advanceTimersByTime(200);
  held = 8 * MIB;
  call(0);
  vi.advanceTimersByTime(200);
  call(4 * MIB);
  vi.advanceTimersByTime(200);
  expect(held).toBe(8 * MIB);
});
