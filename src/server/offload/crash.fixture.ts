import type * as WorkerThreads from 'node:worker_threads';

let last: WorkerThreads.Worker | null = null;
const started = (worker: WorkerThreads.Worker) => void (last = worker);
/** Ends the thread that was started last, as if it had ended by itself. */
export const crashThread = async (): Promise<void> => void (await last?.terminate());

/** In the place of `node:worker_threads`: threads that `crashThread` ends. */
export async function crashingThreads(original: () => Promise<typeof WorkerThreads>): Promise<typeof WorkerThreads> {
  const real = await original();
  class Worker extends real.Worker {
    constructor(...args: ConstructorParameters<typeof real.Worker>) {
      super(...args);
      started(this);
    }
  }
  return { ...real, Worker };
}
