import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { Limits } from '../../../../contract/limits.ts';
import { giveWay } from '../../../../lib/lower-priority.ts';
import { serveCalls } from '../../../../lib/thread-calls.ts';
import { openForReading } from '../../../store/sqlite/handle.ts';
import { createLongReads } from './long-reads.ts';

/** A thread that reads lists and searches, or what takes longer than those, so that the event loop does not. */
export interface ReadThreadData {
  file: string;
  searchFile: string;
  limits: Limits;
  /** Others come first where processors are scarce. */
  givesWay: boolean;
}

const { file, searchFile, limits, givesWay } = workerData as ReadThreadData;
if (givesWay) giveWay();
const reads = createLongReads({ handle: openForReading(file), searchFile, limits });
serveCalls(parentPort as MessagePort, reads as unknown as Parameters<typeof serveCalls>[1]);
