import { threadFile } from '../../../lib/thread-file.ts';
import { createOffload } from '../../offload/offload.ts';
import type { Offload } from '../../offload/port.ts';

/** A thread for what is too large for the event loop; it starts when it is first needed. */
export const openOffload = (deps: Omit<Parameters<typeof createOffload>[0], 'file'>): Offload =>
  createOffload({ file: threadFile(import.meta.url, './offload-thread.ts', 'offload-thread.js'), ...deps });
