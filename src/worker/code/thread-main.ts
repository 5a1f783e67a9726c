import { parentPort, workerData } from 'node:worker_threads';
import type { IsolateMessage, IsolateJob } from '../isolation/protocol.ts';
import { toReportedFailure } from '../task-execution-error.ts';
import { createSandbox } from './sandbox.ts';

/** A thread of the worker for code nodes: one job at a time, each answered once. Ended from outside where a job does not end. */

/** What the thread is told at its start. */
export interface CodeThreadData {
  /** Of the code that is expected. */
  readonly memoryBytes: number;
}

const sandbox = createSandbox();
const answer = (message: IsolateMessage) => parentPort?.postMessage(message);

parentPort?.on('message', async (job: Extract<IsolateJob, { kind: 'code' }>) => {
  try {
    answer({ t: 'done', text: await sandbox.run(job, (line) => answer({ t: 'log', line })) });
  } catch (error) {
    answer({ t: 'fail', error: toReportedFailure(error) });
  }
});

answer({ t: 'ready' });
// What keeps it from running is told to the first job.
sandbox.warm((workerData as CodeThreadData).memoryBytes).catch(() => {});
