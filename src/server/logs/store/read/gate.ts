import { Fault } from '../../../../lib/fault.ts';
import { createGate as createAnyGate } from '../../../../lib/gate.ts';

/** Lets so many log queries in at once; the others wait in line. */
export interface Gate {
  /** Resolves to what gives the place back. Rejects with OVERLOADED where too many wait, or for too long. */
  enter(signal: AbortSignal | null): Promise<() => void>;
}

export function createGate({ most, waiting, waitMs }: { most: number; waiting: number; waitMs: number }): Gate {
  const overloaded = (what: string) => new Fault('OVERLOADED', `${most} log queries ${what}: try again in a moment`);
  const enter = createAnyGate({
    most: () => most,
    waiting,
    waitMs,
    refuse: (why) =>
      why === 'gone'
        ? new Fault('QUERY_CANCELLED', 'the query was cancelled')
        : overloaded(why === 'full' ? `run and ${waiting} wait already` : `have been running for ${waitMs / 1000} s`),
  });
  return { enter };
}
