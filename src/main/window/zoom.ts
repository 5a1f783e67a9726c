/** As browsers have them: how much larger than it is the page is drawn. */
const STEPS = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3];
const LEAST = 0.5;
const MOST = 3;

export type ZoomStep = 'in' | 'out' | 'reset';

/** The next step from `now`, a factor; at the last one it stays. */
export function nextZoom(now: number, way: ZoomStep): number {
  if (way === 'reset') return 1;
  return (way === 'in' ? STEPS.find((step) => step > now) : STEPS.findLast((step) => step < now)) ?? now;
}

/** A remembered factor; 1 for anything else. */
export const validZoom = (value: unknown): number =>
  typeof value === 'number' && value >= LEAST && value <= MOST ? value : 1;
