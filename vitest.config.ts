import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'scripts/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Modules hold no state that a test could leave behind (factories, no singletons), and loading them anew for each file was two fifths of the time.
    isolate: false,
  },
});
