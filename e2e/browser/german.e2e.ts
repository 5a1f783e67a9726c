import type { Page } from '@playwright/test';
import { de } from '../../src/renderer/languages/de.ts';
import { greeter } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';
import { publish, type TestMaster } from '../support/master.ts';
import { takePicture } from '../support/screenshots.ts';

test.use({ group: 'looks' });

/** Path, and what is there once it is drawn. */
const PAGES: [path: string, ready: (page: Page) => Promise<unknown>][] = [
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
  ['/settings?tab=limits', (page) => page.getByText('Limits und Aufbewahrung').first().waitFor()],
  ['/settings?tab=tokens', (page) => page.getByRole('button', { name: 'Neues Token' }).waitFor()],
  ['/nowhere', (page) => page.getByText('Seite nicht gefunden').first().waitFor()],
];

/** A job of each kind, so that the pages have something to say. */
async function fill(master: TestMaster): Promise<void> {
  await publish(master, 'greeter', greeter);
  expect((await master.event('triage/dev', [{ subject: 'Login is down', body: 'urgent', tier: 'gold' }])).status).toBe(
    200,
  );
  await master.event('shout/dev', [{ content: 'hello' }]);
  const bad = await master.event('reserve-stock/dev', [{ order: 'A-1', sku: 'nut-m3', count: 1, trouble: 'unknown' }]);
  const { jobId } = (await bad.json()) as { jobId: string };
  await master.call('operations.kill', { body: { ids: [jobId] } });
}

/** What a person reads or hears on the page, outside of data that people and programs made. */
const wordsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const data = 'pre, code, time, .mono, .cm-editor, [role="log"]';
    const found = new Set<string>();
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      if (element.closest(data) !== null || !element.checkVisibility()) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'data-hint'])
        found.add(element.getAttribute(name)?.trim() ?? '');
      for (const child of element.childNodes)
        if (child.nodeType === Node.TEXT_NODE) found.add(child.textContent?.trim() ?? '');
    }
    return [...found].filter((text) => /\p{L}{2}/u.test(text));
  });

/** What people and the master wrote: names, descriptions. */
const DATA = /^(?:Scores a support ticket|Example$|Body$|error$|Test an |Desktop)/;

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Texts of the English console that are others in German, as patterns; those that are a gap and little else would match anything. */
const ENGLISH = Object.entries(de)
  .filter(
    ([english, german]) =>
      english !== german && english.replaceAll(/\{\w+\}/g, '').replaceAll(/\P{L}/gu, '').length > 3,
  )
  .map(
    ([english]) =>
      new RegExp(
        `^${english
          .split(/\{\w+\}/)
          .map(literal)
          .join('.+')}$`,
        's',
      ),
  );

test('a browser that asks for German reads German, with its dates and numbers', async ({ systemBrowser, master }) => {
  test.slow();
  await fill(master);
  const context = await systemBrowser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'de-DE',
    reducedMotion: 'reduce',
  });
  expect((await context.request.post(`${master.url}/api/v1/session`, { data: { token: master.token } })).status()).toBe(
    204,
  );
  const page = await context.newPage();
  const left: string[] = [];
  for (const [path, ready] of PAGES) {
    await openPage(page, `${master.url}${path}`);
    await ready(page);
    await takePicture(page, `german${path.replaceAll(/\W+/g, '-')}`, 'light');
    const said = new Set(Object.values(de).flatMap((german) => german.split('|')));
    for (const text of await wordsOf(page))
      if (!said.has(text) && !DATA.test(text) && ENGLISH.some((pattern) => pattern.test(text)))
        left.push(`${path}: ${text}`);
  }
  expect([...new Set(left)]).toEqual([]);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');

  await openPage(page, `${master.url}/settings?tab=appearance`);
  await page.getByRole('combobox', { name: 'Sprache' }).click();
  await page.getByRole('option', { name: 'English' }).click();
  await page.getByText('Row height and text size').waitFor();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await context.close();
});
