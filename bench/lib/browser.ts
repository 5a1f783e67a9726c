import { pathTo } from '../../src/lib/api-client.ts';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import type { ReadyLine } from '../../src/contract/process.ts';

/** Real Chromium, as the tests have it (`YARDMASTER_E2E_CHROMIUM`); else the one that Playwright brought. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env['YARDMASTER_E2E_CHROMIUM'];
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [...sandbox, '--disable-gpu', '--enable-precise-memory-info'],
  });
}

/** On a machine with too much to do. */
const PATIENCE_MS = 180_000;

/** A signed-in page, on the overview where nothing else is said. `prepare`: what its pages begin with. */
export async function openConsole(
  browser: Browser,
  { url, token }: Pick<ReadyLine, 'url' | 'token'>,
  prepare?: (context: BrowserContext) => Promise<unknown>,
  { path = '/', heading = 'Overview' } = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(PATIENCE_MS);
  await prepare?.(context);
  const { ok } = await context.request
    .post(url + pathTo('session.signIn'), { data: { token } })
    .then((answer) => ({ ok: answer.ok() }));
  if (!ok) throw new Error('the console could not be signed in to');
  const page = await context.newPage();
  await page.goto(url + path);
  await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
  return page;
}

/**
 * Kilobytes, as sent, of all files but fonts that a page needs where it is the first one. Told to save data, the console fetches
 * nothing else in idle time, so nothing else is counted, and nothing left out.
 */
export async function firstLoadKilobytes(
  browser: Browser,
  ready: Pick<ReadyLine, 'url' | 'token'>,
  place: { path: string; heading: string },
): Promise<number> {
  const page = await openConsole(browser, ready, saveData, place);
  const kilobytes = await page.evaluate(async () => {
    const files = () =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].filter(
        ({ name: url }) => !url.includes('/api/') && !url.endsWith('.woff2'),
      ) as PerformanceResourceTiming[];
    // Until nothing more was asked for in a second.
    for (let count = -1; count !== files().length; await new Promise((resolve) => setTimeout(resolve, 1000)))
      count = files().length;
    return files().reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000;
  });
  await page.context().close();
  return kilobytes;
}

function saveData(context: BrowserContext): Promise<unknown> {
  return context.addInitScript(() => {
    const connection: unknown = Reflect.get(navigator, 'connection');
    if (connection) Object.defineProperty(Object.getPrototypeOf(connection), 'saveData', { get: () => true });
  });
}

/** Counts long tasks and frames of the page from now on. */
export async function probe(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { longest: 0, count: 0, frames: 0, from: performance.now(), stop: false };
    Reflect.set(globalThis, 'seen', seen);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        seen.count++;
        seen.longest = Math.max(seen.longest, duration);
      }
    }).observe({ type: 'longtask' });
    const frame = () => {
      seen.frames++;
      if (!seen.stop) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** What the probe saw, with the page's memory. */
export async function settled(
  page: Page,
): Promise<{ longTasks: number; longestMs: number; framesPerSecond: number; heapMegabytes: number }> {
  await page.waitForTimeout(500);
  return page.evaluate(() => {
    const seen = Reflect.get(globalThis, 'seen') as {
      longest: number;
      count: number;
      frames: number;
      from: number;
      stop: boolean;
    };
    seen.stop = true;
    const memory = (performance as unknown as { memory?: { usedJSHeapSize: number } }).memory;
    return {
      longTasks: seen.count,
      longestMs: Math.round(seen.longest),
      framesPerSecond: Math.round(seen.frames / ((performance.now() - seen.from) / 1000)),
      heapMegabytes: Math.round((memory?.usedJSHeapSize ?? 0) / 2 ** 20),
    };
  });
}

/** Frames a second of a page that holds nothing but lines of text and is scrolled by the same turns of the wheel: more no page has on this machine, which may draw without a graphics card. */
export async function framesOfPlainPage(browser: Browser, wheels: number): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    const rows = Array.from(
      { length: 1000 },
      (_, i) => `<div>${Array.from({ length: 9 }, (_cell, j) => `<span>cell ${i}.${j}</span>`).join('')}</div>`,
    ).join('');
    await page.setContent(
      `<!doctype html><style>body{margin:0}main{height:800px;overflow:auto;contain:content;background:#fff}div{height:36px;display:flex;gap:60px}</style><main>${rows}</main>`,
    );
    await page.mouse.move(600, 400);
    await page.waitForTimeout(1000);
    await probe(page);
    for (let i = 0; i < wheels; i++) await page.mouse.wheel(0, i % 100 < 50 ? 500 : -500);
    return (await settled(page)).framesPerSecond;
  } finally {
    await context.close();
  }
}
