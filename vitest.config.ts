import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { builtThreads } from './scripts/lib/built-threads.ts';
import { seedOfProperties } from './scripts/lib/seed-of-properties.ts';

declare module 'vitest' {
  interface ProvidedContext {
    seedOfProperties: number;
  }
}

/** What Node compiles of the threads and processes that tests start is kept for the next. */
process.env['NODE_COMPILE_CACHE'] ??= resolve('.cache/compiled');

/** A third of the time is waiting for timers, sockets and processes: half as many workers again as there are processors. */
const maxWorkers = Math.ceil(availableParallelism() * 1.5);
/** As in the product, but for more room for what is new: helpers that collect on two full processors take time from the tests, a tenth of all. */
const execArgv = ['--v8-pool-size=1', '--no-parallel-scavenge', '--max-semi-space-size=32'];
/** Nothing takes as long: these end what hangs, also where the processors are shared with much else. */
const common = {
  execArgv,
  setupFiles: ['scripts/lib/test-setup.ts'],
  provide: { seedOfProperties: seedOfProperties('.') },
  testTimeout: 300_000,
  hookTimeout: 300_000,
  unstubGlobals: true,
  unstubEnvs: true,
  expect: { poll: { timeout: 120_000 } },
};

const plugins = await builtThreads();

/** What masters that share PostgreSQL do, most of it over a real one: a seventh of the time of all. `npm test -- cluster`. */
const CLUSTER = [
  'src/server/cluster/**/*.test.ts',
  'src/server/{store-copy,copy-reads}.test.ts',
  'scripts/lib/postgres.test.ts',
];
const ALONE = ['src/**/*.alone.test.ts'];

export default defineConfig({
  test: {
    maxWorkers,
    execArgv,
    projects: [
      // Modules hold no state that matters to another test (factories, no singletons), and loading them anew for each file was two fifths of the time.
      {
        plugins,
        test: {
          ...common,
          name: 'unit',
          include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'scripts/**/*.test.ts'],
          exclude: [...ALONE, ...CLUSTER],
          isolate: false,
        },
      },
      { plugins, test: { ...common, name: 'cluster', include: CLUSTER, exclude: ALONE, isolate: false } },
      // Those that put another module in the place of one, or look at the little that is kept in one (lib/uuid).
      { plugins, test: { ...common, name: 'alone', include: ALONE } },
    ],
  },
});
