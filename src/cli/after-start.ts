import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

/** Garbage may take this share (percent) of what lives; left to itself, V8 lets it grow to several times of that. */
const GROWTH_PERCENT = 40;

/**
 * What V8 is told once a process is ready. As options of the process, V8 would take it for another build and
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

/**
 * Functions are optimized after a third of the calls that V8 waits for: what people ask for comes now and then, and a
 * query of logs was quick from the seventh time on. A start would only take longer by it, as most of its code runs once.
 */
export function optimizeSooner(): void {
  setFlag('--invocation-count-for-turbofan=1000', '--invocation-count-for-turbofan=3000');
  setFlag('--invocation-count-for-maglev=150', '--invocation-count-for-maglev=400');
  setFlag('--invocation-count-for-osr=200', '--invocation-count-for-osr=500');
  setFlag('--invocation-count-for-maglev-osr=50', '--invocation-count-for-maglev-osr=100');
}

/** What most threads load of Node. */
const OF_NODE = ['fs', 'zlib', 'crypto', 'module', 'stream', 'perf_hooks', 'timers/promises', 'os', 'v8'];
const WARM_AFTER_MS = 500;

/**
 * Node's own modules were compiled for the flags of the start. The first thread after they changed compiles them anew,
 * which takes 100 ms and then serves all others: one that does nothing else does so before somebody waits for a query.
 */
export function warmThreads(): void {
  const load = `import('data:text/javascript,').then(() => ${JSON.stringify(OF_NODE)}.forEach((name) => require('node:' + name)))`;
  setTimeout(() => new Worker(load, { eval: true, stdin: false }).unref(), WARM_AFTER_MS).unref();
}

function setFlag(flag: string, otherwise: string): void {
  setFlagsFromString(flag);
  process.once('exit', () => setFlagsFromString(otherwise));
}
