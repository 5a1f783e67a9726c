import { setImmediate as turn } from 'node:timers/promises';

/** Of a thousand alerts at once the event loop would be held for long: it has its turn after so much time, or so many groups, each of which is written to the store. */
const SLICE_MS = 3;
export const SLICE_GROUPS = 25;

/** Between pieces of work: to be waited for, where it is not undefined. So many groups were written to the store in the last piece. */
export type TurnSlices = (groups: number) => Promise<void> | undefined;

/** Gives the event loop its turns. `ms`: after so much work; the first piece begins now. */
export function createTurnSlices(ms = SLICE_MS): TurnSlices {
  let began = performance.now();
  let written = 0;
  async function rest(): Promise<void> {
    await turn();
    began = performance.now();
    written = 0;
  }
  return (groups) => ((written += groups) >= SLICE_GROUPS || performance.now() - began >= ms ? rest() : undefined);
}

/** What a generator returns in the end; it yields where the event loop may have its turn. */
export async function runInSlices<T>(work: Generator<void, T>, slice: TurnSlices = createTurnSlices()): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    const rest = slice(0);
    if (rest) await rest;
  }
}
