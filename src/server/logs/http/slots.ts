import { createGate } from '../../../lib/gate.ts';
import { Refusal } from './answer.ts';

/** How long a query waits for its turn. */
const WAIT_MS = 10_000;
const WAITING = 1000;

/** Lets so many run at once; others wait in line, for 10 s at most. */
export const createSlots = (most: number): { take(signal: AbortSignal): Promise<() => void> } => ({
  take: createGate({
    most: () => most,
    waiting: WAITING,
    waitMs: WAIT_MS,
    refuse: () =>
      new Refusal(
        503,
        `couldn't start executing the request in ${WAIT_MS / 1000} seconds, since ${most} concurrent requests are executed: try again later`,
        10,
      ),
  }),
});
