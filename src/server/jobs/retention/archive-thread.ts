import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { giveWay } from '../../../lib/lower-priority.ts';
import { serveCalls } from '../../../lib/thread-calls.ts';
import { openForReading } from '../../store/sqlite/handle.ts';
import { appendToArchive } from './archive-file.ts';

/** A thread that writes jobs to archive files: reading, packing and syncing take their time. */
const { file } = workerData as { file: string };
const { read, snapshot, close } = openForReading(file, 4096);

giveWay();
serveCalls(parentPort as MessagePort, {
  append: (target: string, valid: number, seqs: number[]) => snapshot(() => appendToArchive(read, target, valid, seqs)),
  close,
});
