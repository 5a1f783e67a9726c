import type { Browser, Page } from '@playwright/test';
import { englishOn } from '../support/german-words.ts';
import { greeter, line, node } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';
import { publish, type TestMaster } from '../support/master.ts';
import { takePicture } from '../support/screenshots.ts';

test.use({ group: 'looks' });

/** Path, and what is there once it is drawn. */
const PAGES: [path: string, ready: (page: Page, master: TestMaster) => Promise<unknown>][] = [
  ['/', (page) => page.getByRole('heading', { name: 'Übersicht' }).waitFor()],
  [
    '/workflows',
    (page) =>
      page
        .getByRole('gridcell', { name: /triage/ })
        .first()
        .waitFor(),
  ],
  ['/workflows/triage', (page) => page.getByRole('button', { name: 'Version speichern' }).waitFor()],
  ['/workflows/triage?tab=versions', (page) => page.getByRole('tabpanel').getByText('dev').first().waitFor()],
  ['/workflows/triage?tab=publish', (page) => page.getByRole('button', { name: 'In dev veröffentlichen…' }).waitFor()],
  ['/workflows/triage?tab=try', (page) => page.getByRole('tabpanel').getByText('Noch kein Request gesendet').waitFor()],
  ['/workflows/triage?tab=keys', (page) => page.getByRole('tabpanel').getByRole('button').first().waitFor()],
  [
    '/schedules',
    (page) =>
      page
        .getByRole('gridcell', { name: /greeter/ })
        .first()
        .waitFor(),
  ],
  [
    '/workflows/greeter?tab=schedules',
    (page) =>
      page
        .getByRole('gridcell', { name: /@daily/ })
        .first()
        .waitFor(),
  ],
  ['/workflows/greeter?tab=runs', (page) => page.getByRole('grid', { name: 'Läufe' }).waitFor()],
  ['/workflows/greeter?tab=metrics', (page) => page.getByText('Keine Läufe in diesem Zeitraum').waitFor()],
  ['/workflows/greeter?tab=tests', (page) => page.getByRole('gridcell', { name: 'Nicht ausgeführt' }).waitFor()],
  ['/workflows/greeter?tab=webhooks', (page) => page.getByRole('gridcell', { name: /hooks.german-hook/ }).waitFor()],
  ['/workflows/greeter?coverage=on', (page) => page.getByText('1 von 1 bestanden').waitFor()],
  ['/jobs', (page) => page.getByRole('gridcell', { name: /shout/ }).first().waitFor()],
  [
    '/failures',
    (page) =>
      page
        .getByRole('gridcell', { name: /no article/ })
        .first()
        .waitFor(),
  ],
  ['/fleet', (page) => page.getByRole('heading', { name: 'Flotte' }).waitFor()],
  [
    '/operations',
    (page) =>
      page
        .getByRole('gridcell', { name: /gestoppt/ })
        .first()
        .waitFor(),
  ],
  ['/workers', (page) => page.getByRole('gridcell', { name: 'Betriebsbereit' }).first().waitFor()],
  [
    '/logs',
    (page) =>
      page
        .getByText(/scored a ticket/)
        .first()
        .waitFor(),
  ],
  ['/alerts', (page) => page.getByText('Keine aktiven Alarme').or(page.getByRole('gridcell')).first().waitFor()],
  [
    '/alerts?tab=rules',
    (page) =>
      page
        .getByRole('gridcell', { name: /Fehlerrate/ })
        .first()
        .waitFor(),
  ],
  [
    '/alerts?tab=channels',
    (page) =>
      page
        .getByRole('gridcell', { name: /^Desktop/ })
        .first()
        .waitFor(),
  ],
  ['/dashboards', (page) => page.getByRole('gridcell', { name: /Job-Überwachung/ }).waitFor()],
  ['/settings?tab=appearance', (page) => page.getByText('Farbschema').first().waitFor()],
  ['/settings?tab=limits', (page) => page.getByText('Limits').first().waitFor()],
  ['/settings?tab=tokens', (page) => page.getByRole('button', { name: 'Neues Token' }).waitFor()],
  [
    '/settings?tab=pipeline',
    async (page) => {
      const facts = page.getByRole('tabpanel').locator('dl');
      await expect(facts).toContainText(/Gekürzt\s*\d+ Zeilen?\s*Kein JSON\s*\d+ Zeilen?/);
    },
  ],
  // Last: what waits for an approval is on other pages, too.
  [
    '/approvals',
    async (page, master) => {
      await publish(master, 'asks', line('asks', node('ask', 'wait', { for: 'approval', title: 'Release 4711?' })));
      await master.call('jobs.create', { body: { workflowId: 'asks', environment: 'dev', inputs: [{ id: 4711 }] } });
      await page.getByRole('gridcell', { name: /asks/ }).first().click();
      await page.getByRole('button', { name: 'Einmal-Link…' }).waitFor();
    },
  ],
  ['/nowhere', (page) => page.getByText('Seite nicht gefunden').first().waitFor()],
];

