import { createRemoteHttp } from '../../../lib/remote-http.ts';
import { lowerThreadPriority } from '../../../lib/lower-thread-priority.ts';
import { notifyParent, serveThread, threadData } from '../../offload/serve-thread.ts';
import type { RemoteWriteEvent, RemoteWriteThreadData } from './port.ts';
import { openRemoteWriter } from './writer.ts';

const data = threadData<RemoteWriteThreadData>();
lowerThreadPriority();
serveThread(
  openRemoteWriter({
    ...data,
    http: createRemoteHttp(data.target, 1),
    address: data.target.url,
    now: Date.now,
    random: Math.random,
    onChange: (stats) => notifyParent<RemoteWriteEvent>({ stats }),
    log: (line) => notifyParent<RemoteWriteEvent>({ line }),
  }),
);
