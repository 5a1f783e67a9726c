import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openConsole, probe, settled, startBrowser } from './lib/browser.ts';
import { api } from './lib/master-api.ts';
import { startMaster } from './lib/processes.ts';
import { line, opening, round, summary } from './lib/report.ts';

/**
 * 20,000 log lines a second into an open Logs page of real Chromium: how long the page's thread was held, how many frames
 * it drew, what it shows, and that the store has all of them. Then a find over all that is held, and scrolling through it.
 */
const quick = process.argv.includes('--quick');
const PER_SECOND = quick ? 3000 : 20_000;
const SECONDS = quick ? 1 : 60;
const TICK_MS = 50;

opening('console-logs', quick, ['@playwright/test']);
const master = await startMaster({ workers: 0, durability: 'normal' });
const browser = await startBrowser();
try {
  const { url, ports } = master.ready;
  const page = await openConsole(browser, master.ready);
  await page.goto(`${url}/logs?live=on`);
  await page.getByRole('main').getByText('Live', { exact: true }).waitFor();

  await probe(page);
  // On a machine that does other things as well, the time that the thread itself worked says more than the clock.
  await browser.startTracing(page, { categories: ['toplevel'] });
  const { lines: sent, seconds } = await flood(ports.logstash);
  const tail = await settled(page);
  const longestCpuMs = longestTask(await browser.stopTracing());
  const stored = await inStore(sent);
  const shown = await page
    .getByText(/^Last [\d,]+/)
    .first()
    .innerText();
  const missed = numberIn(
    await page
      .getByText(/arrived too fast/)
      .first()
      .innerText({ timeout: 500 })
      .catch(() => '0'),
  );
  line({
    sent,
    seconds: round(seconds),
    perSecond: Math.round(sent / seconds),
    stored,
    shown: numberIn(shown),
    missed,
    ...tail,
    longestCpuMs,
  });

  await probe(page);
  const findFrom = performance.now();
  await page.keyboard.press('Control+f');
  await page.getByLabel('Find', { exact: true }).fill('tenant 17 ');
  const count = page
    .getByRole('search', { name: 'Find in these lines' })
    .getByRole('status')
    .filter({ hasText: /^[\d,]+ lines$/ });
  await count.waitFor({ timeout: 60_000 });
  const findMs = performance.now() - findFrom;
  const found = numberIn(await count.innerText());
  const find = await settled(page);
  line({ find: true, found, ms: round(findMs), ...find });

  await probe(page);
  const box = (await page.getByRole('grid').boundingBox()) as { x: number; y: number; width: number; height: number };
  await page.mouse.move(box.x + 300, box.y + box.height / 2);
  for (let i = 0; i < (quick ? 5 : 200); i++) await page.mouse.wheel(0, i % 50 === 49 ? -40_000 : -700);
  const scroll = await settled(page);
  line({ scroll: true, ...scroll });
  process.exitCode = summary([
    { name: 'lines lost in the store', value: sent - stored, target: 0, wanted: 'at most' },
    { name: 'longest task of the page under the flood (ms)', value: tail.longestMs, target: 100, wanted: 'at most' },
    { name: 'the same in the time that its thread worked (ms)', value: longestCpuMs, target: 100, wanted: 'at most' },
    { name: 'longest task of a find over all lines (ms)', value: find.longestMs, target: 100, wanted: 'at most' },
    { name: 'longest task of scrolling (ms)', value: scroll.longestMs, target: 100, wanted: 'at most' },
  ]);
} finally {
  await browser.close();
  await master.stop();
}

/** The longest task of any page's own thread in a trace, in milliseconds that the thread worked. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as {
    traceEvents: { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }[];
  };
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return Math.round(
    traceEvents.reduce((most, { pid, tid, tdur = 0 }) => (main.has(`${pid} ${tid}`) ? Math.max(most, tdur) : most), 0) /
      1000,
  );
}

/** Sends lines at their pace, and waits where the pipeline does not take them. */
async function flood(port: number): Promise<{ lines: number; seconds: number }> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const made: Socket = connect({ port, host: '127.0.0.1' }, () => resolve(made)).on('error', reject);
  });
  socket.resume();
  const from = performance.now();
  let lines = 0;
  while (lines < PER_SECOND * SECONDS) {
    // Where the pipeline held the sender up, it catches up second by second.
    const due = Math.min(
      PER_SECOND * SECONDS,
      lines + PER_SECOND,
      Math.floor(((performance.now() - from) / 1000) * PER_SECOND),
    );
    let text = '';
    for (; lines < due; lines++) text += `${lineOf(lines)}\n`;
    if (text !== '' && !socket.write(text)) await new Promise((resolve) => socket.once('drain', resolve));
    await sleep(TICK_MS);
  }
  const seconds = (performance.now() - from) / 1000;
  await new Promise((resolve) => socket.end(() => resolve(null)));
  return { lines, seconds };
}

function lineOf(i: number): string {
  const level = ['DEBUG', 'INFO', 'INFO', 'INFO', 'WARN', 'INFO', 'ERROR'][i % 7];
  return JSON.stringify({
    _time: new Date().toISOString(),
    level,
    _msg: `request ${i} of tenant ${i % 37} took ${(i * 7919) % 900} ms at /api/orders/${i % 1000}`,
    job_id: `0198f2d0-0000-7000-8000-${String(i % 200).padStart(12, '0')}`,
    task_id: `0198f2d0-1111-7000-8000-${String(i % 2000).padStart(12, '0')}`,
    worker_id: `w-${i % 4}`,
    source: 'bench',
    duration: (i * 7919) % 900,
    tenant: `t${i % 37}`,
  });
}

/** How many lines the store has, once it has all that were sent or takes no more. */
async function inStore(sent: number): Promise<number> {
  let before = -1;
  for (;;) {
    const { hits } = await api(master.ready).call('logs.hits', { query: { source: 'bench', step: '1h' } });
    const total = hits.reduce((sum, hit) => sum + hit.total, 0);
    if (total >= sent || total === before) return total;
    before = total;
    await sleep(quick ? 500 : 7000);
  }
}

function numberIn(text: string): number {
  return Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', '') ?? 0);
}
