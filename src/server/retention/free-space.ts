import type { Store } from '../store/port.ts';

/** Free pages that stay in the file for what comes next: giving them back and asking for them again would be in vain. */
const KEPT_PAGES = 4096;
const KEPT_SHARE = 0.1;
const STEP_MS = 4;
const PAUSE_MS = 12;

/** Gives free space back to the disk, in transactions of a few milliseconds. Says how many pages went. */
export async function releaseFreeSpace(store: Pick<Store, 'space' | 'shrink'>, stop: AbortSignal): Promise<number> {
  let step = 32;
  let given = 0;
  for (;;) {
    const { pages, free } = store.space();
    const surplus = free - Math.max(KEPT_PAGES, Math.floor(pages * KEPT_SHARE));
    if (surplus <= 0 || stop.aborted) return given;
    const began = performance.now();
    await store.shrink(Math.min(step, surplus));
    const ms = performance.now() - began;
    // A file that gives nothing back is one of an older version.
    const gone = pages - store.space().pages;
    if (gone <= 0) return given;
    given += gone;
    step = Math.max(8, Math.min(2048, Math.round(step * Math.min(2, STEP_MS / Math.max(ms, 0.1)))));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
