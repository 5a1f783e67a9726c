import { lowerThreadPriority } from '../../lib/lower-thread-priority.ts';
import { serveThread, threadData } from '../offload/serve-thread.ts';
import { copyDatabase } from './copy-database.ts';

/** A thread that copies the database and checks the copy; the master's own loop goes on meanwhile. */
const { source } = threadData<{ source: string }>();

lowerThreadPriority();
const methods = {
  copy: (target: string, createdAt: string) => copyDatabase(source, target, createdAt),
};
export type BackupMethods = typeof methods;
serveThread(methods);
