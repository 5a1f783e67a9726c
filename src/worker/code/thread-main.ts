import { parentPort } from 'node:worker_threads';
import type { IsolateMessage, IsolateJob } from '../isolation/protocol.ts';
import { toReportedFailure } from '../task-execution-error.ts';
import { createSandbox } from './sandbox.ts';

/** A thread of the worker for code nodes: one job at a time, each answered once. Ended from outside where a job does not end. */

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
