import { defineConfig } from '@playwright/test';

/** Run by `npm test` and `npm run e2e`, which bring the browser, Electron, the display and the build. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json']],
  use: { actionTimeout: 15_000, navigationTimeout: 15_000, screenshot: 'only-on-failure', trace: 'retain-on-failure' },
  projects: [
    { name: 'cli', testDir: 'e2e/cli' },
    { name: 'workers', testDir: 'e2e/workers' },
    { name: 'faults', testDir: 'e2e/faults' },
    { name: 'chromium', testDir: 'e2e/browser' },
    { name: 'electron', testDir: 'e2e/desktop' },
  ],
});
