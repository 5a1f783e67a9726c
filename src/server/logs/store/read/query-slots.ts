import { Fault } from '../../../../lib/fault.ts';
import { createSemaphore, type Semaphore } from '../../../../lib/semaphore.ts';

/** Lets so many log queries run at once. Refuses with OVERLOADED where too many wait, or for too long. */
export function createQuerySlots({
  most,
  waiting,
  waitMs,
}: {
  most: number;
  waiting: number;
  waitMs: number;
}): Semaphore {
  const overloaded = (what: string) => new Fault('OVERLOADED', `${most} log queries ${what}: try again in a moment`);
  return createSemaphore({
    most: () => most,
    waiting,
    waitMs,
    refuse: (why) =>
      why === 'gone'
        ? new Fault('QUERY_CANCELLED', 'the query was cancelled')
        : overloaded(
            why === 'full' ? `are running and ${waiting} are waiting` : `have been running for ${waitMs / 1000} s`,
          ),
  });
}
