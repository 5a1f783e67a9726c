import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** What a master is started with so that it tells how long its event loop was held; it writes into `folder`. */
export function loopProbe(folder: string): {
  nodeArguments: readonly string[];
  /** The longest time since the last call, by the clock and by the processor time of its thread. */
  longest(pid: number): Promise<{ wallMs: number; cpuMs: number }>;
} {
  const file = join(folder, 'longest.json');
  process.env['YARDMASTER_BENCH_LOOP'] = file;
  return {
    nodeArguments: ['--import', fileURLToPath(new URL('loop-probe.mjs', import.meta.url))],
    async longest(pid) {
      rmSync(file, { force: true });
      process.kill(pid, 'SIGUSR2');
      for (;;) {
        await sleep(1);
        try {
          return JSON.parse(readFileSync(file, 'utf8')) as { wallMs: number; cpuMs: number };
        } catch {
          // Not written yet.
        }
      }
    },
  };
}
