import { defineConfig } from 'vitest/config';

const common = { testTimeout: 20_000, hookTimeout: 30_000, unstubGlobals: true, unstubEnvs: true };

export default defineConfig({
  test: {
    projects: [
      // Modules hold no state that a test could leave behind (factories, no singletons), and loading them anew for each file was two fifths of the time.
      { test: { ...common, name: 'unit', include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'scripts/**/*.test.ts'], exclude: ['**/*.alone.test.ts'], isolate: false } },
      // Those that put another module in the place of one.
      { test: { ...common, name: 'alone', include: ['src/**/*.alone.test.ts'] } },
    ],
  },
});
