import { errorMessage } from '../../../lib/errors.ts';
import { lowerThreadPriority } from '../../../lib/lower-thread-priority.ts';
import { notifyParent, serveThread, threadData } from '../../offload/serve-thread.ts';
import type { ShapeBatch } from '../collector/port.ts';
import type { WriterEvent, WriterMethods, WriterOptions } from './write/port.ts';

/** A thread of the metric store: `write` takes points, `read` answers queries. */
export type MetricThreadData =
  | ({
      readonly role: 'write';
      /** How often the writer looks for what there is to do. */ readonly tendMs?: number;
    } & Omit<WriterOptions, 'now' | 'report' | 'removed' | 'warn'>)
  | { readonly role: 'read'; readonly folder: string };

const TEND_MS = 1000;

const data = threadData<MetricThreadData>();
// Each role loads its own code alone. What is asked meanwhile waits in the port.
if (data.role === 'read') {
  const { openQueries } = await import('./read/serve.ts');
  serveThread(openQueries(data.folder));
} else {
  const { openWriter } = await import('./write/writer.ts');
  lowerThreadPriority();
  const { tendMs = TEND_MS } = data;
  const writer = openWriter({
    ...data,
    now: Date.now,
    report: (damage) => notifyParent<WriterEvent>({ damage }),
    removed: (file) => notifyParent<WriterEvent>({ removed: file }),
    warn: (what) => notifyParent<WriterEvent>({ failed: what }),
  });
  let timer: NodeJS.Timeout;
  const tend = (): void => {
    let more = false;
    try {
      more = writer.tend();
    } catch (error) {
      notifyParent<WriterEvent>({ failed: errorMessage(error) });
    }
    // Writes that came meanwhile go first.
    timer = setTimeout(tend, more ? 1 : tendMs).unref();
  };
  const methods: WriterMethods = {
    write: writer.write,
    configure: writer.configure,
    record(batches: readonly ShapeBatch[]) {
      writer.record(batches);
      return writer.stats();
    },
    delete: writer.delete,
    buckets: writer.buckets,
    createBucket: writer.createBucket,
    updateBucket: writer.updateBucket,
    deleteBucket: writer.deleteBucket,
    seal: writer.seal,
    stats: writer.stats,
    settle() {
      while (writer.tend(true));
    },
    close() {
      // The thread lives on until the master ends it: what is closed is not to be tended.
      clearTimeout(timer);
      writer.close();
    },
  };
  serveThread(methods);
  timer = setTimeout(tend, tendMs).unref();
}
