import type { Window } from './Strips.tsx';

/** A stretch is never shorter than this. */
const LEAST_MS = 1;

/** The stretch that is seen after a step nearer (`factor` over 1) or away, around its middle; null: the whole. */
export function zoomed({ from, to }: Window, whole: Window, factor: number): Window | null {
  const length = Math.max(LEAST_MS, (to - from) / factor);
  if (length >= whole.to - whole.from) return null;
  return within((from + to) / 2 - length / 2, length, whole);
}

/** The stretch after a step along the time: `share` of its own length, earlier where it is negative. */
export function moved({ from, to }: Window, whole: Window, share: number): Window | null {
  const length = to - from;
  if (length >= whole.to - whole.from) return null;
  return within(from + length * share, length, whole);
}

function within(start: number, length: number, whole: Window): Window {
  const from = Math.max(whole.from, Math.min(start, whole.to - length));
  return { from: Math.floor(from), to: Math.ceil(from + length) };
}
