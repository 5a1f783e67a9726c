import type { Environment } from '../../../contract/vocabulary.ts';
import type { WorkerPool, PoolWorker, Assigner, TaskNeeds } from './port.ts';

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
  const choices = new Map<Environment | null, Map<string | null, Choice>>();

  function compare(choice: Choice, needs: TaskNeeds): void {
    let best: PoolWorker | null = null;
    let most = 0;
    let second = 0;
    for (const worker of workerPool.workers()) {
      const room = freeSlots(worker);
      if (room <= second || !canRun(worker, needs)) continue;
      if (room > most) {
        second = most;
        most = room;
        best = worker;
      } else second = room;
    }
    choice.worker = best;
    choice.left = Math.max(1, most - Math.floor(second / 2));
  }

  function choiceFor(needs: TaskNeeds): Choice {
    let ofEnvironment = choices.get(needs.environment);
    if (!ofEnvironment) choices.set(needs.environment, (ofEnvironment = new Map()));
    let choice = ofEnvironment.get(needs.handler);
    if (!choice) ofEnvironment.set(needs.handler, (choice = { worker: null, left: 0 }));
    if (choice.left <= 0 || !choice.worker || freeSlots(choice.worker) === 0) compare(choice, needs);
    return choice;
  }

  return {
    hasRoom: (needs) => choiceFor(needs).worker !== null,
    hasAnyRoom() {
      for (const worker of workerPool.workers()) if (freeSlots(worker) > 0) return true;
      return false;
    },
    assign(needs) {
      const choice = choiceFor(needs);
      choice.left--;
      return choice.worker;
    },
  };
}

/** Whether a worker takes tasks that ask for this handler, or (null) for none. */
export const acceptsHandler = ({ handlers, handlersOnly }: PoolWorker, handler: string | null): boolean =>
  handler === null ? !handlersOnly : handlers.includes(handler);

/** Whether its token lets a worker have tasks of jobs of this environment. Those without one (drafts, runs of a commit) may become anything, so that only a worker that serves all gets them. */
export const servesEnvironment = ({ environments }: PoolWorker, environment: Environment | null): boolean =>
  environments === null || (environment !== null && environments.has(environment));

export const canRun = (worker: PoolWorker, { handler, environment }: TaskNeeds): boolean =>
  servesEnvironment(worker, environment) && acceptsHandler(worker, handler);

export const freeSlots = ({ accepting, capacity, load }: PoolWorker): number =>
  accepting && capacity > load ? capacity - load : 0;
