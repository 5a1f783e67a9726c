import type { Page } from '@playwright/test';
import { bridgeToFleet } from './lib/fleet/app-bridge.ts';
import { startFleet, type FleetPlan } from './lib/fleet/clusters.ts';
import { openWatch, type Watched } from './lib/fleet/watch.ts';
import { framesOfPlainPage, openConsole, probe, settled, startBrowser } from './lib/browser.ts';
import { line, median, opening, quantile, round, summary } from './lib/report.ts';

/**
 * The console of a fleet: five clusters of ten masters and a hundred workers each, all of which speak the real protocols (a real
 * master and nine simulated ones, simulated workers), with jobs, progress, log lines and metric points all the time. How soon a page is
 * there, how long it takes to another one, and what each of them costs while it is only looked at; at last with all five hundred workers
 * in one cluster.
 *
 * `--jobs=N`: jobs a second of each cluster.
 */
const quick = process.argv.includes('--quick');
const jobsPerSecond = Number(process.argv.find((word) => word.startsWith('--jobs='))?.slice(7) ?? 2);
const work = { taskMs: [1000, 5000], progressMs: 1000, pointsMs: 10_000 } as const;
const plan: FleetPlan & { loads: number; rounds: number; seconds: number; settleMs: number; wheels: number } = quick
  ? {
      ...work,
      clusters: 2,
      masters: 2,
      workers: 3,
      capacity: 4,
      jobsPerSecond,
      loads: 1,
      rounds: 1,
      seconds: 0.3,
      settleMs: 100,
      wheels: 3,
    }
  : {
      ...work,
      ...{ clusters: 5, masters: 10, workers: 100, capacity: 8, jobsPerSecond },
      ...{ loads: 5, rounds: 5, seconds: 15, settleMs: 3000, wheels: 200 },
    };
const PLACES = ['Overview', 'Jobs', 'Workers', 'Cluster', 'Fleet'] as const;
type Place = (typeof PLACES)[number];

opening('fleet', quick, ['@playwright/test', 'react', '@tanstack/react-query', 'ws', 'pg']);
const browser = await startBrowser();
try {
  const fleet = await startFleet(plan);
  try {
    process.exitCode = await measure(fleet);
  } finally {
    await fleet.stop();
  }
} finally {
  await browser.close();
}

async function measure({ clusters }: Awaited<ReturnType<typeof startFleet>>): Promise<0 | 1> {
  const [first, ...others] = clusters;
  if (!first) throw new Error('a fleet has at least one cluster');
  const { masters, workers } = plan;
  line({
    clusters: clusters.length,
    masters: masters * clusters.length,
    workers: workers * clusters.length,
    jobsPerSecond,
  });
  const page = await openConsole(browser, first.ready, (context) => bridgeToFleet(context, clusters));

  const watch = await openWatch(page, first.ready.pid);

  const loads: number[] = [];
  for (let i = 0; i < plan.loads; i++) loads.push(await load(page));
  line({ loads: loads.map(Math.round) });

  const changes: number[] = [];
  // The first round fetches the pages' files and first data.
  for (let i = 0; i <= plan.rounds; i++)
    for (const name of PLACES) {
      const ms = await goTo(page, name);
      if (i > 0) changes.push(ms);
      if (i === plan.rounds) line({ to: name, ms: round(ms) });
    }
  changes.sort((a, b) => a - b);

  const seen: Watched[] = [];
  const look = async (name: Place, size: number) => {
    await goTo(page, name);
    // What it fetches when it opens is told by the times above.
    await page.waitForTimeout(plan.settleMs);
    const found = await watch.during(plan.seconds);
    seen.push(found);
    const figures = Object.fromEntries(Object.entries(found).map(([key, value]) => [key, round(value)]));
    line({ page: name, workers: size, ...figures });
  };
  for (const name of PLACES) await look(name, workers);

  // The largest cluster that there is: the workers of the others go over to it.
  for (const { workers: leaving } of others) for (const worker of leaving.splice(0)) worker.stop();
  await first.hire(workers * others.length);
  const all = workers * clusters.length;
  await goTo(page, 'Workers');
  await page.goto(`${first.ready.url}/workers?size=500`);
  await page.getByRole('gridcell').first().waitFor();
  for (const name of ['Workers', 'Overview'] as const) await look(name, all);

  await page.goto(`${first.ready.url}/workers?size=500`);
  const scroll = await scrolled(page);
  const plain = await framesOfPlainPage(browser, plan.wheels);
  line({ scroll: true, workers: all, ...scroll, plainFramesPerSecond: plain });
  return summary([
    { name: 'page with real data from a warm start, ms', value: median(loads), target: 2000, wanted: 'at most' },
    { name: 'change of page, with its rows, median, ms', value: median(changes), target: 100, wanted: 'at most' },
    { name: 'change of page, with its rows, p95, ms', value: quantile(changes, 0.95), target: 200, wanted: 'at most' },
    {
      name: 'fewest frames a second of a page that is looked at',
      value: Math.min(...seen.map(({ framesPerSecond }) => framesPerSecond)),
      target: 50,
      wanted: 'at least',
    },
    {
      name: 'longest task of a page that is looked at, ms',
      value: Math.max(...seen.map(({ longestMs }) => longestMs)),
      target: 100,
      wanted: 'at most',
    },
    {
      name: 'frames a second of scrolling through all workers',
      value: scroll.framesPerSecond,
      target: 50,
      wanted: 'at least',
    },
    { name: 'longest task of it, ms', value: scroll.longestMs, target: 100, wanted: 'at most' },
    {
      name: 'memory of the page, MB',
      value: Math.max(...seen.map(({ heapMegabytes }) => heapMegabytes)),
      target: 350,
      wanted: 'at most',
    },
  ]);
}

/** Milliseconds from a reload to the overview with its figures. */
async function load(page: Page): Promise<number> {
  await page.reload({ waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.locator('main canvas').first().waitFor();
  return page.evaluate(() => performance.now());
}

/** Milliseconds from a click in the navigation to the page with its rows, or its charts. */
async function goTo(page: Page, name: Place): Promise<number> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).first().waitFor();
  return page.evaluate(async (wanted) => {
    const link = [...document.querySelectorAll<HTMLAnchorElement>('nav a')].find(
      ({ textContent }) => textContent.trim() === wanted,
    );
    if (!link) throw new Error(`no way to ${wanted}`);
    const from = performance.now();
    link.click();
    while (
      document.querySelector('main h1')?.textContent !== wanted ||
      document.querySelector('main [role="gridcell"], main canvas') === null
    )
      await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - from;
  }, name);
}

async function scrolled(page: Page) {
  await page.getByRole('gridcell').first().waitFor();
  const box = (await page.getByRole('grid').boundingBox()) as { x: number; y: number; width: number; height: number };
  await page.mouse.move(box.x + 300, box.y + box.height / 2);
  await probe(page);
  for (let i = 0; i < plan.wheels; i++) await page.mouse.wheel(0, i % 100 < 50 ? 400 : -400);
  return settled(page);
}
