import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { Limits } from '../../../contract/limits.ts';
import { serveCalls } from '../../../lib/thread-calls.ts';
import { openForReading } from '../../store/sqlite/handle.ts';
import { createLongReads } from './long-reads.ts';

/** The thread that reads lists, searches and failure groups, so that the event loop does not. */
export interface ReadThreadData {
  file: string;
  searchFile: string;
  limits: Limits;
}

const { file, searchFile, limits } = workerData as ReadThreadData;
const reads = createLongReads({ handle: openForReading(file), searchFile, limits });
serveCalls(parentPort as MessagePort, reads as unknown as Parameters<typeof serveCalls>[1]);
