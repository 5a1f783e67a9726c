/** The same as NODE_FLAGS and NODE_ENVIRONMENT in src/contract/process.ts, which says why; a test holds them together. */
export const nodeFlags = ['--max-semi-space-size=4', '--v8-pool-size=1', '--no-parallel-scavenge'];
export const nodeEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '73728' };
