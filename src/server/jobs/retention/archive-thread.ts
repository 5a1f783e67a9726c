import { lowerThreadPriority } from '../../../lib/lower-thread-priority.ts';
import { serveThread, threadData } from '../../offload/serve-thread.ts';
import { openForReading } from '../../store/sqlite/handle.ts';
import { appendToArchive } from './archive-file.ts';

/** A thread that writes jobs to archive files: reading, packing and syncing take their time. */
const { file } = threadData<{ file: string }>();
const { read, snapshot, close } = openForReading(file, 4096);

lowerThreadPriority();
const methods = {
  append: (target: string, valid: number, seqs: readonly number[]) =>
    snapshot(() => appendToArchive(read, target, valid, seqs)),
  close,
};
export type ArchiveMethods = typeof methods;
serveThread(methods);
