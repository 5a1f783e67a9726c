import { availableParallelism, totalmem } from 'node:os';
import type { WorkerFrame } from '../contract/worker-protocol.ts';

/** Makes heartbeats: the share of all cores that this process used since the one before, and its memory. */
export function createHeartbeat(): (running: number) => Extract<WorkerFrame, { t: 'beat' }> {
  const cores = availableParallelism();
  let used = process.cpuUsage();
  let at = performance.now();
  return (running) => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(used);
    const cpu = now > at ? Math.min(1, (user + system) / 1000 / (now - at) / cores) : 0;
    used = process.cpuUsage();
    at = now;
    return {
      t: 'beat',
      cpu: Math.round(cpu * 10_000) / 10_000,
      memory: process.memoryUsage.rss(),
      memoryTotal: totalmem(),
      running,
    };
  };
}
