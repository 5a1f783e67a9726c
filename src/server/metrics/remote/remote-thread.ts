import { createRemoteHttp } from '../../../lib/remote-http.ts';
import { lowerThreadPriority } from '../../../lib/lower-thread-priority.ts';
import { notifyParent, serveThread, threadData } from '../../offload/serve-thread.ts';
import type { RemoteThreadData, RemoteWriterEvent } from './port.ts';

/** A thread of the remote metric store: `write` queues points on disk and delivers them, `read` asks queries. */
const data = threadData<RemoteThreadData>();
if (data.role === 'read') {
  const { openRemoteQueries } = await import('./query-jobs.ts');
  serveThread(openRemoteQueries(data));
} else {
  const { openRemoteWriter } = await import('./writer.ts');
  lowerThreadPriority();
  serveThread(
    openRemoteWriter({
      ...data,
      // A connection each for the two buckets.
      http: () => createRemoteHttp(data.target, 1),
      now: Date.now,
      random: Math.random,
      onChange: (stats) => notifyParent<RemoteWriterEvent>({ stats }),
      log: (line) => notifyParent<RemoteWriterEvent>({ line }),
    }),
  );
}
