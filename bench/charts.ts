import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { longestTask } from './lib/trace.ts';
import { line, opening, median, quantile, round, summary, type Target } from './lib/report.ts';

/**
 * Charts of 100,000 points on each of 10 lines in real Chromium: how long the first drawing takes, by the clock and of the
 * processor as Chromium's own trace tells it, and each frame while the time is zoomed.
 */
const quick = process.argv.includes('--quick');
const POINTS = quick ? 2000 : 100_000;
const LINES = 10;
const ROUNDS = quick ? 1 : 15;
const ZOOMS = quick ? 3 : 240;
const TRACED = quick ? 1 : 7;

interface Page {
  runCharts(...of: unknown[]): Promise<Record<'draws' | 'stats' | 'frames' | 'work', number[]>>;
  chartDrawer(...of: unknown[]): { prepare(): void; draw(): Promise<void> };
  traced: ReturnType<Page['chartDrawer']>;
}

opening('charts', quick, ['@playwright/test', 'uplot']);
const built = await build({
  configFile: false,
  logLevel: 'error',
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    write: false,
    minify: !quick,
    target: 'chrome130',
    lib: { entry: fileURLToPath(new URL('browser/chart-page.ts', import.meta.url)), formats: ['iife'], name: 'charts' },
  },
});
const [bundle] = [built].flat();
if (!bundle || !('output' in bundle)) throw new Error('vite gave no bundle');
const executablePath =
  process.env['YARDMASTER_E2E_CHROMIUM'] ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: [...sandbox, '--disable-gpu'],
});
const targets: Target[] = [];
try {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.setContent('<!doctype html><body></body>');
  await page.addScriptTag({ content: bundle.output[0].code });
  for (const stacked of [false, true]) {
    const { draws, stats, frames, work } = await page.evaluate(
      ({ points, lines, stacked: onTop, rounds, zooms }) =>
        (window as unknown as Page).runCharts(points, lines, onTop, rounds, zooms),
      { points: POINTS, lines: LINES, stacked, rounds: ROUNDS, zooms: ZOOMS },
    );
    await page.evaluate(
      ({ points, lines, stacked: onTop }) =>
        void ((window as unknown as Page).traced = (window as unknown as Page).chartDrawer(points, lines, onTop)),
      { points: POINTS, lines: LINES, stacked },
    );
    const spent: number[] = [];
    for (let i = 0; i < TRACED; i++) {
      await page.evaluate(() => (window as unknown as Page).traced.prepare());
      spent.push(
        (await longestTask(browser, page, () => page.evaluate(() => (window as unknown as Page).traced.draw()))).cpuMs,
      );
    }
    const found = {
      drawCpuMs: median(spent),
      leastDrawCpuMs: Math.min(...spent),
      drawMs: median(draws),
      leastDrawMs: Math.min(...draws),
      legendMs: median(stats),
      zoomWorkMs: median(work),
      zoomWork95Ms: quantile(
        work.toSorted((a, b) => a - b),
        0.95,
      ),
      frameMs: median(frames),
    };
    line({ stacked, ...Object.fromEntries(Object.entries(found).map(([name, ms]) => [name, round(ms)])) });
    const what = stacked ? 'on top of each other' : 'side by side';
    targets.push(
      { name: `first drawing, ${what} (ms of the processor)`, value: found.drawCpuMs, target: 50, wanted: 'at most' },
      {
        name: `95 of 100 frames of a zoom, ${what} (ms)`,
        value: found.zoomWork95Ms,
        target: 1000 / 60,
        wanted: 'at most',
      },
    );
  }
} finally {
  await browser.close();
}
process.exitCode = summary(targets);
