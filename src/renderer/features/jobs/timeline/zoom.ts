import type { TimelineWindow } from './TimelineOverlays.tsx';

/** A stretch is never shorter than this. */
const MIN_MS = 1;

/** The stretch that is seen after a step nearer (`factor` over 1) or away, around its middle; null: the whole. */
export function zoomRange({ from, to }: TimelineWindow, whole: TimelineWindow, factor: number): TimelineWindow | null {
  const length = Math.max(MIN_MS, (to - from) / factor);
  if (length >= whole.to - whole.from) return null;
  return within((from + to) / 2 - length / 2, length, whole);
}

/** The stretch after a step along the time: `share` of its own length, earlier where it is negative. */
export function panRange({ from, to }: TimelineWindow, whole: TimelineWindow, share: number): TimelineWindow | null {
  const length = to - from;
  if (length >= whole.to - whole.from) return null;
  return within(from + length * share, length, whole);
}

function within(start: number, length: number, whole: TimelineWindow): TimelineWindow {
  const from = Math.max(whole.from, Math.min(start, whole.to - length));
  return { from: Math.floor(from), to: Math.ceil(from + length) };
}
