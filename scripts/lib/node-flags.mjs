/** The same as NODE_FLAGS in src/contract/process.ts, which says why; a test holds the two together. */
export const nodeFlags = ['--max-semi-space-size=8', '--v8-pool-size=1', '--no-parallel-scavenge', '--heap-growing-percent=80'];
