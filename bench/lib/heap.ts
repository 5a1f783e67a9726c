import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** What a master is started with so that it tells how much of its heap is in use; it writes into `file`. */
export const heapProbe = (file: string) => ({
  nodeArguments: ['--expose-gc', '--import', fileURLToPath(new URL('heap-probe.mjs', import.meta.url))],
  environment: { YARDMASTER_BENCH_HEAP: file },
  /** Bytes, without what nobody holds any more. */
  async used(pid: number): Promise<number> {
    rmSync(file, { force: true });
    process.kill(pid, 'SIGUSR2');
    for (;;) {
      await sleep(10);
      try {
        const bytes = Number(readFileSync(file, 'utf8'));
        if (bytes > 0) return bytes;
      } catch {
        // Not written yet.
      }
    }
  },
});