/** A job of each kind, so that the pages have something to say. */
async function fill(master: TestMaster): Promise<{ failed: string }> {
  await publish(master, 'greeter', greeter);
  const place = { workflowId: 'greeter', environment: 'dev' } as const;
  await master.call('schedules.create', { body: { ...place, cron: '@daily', inputs: [{ name: 'Ada' }] } });
  await master.call('webhooks.create', { body: { ...place, path: 'german-hook', verify: { type: 'none' } } });
  await master.call('workflowTests.replace', {
    params: { id: 'greeter' },
    body: { cases: [{ name: 'Ada', input: { name: 'Ada' }, expect: { output: { greeting: 'Hello Ada' } } }] },
  });
  expect((await master.event('triage/dev', [{ subject: 'Login is down', body: 'urgent', tier: 'gold' }])).status).toBe(
    200,
  );
  await master.event('shout/dev', [{ content: 'hello' }]);
  const bad = await master.event('reserve-stock/dev', [{ order: 'A-1', sku: 'nut-m3', count: 1, trouble: 'unknown' }]);
  const { jobId } = (await bad.json()) as { jobId: string };
  await master.call('operations.kill', { body: { ids: [jobId] } });
  return { failed: jobId };
}

/** A window of its own: those of other tests go on in English. */
async function openGerman(browser: Browser, { url, token }: TestMaster) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'de-DE',
    reducedMotion: 'reduce',
  });
  expect((await context.request.post(`${url}/api/v1/session`, { data: { token } })).status()).toBe(204);
  return { context, page: await context.newPage() };
}

test('a browser that asks for German reads German, with its dates and numbers', async ({ systemBrowser, master }) => {
  test.slow();
  const { failed } = await fill(master);
  const { context, page } = await openGerman(systemBrowser, master);
  const left: string[] = [];
  for (const [path, ready] of PAGES) {
    await openPage(page, `${master.url}${path}`);
    await ready(page, master);
    await takePicture(page, `german${path.replaceAll(/\W+/g, '-')}`, 'light');
    left.push(...(await englishOn(page)).map((text) => `${path}: ${text}`));
  }
  expect([...new Set(left)]).toEqual([]);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');

  await openPage(page, `${master.url}/workflows/greeter?tab=runs`);
  const tabs = page.getByRole('tablist').getByRole('tab');
  await expect(tabs).toHaveCount(10);
  const tops = await tabs.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size, 'lines of tabs').toBe(1);

  await openPage(page, `${master.url}/jobs/${failed}`);
  const header = page.getByRole('main').locator('header').first();
  const badge = header.getByText('Fehlgeschlagen', { exact: true });
  await badge.waitFor();
  const middle = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return (top + bottom) / 2;
  };
  const title = await header.getByRole('heading', { name: failed }).evaluate(middle);
  expect(Math.abs((await badge.evaluate(middle)) - title), 'the ID and the status are in one line').toBeLessThan(8);
  const action = await header.getByRole('button', { name: /^Stoppen/ }).evaluate(middle);
  expect(Math.abs(action - title), 'the actions stand beside them').toBeLessThan(24);

  // One English word with two meanings: what was mended is called otherwise.
  await openPage(page, `${master.url}/schedules`);
  await page.getByRole('button', { name: 'Neuer Zeitplan' }).first().click();
  await expect(page.getByRole('dialog').getByText('Fest', { exact: true })).toBeVisible();

  await openPage(page, `${master.url}/settings?tab=appearance`);
  await page.getByRole('combobox', { name: 'Sprache' }).click();
  await page.getByRole('option', { name: 'English' }).click();
  await page.getByText('Row height and text size').waitFor();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await context.close();
});

test('how many jobs failed after a publication is not cut off in a window of 1280 pixels', async ({
  systemBrowser,
  master,
}) => {
  const broken = node('fail', 'code', { source: "throw new Error('no tariff');" }, { retries: 0 });
  await publish(master, 'german-impact', line('Kaputt', broken));
  for (let i = 0; i < 8; i++) await master.event('german-impact/dev', [{ order: i }]);
  const { context, page } = await openGerman(systemBrowser, master);
  await page.goto(`${master.url}/workflows/german-impact?tab=publish`);
  const link = page.getByRole('link', { name: '8 fehlgeschlagen' });
  await expect(link).toBeVisible();
  const [words, cell] = await Promise.all(
    [link, page.getByRole('gridcell').filter({ has: link })].map((one) => one.boundingBox()),
  );
  expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0));
  await context.close();
});
