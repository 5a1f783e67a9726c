import { getHeapStatistics, type HeapInfo } from 'node:v8';
import type { Worker } from 'node:worker_threads';
import type { ThreadUsage, ThreadUsages } from './port.ts';

interface Look {
  readonly memoryBytes: number;
  /** Microseconds of the processor since the thread began, at `at` (ms of this process). */
  readonly cpu: number;
  readonly at: number;
  readonly cpuUsage: number | null;
}

interface Watched {
  look: Look | null;
  /** It has not answered yet. One that ended may never answer, and goes with this. */
  isAsked: boolean;
}

/** Threads belong to the process, as its memory does: whoever starts one adds it here. */
const threads = new Map<Worker, Watched>();

export function watchThread(worker: Worker): void {
  threads.set(worker, { look: null, isAsked: false });
  worker.once('exit', () => threads.delete(worker));
}

export function watchThreadUsage(): ThreadUsages {
  let main = looked(null, getHeapStatistics(), process.threadCpuUsage());

  async function ask(worker: Worker, watched: Watched): Promise<void> {
    watched.isAsked = true;
    try {
      const [heap, cpu] = await Promise.all([worker.getHeapStatistics(), worker.cpuUsage()]);
      watched.look = looked(watched.look, heap, cpu);
    } catch {
      // It ended meanwhile.
    } finally {
      watched.isAsked = false;
    }
  }

  return {
    look() {
      main = looked(main, getHeapStatistics(), process.threadCpuUsage());
      for (const [worker, watched] of threads) if (!watched.isAsked) void ask(worker, watched);
    },
    list(): ThreadUsage[] {
      const named = [...threads].flatMap(([worker, { look }]) =>
        look ? [{ name: worker.threadName ?? '', look }] : [],
      );
      const groups = Map.groupBy([{ name: 'main', look: main }, ...named], ({ name }) => name);
      return [...groups].map(([thread, same]) => ({
        thread,
        memoryBytes: same.reduce((sum, { look }) => sum + look.memoryBytes, 0),
        cpuUsage: same.reduce<number | null>(
          (sum, { look }) => (look.cpuUsage === null ? sum : (sum ?? 0) + look.cpuUsage),
          null,
        ),
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
    cpuUsage: before === null ? null : Math.max(0, cpu - before.cpu) / 1000 / Math.max(1, at - before.at),
  };
}
