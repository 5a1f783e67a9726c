import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { giveWay } from '../../lib/lower-priority.ts';
import { serveCalls } from '../../lib/thread-calls.ts';
import { copyDatabase } from './copy.ts';

/** A thread that copies the database and checks the copy; the master's own loop goes on meanwhile. */
const { source } = workerData as { source: string };

giveWay();
serveCalls(parentPort as MessagePort, {
  copy: (target: string, createdAt: string) => copyDatabase(source, target, createdAt),
});
