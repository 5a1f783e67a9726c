import { setImmediate as turn } from 'node:timers/promises';

/** Of a thousand alerts at once the event loop would be held for long: it has its turn after so much time, or so many groups, each of which is written to the store. */
const SLICE_MS = 3;
export const GROUPS_PER_SLICE = 25;

/** Between pieces of work: to be waited for, where it is not undefined. So many groups were written to the store in the last piece. */
export type EventLoopYield = (groups: number) => Promise<void> | undefined;

/** Gives the event loop its turns. `ms`: after so much work; the first piece begins now. */
export function createEventLoopYield(ms = SLICE_MS): EventLoopYield {
  let began = performance.now();
  let written = 0;
  async function rest(): Promise<void> {
    await turn();
    began = performance.now();
    written = 0;
  }
  return (groups) => ((written += groups) >= GROUPS_PER_SLICE || performance.now() - began >= ms ? rest() : undefined);
}

/** What a generator returns in the end; it yields where the event loop may have its turn. */
export async function runYielding<T>(
  work: Generator<void, T>,
  slice: EventLoopYield = createEventLoopYield(),
): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    const rest = slice(0);
    if (rest) await rest;
  }
}
