import type { Arrivals, Block } from '../store/port.ts';
import type { Mask } from './mask.ts';

/** False: a block with lines of these numbers, the newest of the time `t1`, has none that is new. */
export const mayHaveNew = (
  { s0, s1, t1 }: { s0: number; s1: number; t1: number },
  { upTo, shown }: Arrivals,
): boolean => s0 <= upTo && !shown.some((look) => s1 <= look.upTo && t1 < look.before);

/** Which rows of a block are new. */
export function newRows({ rows, ms, arrivals }: Block, { upTo, shown }: Arrivals): Mask {
  if (arrivals === undefined) throw new Error('the lines of this block have no numbers');
  const mask = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) {
    const arrival = arrivals[row] as number;
    const at = ms[row] as number;
    let fresh = arrival <= upTo;
    for (let i = 0; fresh && i < shown.length; i++) {
      const look = shown[i] as Arrivals['shown'][number];
      fresh = arrival > look.upTo || at >= look.before;
    }
    if (fresh) mask[row] = 1;
  }
  return mask;
}
