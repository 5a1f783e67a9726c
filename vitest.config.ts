import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** A third of the time is waiting for timers, sockets and processes: half as many workers again as there are processors. */
const maxWorkers = Math.ceil(availableParallelism() * 1.5);
const common = { testTimeout: 20_000, hookTimeout: 30_000, unstubGlobals: true, unstubEnvs: true, expect: { poll: { timeout: 15_000 } } };

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      // Modules hold no state that matters to another test (factories, no singletons), and loading them anew for each file was two fifths of the time.
      { test: { ...common, name: 'unit', include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'scripts/**/*.test.ts'], exclude: ['**/*.alone.test.ts'], isolate: false } },
      // Those that put another module in the place of one, or look at the little that is kept in one (lib/uuid).
      { test: { ...common, name: 'alone', include: ['src/**/*.alone.test.ts'] } },
    ],
  },
});
