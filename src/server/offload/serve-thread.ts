import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { collectBetweenCalls } from './collect-garbage.ts';
import { ownBuffer } from '../../lib/own-buffer.ts';
import { serializeFault, type Call, type Methods } from './messages.ts';

/** What `createThread` gave this thread. */
export const threadData = <Data>(): Data => workerData;

function port(): MessagePort {
  if (parentPort === null) throw new Error('this module is the entry of a thread');
  return parentPort;
}

/** Tells whoever started the thread of something that it did not ask for. */
export const notifyParent = <Event>(event: Event): void => port().postMessage({ event });

/**
 * The thread's end of `createThread`: answers calls with the methods of that name, in the order in which they come. Bytes
 * that are a result are handed over, not copied; `buffersIn` finds those within one.
 */
export function serveThread(methods: Methods, buffersIn: (result: unknown) => ArrayBuffer[] = ownBuffer): void {
  const garbage = collectBetweenCalls();
  port().on('message', async ({ id, method, args }: Call<never>) => {
    garbage.begin();
    try {
      const returned = methods[method]?.(...args);
      const result = returned instanceof Promise ? await returned : returned;
      port().postMessage({ id, result }, buffersIn(result));
    } catch (error) {
      port().postMessage({ id, failure: serializeFault(error) });
    } finally {
      garbage.end();
    }
  });
}
