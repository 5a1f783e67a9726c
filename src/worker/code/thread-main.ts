import { parentPort } from 'node:worker_threads';
import type { BoxAnswer, BoxJob } from '../isolation/protocol.ts';
import { failureOf } from '../task-error.ts';
import { createSandbox } from './sandbox.ts';

/** A thread of the worker for code nodes: one job at a time, each answered once. Ended from outside where a job does not end. */

const sandbox = createSandbox();
const answer = (message: BoxAnswer) => parentPort?.postMessage(message);

parentPort?.on('message', async (job: Extract<BoxJob, { kind: 'code' }>) => {
  try {
    answer({ t: 'done', text: await sandbox.run(job, (line) => answer({ t: 'log', line })) });
  } catch (error) {
    answer({ t: 'fail', error: failureOf(error) });
  }
});

answer({ t: 'ready' });
