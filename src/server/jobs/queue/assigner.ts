import type { WorkerPool, PoolWorker, Assigner } from './port.ts';

interface Choice {
  worker: PoolWorker | null;
  /** Tasks that go to it before the workers are compared again. */
  left: number;
}

/**
 * A turn's tasks go to few workers, so that they travel in few frames: the roomiest gets tasks until it has half as much
 * room as the next one, then the workers are compared again.
 */
export function createAssigner(workerPool: WorkerPool): Assigner {
  const choices = new Map<string, Choice>();
  const any: Choice = { worker: null, left: 0 };

  function compare(choice: Choice, handler: string | null): void {
    let best: PoolWorker | null = null;
    let most = 0;
    let second = 0;
    for (const worker of workerPool.workers()) {
      const room = freeSlots(worker);
      if (room <= second || !acceptsHandler(worker, handler)) continue;
      if (room > most) {
        second = most;
        most = room;
        best = worker;
      } else second = room;
    }
    choice.worker = best;
    choice.left = Math.max(1, most - Math.floor(second / 2));
  }

  function choiceFor(handler: string | null): Choice {
    let choice = handler === null ? any : choices.get(handler);
    // `any` is always there: only a handler's choice can be missing.
    if (!choice) choices.set(handler as string, (choice = { worker: null, left: 0 }));
    if (choice.left <= 0 || !choice.worker || freeSlots(choice.worker) === 0) compare(choice, handler);
    return choice;
  }

  return {
    hasRoom: (handler) => choiceFor(handler).worker !== null,
    hasAnyRoom() {
      for (const worker of workerPool.workers()) if (freeSlots(worker) > 0) return true;
      return false;
    },
    assign(handler) {
      const choice = choiceFor(handler);
      choice.left--;
      return choice.worker;
    },
  };
}

/** Whether a worker takes tasks that ask for this handler, or (null) for none. */
export const acceptsHandler = ({ handlers, handlersOnly }: PoolWorker, handler: string | null): boolean =>
  handler === null ? !handlersOnly : handlers.includes(handler);

export const freeSlots = ({ accepting, capacity, load }: PoolWorker): number =>
  accepting && capacity > load ? capacity - load : 0;
