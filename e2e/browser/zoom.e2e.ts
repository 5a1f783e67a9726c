import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { openPage } from '../support/open-page.ts';
import { takePicture } from '../support/screenshots.ts';

test.use({ group: 'looks' });

const PATHS = [
  '/',
  '/workflows',
  '/workflows/triage',
  '/workflows/triage?tab=versions',
  '/workflows/triage?tab=publish',
  '/workflows/triage?tab=try',
  '/jobs',
  '/failures',
  '/operations',
  '/workers',
  '/logs',
  '/alerts?tab=rules',
  '/alerts?tab=routing',
  '/dashboards',
  '/dashboards/cluster-overview',
  '/settings?tab=appearance',
  '/settings?tab=limits',
  '/settings?tab=pipeline',
  '/nowhere',
];

/** What can be operated and lies beyond the window with nothing to scroll it into sight. */
const lostOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const scrolls = (element: Element | null, axis: 'X' | 'Y'): boolean => {
      for (let at = element; at !== null && at !== document.documentElement; at = at.parentElement)
        if (/auto|scroll/.test(getComputedStyle(at)[`overflow${axis}`])) return true;
      return false;
    };
    if (document.documentElement.scrollWidth > innerWidth)
      found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    const main = document.querySelector('main');
    if (main !== null && main.scrollWidth > main.clientWidth + 1)
      found.push(`the page within its frame is ${main.scrollWidth} px wide`);
    for (const element of document.querySelectorAll<HTMLElement>(
      'button, a[href], input, select, textarea, [role="tab"], [role="checkbox"]',
    )) {
      if (
        !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
        element.closest('.visually-hidden, [aria-hidden="true"], .cm-editor') !== null
      )
        continue;
      const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
      if (width === 0 || height === 0 || element.matches('[href="#main"]')) continue;
      const name = `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`;
      if ((right > innerWidth + 1 || left < -1) && !scrolls(element.parentElement, 'X'))
        found.push(`${name} lies beside the window`);
      // What names a row and what can be done to it stay, however narrow their table.
      const table = element
        .closest('[data-pin="0"], [data-pin="end"]')
        ?.closest('[role="grid"]')
        ?.getBoundingClientRect();
      if (table && table.width > 500 && (right > table.right + 1 || left < table.left - 1))
        found.push(`${name} is scrolled out of its table`);
      if ((bottom > innerHeight + 1 || top < -1) && !scrolls(element.parentElement, 'Y'))
        found.push(`${name} lies below the window`);
    }
    return found;
  });

const SIZES = [
  ['200 % zoom of 1280 × 800', 640, 400],
  ['1024 × 700', 1024, 700],
  ['320 px', 320, 640],
] as const;

test('nothing is out of reach in a small window or at 200 % zoom', async ({ page, master }) => {
  test.slow();
  const lost: string[] = [];
  for (const path of PATHS) {
    await openPage(page, `${master.url}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    for (const [name, width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      let found: string[] = [];
      // Tables follow the window a frame later.
      await expect
        .poll(async () => (found = await lostOf(page)), { timeout: 3000 })
        .toEqual([])
        .catch(() => undefined);
      lost.push(...found.map((what) => `${path} at ${name}: ${what}`));
      await takePicture(page, `zoom-${width}${path.replaceAll(/\W+/g, '-')}`, 'light');
    }
  }
  expect(lost).toEqual([]);
});

const TABLES = [
  '/workflows',
  '/workflows/triage?tab=versions',
  '/workflows/triage?tab=publish',
  '/workflows/triage?tab=keys',
  '/jobs',
  '/failures',
  '/operations',
  '/workers',
  '/fleet',
  '/alerts?tab=rules',
  '/alerts?tab=silences',
  '/alerts?tab=channels',
  '/alerts?tab=history',
  '/dashboards',
  '/settings?tab=keys',
  '/settings?tab=tokens',
  '/settings?tab=secrets',
  '/settings?tab=limits',
  '/settings?tab=audit',
];

for (const language of ['en', 'de'] as const) {
  test(`every table fits into a window of 1280 pixels (${language})`, async ({ page, master }) => {
    test.slow();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${master.url}/healthz`);
    await page.evaluate(
      (chosen) => localStorage.setItem('yardmaster.preferences', JSON.stringify({ language: chosen })),
      language,
    );
    const wide: string[] = [];
    await page.goto(`${master.url}/`);
    for (const path of TABLES) {
      await openPage(page, `${master.url}${path}`);
      await page.getByRole('grid').first().waitFor();
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      for (const grid of await page.getByRole('grid').all()) {
        const [all, box] = await grid.evaluate((element) => [element.scrollWidth, element.clientWidth]);
        if (all > box + 1) wide.push(`${path}: ${all} of ${box} px`);
      }
    }
    expect(wide).toEqual([]);
  });
}
