import { setFlagsFromString } from 'node:v8';

/** Garbage may take this share (percent) of what lives; left to itself, V8 lets it grow to several times of that. */
const GROWTH_PERCENT = 40;

/**
 * Bounds the memory of a process that runs on, once it is ready. As an option of the process, V8 would take it for another build and
 * compile anew what was compiled without it, the modules of Node too: a fifth of a start. At the end it is taken back, because what
 * was compiled meanwhile is kept for the next start.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  process.once('exit', () => setFlagsFromString('--heap-growing-percent=0'));
}
