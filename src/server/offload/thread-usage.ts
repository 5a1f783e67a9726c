import { getHeapStatistics, type HeapInfo } from 'node:v8';
import type { Worker } from 'node:worker_threads';
import type { ThreadUsage, ThreadUsages } from './port.ts';

interface Look {
  readonly memoryBytes: number;
  /** Microseconds of the processor since the thread began, at `at` (ms of this process). */
  readonly cpu: number;
  readonly at: number;
  readonly cpuUsage: number;
}

/** Threads belong to the process, as its memory does: whoever starts one adds it here. */
const threads = new Map<Worker, Look | null>();

export function watchThread(worker: Worker): void {
  threads.set(worker, null);
  worker.once('exit', () => threads.delete(worker));
}

export function watchThreadUsage(): ThreadUsages {
  const asked = new Set<Worker>();
  let main = looked(null, getHeapStatistics(), process.threadCpuUsage());

  async function ask(worker: Worker): Promise<void> {
    asked.add(worker);
    try {
      const [heap, cpu] = await Promise.all([worker.getHeapStatistics(), worker.cpuUsage()]);
      if (threads.has(worker)) threads.set(worker, looked(threads.get(worker) ?? null, heap, cpu));
    } catch {
      // It ended meanwhile.
    } finally {
      asked.delete(worker);
    }
  }

  return {
    look() {
      main = looked(main, getHeapStatistics(), process.threadCpuUsage());
      for (const worker of threads.keys()) if (!asked.has(worker)) void ask(worker);
    },
    list(): ThreadUsage[] {
      const named = [...threads].flatMap(([worker, look]) => (look ? [{ name: worker.threadName ?? '', look }] : []));
      const groups = Map.groupBy([{ name: 'main', look: main }, ...named], ({ name }) => name);
      return [...groups].map(([thread, same]) => ({
        thread,
        memoryBytes: same.reduce((sum, { look }) => sum + look.memoryBytes, 0),
        cpuUsage: same.reduce((sum, { look }) => sum + look.cpuUsage, 0),
      }));
    },
  };
}

function looked(before: Look | null, heap: HeapInfo, { user, system }: NodeJS.CpuUsage): Look {
  const at = performance.now();
  const cpu = user + system;
  return {
    memoryBytes: heap.total_physical_size + heap.external_memory,
    cpu,
    at,
    cpuUsage: before === null ? 0 : Math.max(0, cpu - before.cpu) / 1000 / Math.max(1, at - before.at),
  };
}
