import { Worker } from 'node:worker_threads';
import { threadFile } from '../../lib/thread-file.ts';
import type { IsolateMessage } from '../isolation/protocol.ts';
import type { Isolate, IsolateEvents } from '../isolation/pool.ts';
import type { CodeThreadData } from './thread-main.ts';

/** Memory of a thread outside of its sandbox, which has a bound of its own (texts on their way in and out). */
const HEAP_MB = 256;

/** A thread for code nodes. Their sandbox bounds what they use, `memoryBytes` each as a rule, so a thread is wall enough. */
export function openCodeThread(events: IsolateEvents, memoryBytes: number): Isolate {
  const worker = new Worker(threadFile(import.meta.url, './thread-main.ts', 'worker-thread.js'), {
    workerData: { memoryBytes } satisfies CodeThreadData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    stdout: false,
  });
  let ended = false;
  const end = (why: string) => {
    if (ended) return;
    ended = true;
    events.ended(why, false);
  };
  worker.on('message', (answer: IsolateMessage) => events.message(answer));
  worker.on('error', (error: NodeJS.ErrnoException) =>
    end(
      `ended with an error: ${error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? `it needed more than ${HEAP_MB} MiB of memory` : error.message}`,
    ),
  );
  worker.on('exit', () => end('ended with an error: its thread exited'));
  return {
    post: (job) => worker.postMessage(job),
    async end() {
      ended = true;
      await worker.terminate();
    },
    hold: (on) => (on ? worker.ref() : worker.unref()),
  };
}
