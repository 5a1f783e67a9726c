import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { firstLoadKilobytes, framesOfPlainPage, openConsole, probe, settled, startBrowser } from './lib/browser.ts';
import type { ReadyLine } from '../src/contract/process.ts';
import { startMaster } from './lib/processes.ts';
import { line, median, opening, quantile, round, summary } from './lib/report.ts';
import { seedJobs } from './lib/seed-jobs.ts';

/**
 * The console in real Chromium against a master with a million jobs: what the first load weighs, how soon the page shows
 * real data, how long it takes to another page, and how the table of jobs scrolls. (Log lines: bench/console-logs;
 * charts: bench/charts.)
 */
const quick = process.argv.includes('--quick');
/** `weighed`: of how many pages it is asked what they weigh where they are the first one. */
const plan = quick
  ? { jobs: 1000, loads: 1, weighed: 1, firsts: 0, rounds: 0, wheels: 3 }
  : { jobs: 1_000_000, loads: 7, weighed: 9, firsts: 1, rounds: 5, wheels: 300 };
const PLACES = [
  'Workflows',
  'Jobs',
  'Failures',
  'Workers',
  'Logs',
  'Dashboards',
  'Alerts',
  'Settings',
  'Overview',
] as const;

opening('console', quick, ['@playwright/test', 'react']);
const data = mkdtempSync(join(tmpdir(), 'bench-console-'));
const browser = await startBrowser();
try {
  await (await startMaster({ workers: 0, durability: 'normal', data })).stop();
  line({ seeded: seedJobs(data, plan.jobs, Date.now()).jobs });
  const master = await startMaster({ workers: quick ? 0 : 2, durability: 'normal', data });
  try {
    const page = await openConsole(browser, master.ready);
    const heaviest = await heaviestPage(master.ready);

    const loads: number[] = [];
    for (let i = 0; i < plan.loads; i++) loads.push(await load(page));
    line({ loads: loads.map(Math.round) });

    const changes: number[] = [];
    // The first round fetches the pages' files and first data; a short run has no other.
    for (let i = 0; i <= plan.rounds; i++) {
      for (const name of PLACES) {
        const ms = await goTo(page, name);
        if (i >= plan.firsts) changes.push(ms);
        if (i === plan.rounds) line({ to: name, ms: round(ms) });
      }
    }
    changes.sort((a, b) => a - b);

    await goTo(page, 'Jobs');
    await page.getByRole('gridcell').first().waitFor();
    const box = (await page.getByRole('grid').boundingBox()) as { x: number; y: number; width: number; height: number };
    await page.mouse.move(box.x + 300, box.y + box.height / 2);
    await probe(page);
    for (let i = 0; i < plan.wheels; i++) await page.mouse.wheel(0, i % 50 === 49 ? 400_000 : 500);
    const scroll = await settled(page);
    const plain = await framesOfPlainPage(browser, plan.wheels);
    line({ scroll: true, ...scroll, plainFramesPerSecond: plain, ofPlain: round(scroll.framesPerSecond / plain) });
    process.exitCode = summary([
      {
        name: 'first load of the heaviest page of the sidebar, KB as sent',
        value: heaviest,
        target: 400,
        wanted: 'at most',
      },
      { name: 'page with real data from a warm start, ms', value: median(loads), target: 1000, wanted: 'at most' },
      { name: 'change of page, median, ms', value: median(changes), target: 100, wanted: 'at most' },
      { name: 'change of page, p95, ms', value: quantile(changes, 0.95), target: 200, wanted: 'at most' },
      {
        name: 'longest task of scrolling through the jobs, ms',
        value: scroll.longestMs,
        target: 100,
        wanted: 'at most',
      },
      { name: 'frames a second meanwhile', value: scroll.framesPerSecond, target: 50, wanted: 'at least' },
      { name: 'memory of the page, MB', value: scroll.heapMegabytes, target: 350, wanted: 'at most' },
    ]);
  } finally {
    await master.stop();
  }
} finally {
  await browser.close();
  rmSync(data, { recursive: true, force: true });
}

/** Kilobytes of the page of the sidebar that needs most where it is the first one. */
async function heaviestPage(ready: ReadyLine): Promise<number> {
  let most = 0;
  for (const name of PLACES.slice(0, plan.weighed)) {
    const path = name === 'Overview' ? '/' : `/${name.toLowerCase()}`;
    const kilobytes = await firstLoadKilobytes(browser, ready, { path, heading: name });
    line({ firstPage: name, kilobytes: round(kilobytes) });
    most = Math.max(most, kilobytes);
  }
  return most;
}

/** Milliseconds from a reload to the overview with its figures. */
async function load(page: Page): Promise<number> {
  await page.reload({ waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.locator('main canvas').first().waitFor();
  return page.evaluate(() => performance.now());
}

/** Milliseconds from a click in the navigation to the page's own heading on the screen. */
async function goTo(page: Page, name: (typeof PLACES)[number]): Promise<number> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).first().waitFor();
  return page.evaluate(async (wanted) => {
    const link = [...document.querySelectorAll<HTMLAnchorElement>('nav a')].find(
      ({ textContent }) => textContent.trim() === wanted,
    );
    if (!link) throw new Error(`no way to ${wanted}`);
    const from = performance.now();
    link.click();
    while (document.querySelector('main h1')?.textContent !== wanted)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - from;
  }, name);
}
