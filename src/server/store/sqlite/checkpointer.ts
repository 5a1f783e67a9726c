import { statSync } from 'node:fs';
import { every } from '../../../lib/clock.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { createThread } from '../../offload/thread.ts';
import type { CheckpointMethods } from './checkpoint-thread.ts';

const LOOK_MS = 250;
const PAGE_BYTES = 4096;
/** After a reader was in the way (a backup, a search), the log may grow for this long before it is tried again. */
const PATIENT_MS = 2000;
/** Share of the longest log at which the thread is started. */
const START_SHARE = 1 / 16;

export interface CheckpointerHost {
  file: string;
  /** Pages of 4 KiB in the log above which it is started anew. */
  logPages: number;
  /** Turns SQLite's own checkpoints on, which run inside a commit, and are noted by nobody. */
  automatic(): void;
  /** Runs `step` while no transaction is under way; writes wait in their queue meanwhile. */
  hold(step: () => Promise<void>): Promise<void>;
}

/** Holds pages from one on against their sums; those that have none get one. */
export type CheckPages = (
  from: number,
  count: number,
) => Promise<{ damaged: number[]; next: number | null; bytes: number }>;

/**
 * Takes checkpoints in a thread: inside a commit one would stop the event loop for as long as the disk takes to sync,
 * tens of milliseconds. A passive one disturbs nobody but never catches up with a busy writer, so a long log is copied
 * twice and noted while writes go on, and its small rest while they wait. Should the thread end, SQLite's own take over.
 */
export function startCheckpointer(host: CheckpointerHost): { check: CheckPages; close(): Promise<void> } {
  let ended = false;
  let patientUntil = 0;
  const thread = createThread<CheckpointMethods>({
    file: threadFile(import.meta.url, './checkpoint-thread.ts', 'checkpoint-thread.js'),
    name: 'the checkpoint thread',
    data: () => ({ file: host.file }),
    onExit(why) {
      if (why === null) return;
      ended = true;
      host.automatic();
    },
  });

  async function look() {
    // A store with little to write needs no thread.
    if (ended || (!thread.running && logBytes(host.file) < host.logPages * PAGE_BYTES * START_SHARE)) return;
    const { log, done } = await thread.call('passive');
    if (log < host.logPages || performance.now() < patientUntil) return;
    if (done < log) await thread.call('passive');
    await thread.call('note');
    let busy = false;
    await host.hold(async () => {
      ({ busy } = await thread.call('restart'));
    });
    if (busy) patientUntil = performance.now() + PATIENT_MS;
  }

  // Failing is no harm: the log grows until the next look, and the writer reports what is wrong with the disk.
  const stop = every(LOOK_MS, look, () => {});
  return {
    check: async (from, count) => (ended ? { damaged: [], next: null, bytes: 0 } : thread.call('check', from, count)),
    async close() {
      await stop();
      if (thread.running) await thread.call('close').catch(() => {});
      await thread.close();
    },
  };
}

function logBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
