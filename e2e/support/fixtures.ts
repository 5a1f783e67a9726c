import { test as base, chromium, expect, type Browser, type Page } from '@playwright/test';
import { forget, startMaster, type TestMaster } from './master.ts';

/**
 * `master`: one for all tests of a worker of the run, which look at nothing but what they made (each has workflows of its
 * own), or of a file alone (`test.use({ file: import.meta.filename })`) that looks at all there is; `page`: a signed-in page of real Chromium; `visitor`: one for tests that only look, which saves each of them a cold start.
 */
export const test = base.extend<{ page: Page }, { file: string; master: TestMaster; systemBrowser: Browser; visitor: Visitor }>({
  // Tests of a file that is named here run in another worker of the run, with a master of their own: what others leave behind, they do not meet.
  file: ['', { scope: 'worker', option: true }],
  master: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern.
    async ({}, use) => {
      const master = await startMaster();
      await use(master);
      await master.stop();
      forget(master.data);
    },
    { scope: 'worker' },
  ],
  systemBrowser: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern.
    async ({}, use) => {
      const executablePath = process.env['YARDMASTER_E2E_CHROMIUM'];
      const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
      const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: [...sandbox, '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-gpu'] });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  visitor: [
    async ({ systemBrowser, master }, use) => {
      const visitor = await signedIn(systemBrowser, master);
      await use(visitor);
      await visitor.page.context().close();
    },
    { scope: 'worker' },
  ],
  page: async ({ systemBrowser, master }, use) => {
    const { page, faults } = await signedIn(systemBrowser, master);
    await use(page);
    await page.context().close();
    if (faults.length > 0) throw new Error(`the page reported:\n${faults.join('\n')}`);
  },
});

/** `faults`: what the page threw, and what its policy refused, so far. */
interface Visitor {
  page: Page;
  faults: string[];
}

async function signedIn(browser: Browser, master: TestMaster): Promise<Visitor> {
  // What moves only costs frames here; in the desktop window it moves.
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.exposeFunction('reportViolation', (words: string) => faults.push(words));
  // Without a window Chromium refuses notifications before anybody is asked; a browser that has one would ask.
  await page.addInitScript(() => {
    if ('Notification' in globalThis) Object.defineProperty(Notification, 'permission', { configurable: true, get: () => 'default' });
  });
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) => {
      const target = event.target instanceof Element ? event.target.outerHTML.slice(0, 300) : '';
      (Reflect.get(globalThis, 'reportViolation') as (words: string) => void)(`refused by the page's policy: ${event.effectiveDirective} ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}:${event.columnNumber} ${target}`);
    }),
  );
  expect((await context.request.post(`${master.url}/api/v1/session`, { data: { token: master.token } })).status()).toBe(204);
  return { page, faults };
}

export { expect };
