import { pathTo } from '../../src/lib/api-client.ts';
import { fileURLToPath } from 'node:url';
import { test as base, chromium, expect, firefox, type Browser, type Page } from '@playwright/test';
import { forget, startMaster, type TestMaster } from './master.ts';

/**
 * `master`: one for all tests of a worker of the run, which look at nothing but what they made (each has workflows of its
 * own), or of the files alone that name themselves a `group` (`test.use({ group: 'looks' })`); `page`: a signed-in page of real
 * Chromium, as new for each test; `visitor`: the same one for tests that only look, and go on where the one before them ended.
 */
export const test = base.extend<
  { page: Page },
  { group: string; engine: 'chromium' | 'firefox'; master: TestMaster; systemBrowser: Browser; visitor: Visitor }
>({
  // Tests of a group that is named run in another worker of the run, with a master of their own: what others leave behind, they do not meet.
  group: ['', { scope: 'worker', option: true }],
  engine: ['chromium', { scope: 'worker', option: true }],
  master: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern.
    async ({}, use) => {
      const master = await startMaster();
      await use(master);
      assertRuns(master);
      await master.stop();
      forget(master.data);
    },
    { scope: 'worker' },
  ],
  systemBrowser: [
    async ({ engine }, use) => {
      const browser = await (engine === 'firefox' ? launchFirefox() : launchChromium());
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  visitor: [
    async ({ systemBrowser, master }, use) => {
      const visitor = await openWindow(systemBrowser);
      await signIn(visitor.page, master);
      await use(visitor);
      await visitor.page.context().close();
    },
    { scope: 'worker' },
  ],
  page: async ({ visitor: { page, faults }, master }, use) => {
    await asNew(page, master).catch((error: unknown) => {
      assertRuns(master);
      throw error;
    });
    faults.length = 0;
    await use(page);
    if (faults.length > 0) throw new Error(`the page reported:\n${faults.join('\n')}`);
  },
});

/** A page that cannot reach its master does not know why; the master's last words do. */
function assertRuns(master: TestMaster): void {
  const ended = master.ended();
  if (ended !== null) throw new Error(`the master of these tests ended by itself: ${ended}`);
}

/** `faults`: what the page threw, and what its policy refused, so far. */
interface Visitor {
  page: Page;
  faults: string[];
}

function launchChromium(): Promise<Browser> {
  const executablePath = process.env['YARDMASTER_E2E_CHROMIUM'];
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // In one process the windows of a master share what V8 compiled of the console.
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [
      ...sandbox,
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-gpu',
      '--process-per-site',
      // These pages live for seconds: optimizing their code costs several times what it saves, and adds threads that compete for the processors.
      '--js-flags=--no-maglev --no-turbofan',
    ],
  });
}

function launchFirefox(): Promise<Browser> {
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: fileURLToPath(new URL('firefox.mjs', import.meta.url)),
    firefoxUserPrefs: { 'ui.prefersReducedMotion': 1, 'ui.systemUsesDarkTheme': 0 },
  });
}

/** The driver of Firefox sets the value of a field past the frameworks that listen to it; the browser's own command does not. */
function insertTextAsTyped(): void {
  Object.defineProperty(globalThis, '__pw_bidiInsertText', {
    configurable: true,
    get: () => (text: string) => {
      document.execCommand('insertText', false, text);
      return document.activeElement;
    },
    set: () => {},
  });
}

const WINDOW = { width: 1440, height: 900 };

async function openWindow(browser: Browser): Promise<Visitor> {
  // What moves only costs frames here; in the desktop window it moves.
  const context = await browser.newContext({ viewport: WINDOW, reducedMotion: 'reduce' });
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  await context.exposeFunction('reportViolation', (words: string) => faults.push(words));
  await context.addInitScript(() => {
    // Without a window Chromium refuses notifications before anybody is asked; a browser that has one would ask.
    if ('Notification' in globalThis)
      Object.defineProperty(Notification, 'permission', { configurable: true, get: () => 'default' });
    // The code of pages that nobody opens would be a third of the work; in the desktop window it is fetched.
    const connection: unknown = Reflect.get(navigator, 'connection');
    if (connection) Object.defineProperty(Object.getPrototypeOf(connection), 'saveData', { get: () => true });
    // What React recovered from says why in its cause alone.
    addEventListener('error', ({ error }) => {
      const cause: unknown = error instanceof Error ? error.cause : undefined;
      if (cause !== undefined)
        (Reflect.get(globalThis, 'reportViolation') as (words: string) => void)(
          `because of ${cause instanceof Error ? cause.stack : String(cause)}`,
        );
    });
    addEventListener('securitypolicyviolation', (event) => {
      const target = event.target instanceof Element ? event.target.outerHTML.slice(0, 300) : '';
      (Reflect.get(globalThis, 'reportViolation') as (words: string) => void)(
        `refused by the page's policy: ${event.effectiveDirective} ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}:${event.columnNumber} ${target}`,
      );
    });
  });
  if (browser.browserType().name() === 'firefox') await context.addInitScript(insertTextAsTyped);
  const page = await context.newPage();
  await slowDown(page);
  return { page, faults };
}

/** `YARDMASTER_E2E_SLOWDOWN=6`: the page computes six times slower, which finds tests that hold on a quick machine alone. Chromium only. */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env['YARDMASTER_E2E_SLOWDOWN'] ?? 1);
  if (rate <= 1 || page.context().browser()?.browserType().name() !== 'chromium') return;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
}

async function signIn(page: Page, master: TestMaster): Promise<void> {
  expect(
    (await page.request.post(master.url + pathTo('session.signIn'), { data: { token: master.token } })).status(),
  ).toBe(204);
}

/** Nothing of an earlier test is left but the process, in which the code of the console is compiled already. */
async function asNew(page: Page, master: TestMaster): Promise<void> {
  const context = page.context();
  await Promise.all(
    context
      .pages()
      .filter((other) => other !== page)
      .map((other) => other.close()),
  );
  await Promise.all([context.clearCookies(), context.clearPermissions()]);
  // An answer of the master that is no page of the console: nothing writes while it is wiped out.
  await page.goto(`${master.url}/healthz`);
  await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
  await page.setViewportSize(WINDOW);
  await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' });
  await page.mouse.move(0, 0);
  await signIn(page, master);
}

export { expect };
