import { statSync } from 'node:fs';
import { every } from '../../../lib/clock.ts';
import { startThread, type ThreadCalls } from '../../../lib/thread-calls.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import type { CheckpointState } from './checkpoint-thread.ts';

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
  /** Turns SQLite's own checkpoints, which run inside a commit, off or on. */
  automatic(on: boolean): void;
  /** Runs `step` while no transaction is under way; writes wait in their queue meanwhile. */
  hold(step: () => Promise<void>): Promise<void>;
}

/**
 * Takes checkpoints in a thread: inside a commit one would stop the event loop for as long as the disk takes to sync,
 * tens of milliseconds. A passive one disturbs nobody but never catches up with a busy writer, so a long log is copied
 * twice while writes go on, and its small rest while they wait. Should the thread end, SQLite's own take over.
 */
export function startCheckpointer(host: CheckpointerHost): { close(): Promise<void> } {
  let thread: ThreadCalls | null = null;
  let ended = false;
  let patientUntil = 0;

  /** A store with little to write needs no thread. */
  function start(): ThreadCalls | null {
    if (thread || ended || logBytes(host.file) < host.logPages * PAGE_BYTES * START_SHARE) return thread;
    const onEnd = () => {
      ended = true;
      thread = null;
      host.automatic(true);
    };
    thread = startThread(
      threadFile(import.meta.url, './checkpoint-thread.ts', 'checkpoint-thread.js'),
      { file: host.file },
      () => {},
      onEnd,
    );
    host.automatic(false);
    return thread;
  }

  async function look() {
    const calls = start();
    if (!calls) return;
    const { log, done } = await calls.call<CheckpointState>('passive');
    if (log < host.logPages || performance.now() < patientUntil) return;
    if (done < log) await calls.call('passive');
    let busy = false;
    await host.hold(async () => {
      ({ busy } = await calls.call<CheckpointState>('restart'));
    });
    if (busy) patientUntil = performance.now() + PATIENT_MS;
  }

  // Failing is no harm: the log grows until the next look, and the writer reports what is wrong with the disk.
  const stop = every(LOOK_MS, look, () => {});
  return {
    async close() {
      await stop();
      await thread?.call('close').catch(() => {});
      await thread?.end();
    },
  };
}

function logBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
