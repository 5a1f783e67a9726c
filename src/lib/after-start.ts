import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

/*
 * What V8 is told once a process is ready. As options of the process, V8 would take it for another build and compile anew what was
 * compiled without them, the modules of Node too: a fifth of a start. At the end they are taken back, because what was compiled
 * meanwhile is kept for the next start.
 */

/** What holds from then on, and what V8 has by itself. */
type Flags = readonly (readonly [flag: string, byDefault: string])[];

/** Garbage may take this share (percent) of what lives; left to itself, V8 lets it grow to several times of that. */
export const MEMORY: Flags = [['--heap-growing-percent=40', '--heap-growing-percent=0']];

/** Threads that start from then on share V8's own functions with the main one, where each mapped 2 MiB of them near its code. */
export const SHARED: Flags = [['--no-short-builtin-calls', '--short-builtin-calls']];

export function setFlags(flags: Flags): void {
  for (const [flag, byDefault] of flags) {
    setFlagsFromString(flag);
    process.once('exit', () => setFlagsFromString(byDefault));
  }
}

/** What most threads load of Node. */
const OF_NODE = ['crypto', 'fs', 'module', 'os', 'perf_hooks', 'stream', 'timers/promises', 'v8', 'zlib'];
const WARM_AFTER_MS = 1000;

/**
 * Node's own modules were compiled for the flags of the start. The first thread after these changed compiles them anew,
 * which takes 100 ms and serves all others: one that does nothing else does so before somebody waits for a query.
 */
export function warmThreads(): void {
  const load = `import('data:text/javascript,').then(() => ${JSON.stringify(OF_NODE)}.forEach((name) => require('node:' + name)))`;
  // Where it fails, the first query is as slow as it would be without.
  setTimeout(() => new Worker(load, { eval: true }).on('error', () => {}).unref(), WARM_AFTER_MS).unref();
}
