import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Durability } from '../../contract/process.ts';

/** Above this a call that waits for its answer would notice the sync. */
const QUICK_MS = 4;
const SAMPLES = 7;
/** A slow disk is known after few samples: the start does not wait for the rest. */
const BUDGET_MS = 40;
const PAGE = Buffer.alloc(4096, 1);

/**
 * The durability that was asked for; where none was, `full` if the disk of the data folder syncs quickly (median of a few
 * appends of a page), else `normal`. A disk that cannot be written to is `normal` here: the store says what is wrong with it.
 */
export function chooseDurability(asked: Durability['level'] | null, folder: string): Durability {
  if (asked !== null) return { level: asked, syncMs: null };
  const syncMs = medianSyncMs(join(folder, 'sync-test.tmp'));
  return { level: syncMs !== null && syncMs <= QUICK_MS ? 'full' : 'normal', syncMs };
}

/** Median in milliseconds; null where the file cannot be written. */
function medianSyncMs(file: string): number | null {
  const times: number[] = [];
  let fd: number | null = null;
  try {
    fd = openSync(file, 'w', 0o600);
    const began = performance.now();
    while (times.length < SAMPLES && performance.now() - began < BUDGET_MS) {
      writeSync(fd, PAGE);
      const from = performance.now();
      fdatasyncSync(fd);
      times.push(performance.now() - from);
    }
  } catch {
    return null;
  } finally {
    if (fd !== null) closeSync(fd);
    rmSync(file, { force: true });
  }
  return times.sort((a, b) => a - b)[times.length >> 1] ?? null;
}
