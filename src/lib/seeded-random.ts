import { itemAt } from './item-at.ts';

/** Random choices that a seed repeats (mulberry32). */
export interface SeededRandom {
  /** Between 0 and 1. */
  (): number;
  below(count: number): number;
  pick<T>(from: readonly T[]): T;
  /** True in so many of a hundred cases. */
  percent(of: number): boolean;
}

export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return Object.assign(next, {
    below,
    pick: <T>(from: readonly T[]): T => itemAt(from, below(from.length)),
    percent: (of: number) => next() * 100 < of,
  });
}
