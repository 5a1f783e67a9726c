import { defineConfig } from '@playwright/test';

/**
 * The main goals are tried in Firefox too: to build a workflow, to publish and call it, to understand and mend a failure, to
 * follow the log. Its driver knows no permissions for the clipboard and no native drags.
 */
const FIREFOX = ['publish-and-call.e2e.ts', 'failed-job.e2e.ts', 'logs.e2e.ts', 'builder.e2e.ts'];
const NOT_DRIVEN = /clipboard|dragged onto an edge|selected and copied|whatever the heights/;
const LOOKING = ['pages.e2e.ts', 'german.e2e.ts', 'zoom.e2e.ts'];
/** Each has a master to itself (`group`), and one waits more than a minute for a request to expire: begun early, so that nothing waits for it at the end. */
const ALONE = ['approvals.e2e.ts', 'projects.e2e.ts', 'team-pages.e2e.ts'];

/**
 * Run by `npm test` and `npm run e2e`, which bring the browser, Electron, the display and the build.
 * `YARDMASTER_E2E_TRACE=1` keeps a trace of each test that fails; to record them costs a third of the time.
 */
export default defineConfig<object, { engine: 'chromium' | 'firefox' }>({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  // Each has a master and a browser of its own; much of a test is waiting for what a process does.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Nothing takes as long: these end what hangs, also where the processors are shared with much else.
  timeout: 480_000,
  expect: { timeout: 120_000 },
  reporter: [['list'], ['json']],
  use: {
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    screenshot: 'only-on-failure',
    trace: process.env['YARDMASTER_E2E_TRACE'] ? 'retain-on-failure' : 'off',
  },
  projects: [
    // By far the longest, so first. A third master and browser would cost more than it gives: a third worker runs those below meanwhile.
    { name: 'chromium', testDir: 'e2e/browser', testIgnore: [...LOOKING, ...ALONE], workers: 2 },
    { name: 'chromium', testDir: 'e2e/browser', testMatch: ALONE, workers: 1 },
    // The tests that look at one filled master, one after the other.
    { name: 'chromium', testDir: 'e2e/browser', testMatch: LOOKING, workers: 1 },
    { name: 'cli', testDir: 'e2e/cli' },
    { name: 'workers', testDir: 'e2e/workers' },
    { name: 'faults', testDir: 'e2e/faults' },
    { name: 'electron', testDir: 'e2e/desktop' },
    {
      name: 'firefox',
      testDir: 'e2e/browser',
      testMatch: FIREFOX,
      grepInvert: NOT_DRIVEN,
      workers: 1,
      use: { engine: 'firefox' },
    },
  ],
});
