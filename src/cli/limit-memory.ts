import { setFlagsFromString } from 'node:v8';

/** Garbage may take this share (percent) of what lives; left to itself, V8 lets it grow to several times of that. */
const GROWTH_PERCENT = 40;

/**
 * These bound the memory of a process that runs on, once it is ready. As options of the process, V8 would take it for another build and
 * compile anew what was compiled without them, the modules of Node too: a fifth of a start. At the end they are taken back, because what
 * was compiled meanwhile is kept for the next start.
 */
export function limitHeapGrowth(): void {
  setFlag(`--heap-growing-percent=${GROWTH_PERCENT}`, '--heap-growing-percent=0');
}

/** Threads that start from now on share V8's own functions with the main one, where each mapped 2 MiB of them near its code. */
export function shareBuiltins(): void {
  setFlag('--no-short-builtin-calls', '--short-builtin-calls');
}

function setFlag(flag: string, otherwise: string): void {
  setFlagsFromString(flag);
  process.once('exit', () => setFlagsFromString(otherwise));
}
