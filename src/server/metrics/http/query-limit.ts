import { createGate } from '../../../lib/gate.ts';
import { Refusal } from './answer.ts';

/** How long a query waits for its turn, and how many may. */
const WAIT_MS = 10_000;
const WAITING = 256;

/** Lets `most()` queries run at once; others wait in line. */
export const createTurns = (most: () => number): ((signal: AbortSignal) => Promise<() => void>) =>
  createGate({
    most,
    waiting: WAITING,
    waitMs: WAIT_MS,
    refuse: (_, running) => new Refusal(429, 'too many requests', `${running} queries run already: try again later`, 5),
  });
