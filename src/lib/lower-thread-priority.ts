import { setPriority } from 'node:os';

/** Niceness of threads whose work can wait: about a third of the share of one that cannot, so that they never fall behind for good. */
const NICE = 5;

/**
 * Lets the calling thread give way to those that somebody waits for, where processors are scarce. On Linux alone, where
 * a priority is a thread's own; elsewhere it is that of the whole process.
 */
export function lowerThreadPriority(
  platform: NodeJS.Platform = process.platform,
  set: (priority: number) => void = setPriority,
): void {
  if (platform !== 'linux') return;
  try {
    set(NICE);
  } catch {
    // Where it may not be changed, all threads are equal.
  }
}

/** The same of another process, before it has threads that wait for each other. */
export function lowerPriority(pid: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(pid, NICE);
  } catch {
    // It is gone already, or may not be changed.
  }
}
