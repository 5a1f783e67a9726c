import { Refusal } from './answer.ts';

/** What a body becomes is too long. */
export class TooLong extends Refusal {
  constructor(most: number) {
    super(
      413,
      `the request becomes more than ${most} characters of lines (limit logInsertBytes), because each line repeats the labels or attributes that all have in common: send fewer lines at once, or shorter attributes`,
    );
  }
}

/**
 * Counts what a body becomes: each line repeats what lines have in common, so that a few bytes more in the body are
 * megabytes more of lines. The function is told of characters before or right after they are made, and throws `TooLong`.
 */
export function createGrowth(most: number): (characters: number) => void {
  let made = 0;
  return (characters) => {
    made += characters;
    if (made > most) throw new TooLong(most);
  };
}

/** What a line gets at least where it gets anything: so many lines are counted in some 20 ms. */
const LEAST = 64;
const LINE_FEED = 10;

/** Throws `TooLong` where all lines together would get more than `most` characters of these fields, which each of them repeats. */
export function refuseRepeated(ndjson: Uint8Array, fields: Readonly<Record<string, string>>, most: number): void {
  const characters = Object.entries(fields).reduce((sum, [name, value]) => sum + name.length + value.length + 6, 0);
  if (characters === 0) return;
  const grow = createGrowth(most);
  for (let at = 0; at >= 0 && at < ndjson.length; at = ndjson.indexOf(LINE_FEED, at) + 1 || -1)
    grow(Math.max(LEAST, characters));
}
