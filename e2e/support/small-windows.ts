import { expect, type Page } from '@playwright/test';
import { takePicture } from './screenshots.ts';

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
  ['800 × 600', 800, 600],
  ['320 px', 320, 640],
] as const;

/** What of the page is out of reach in a small window or at 200 % zoom; `name`: of its pictures. */
export async function lostInSmallWindows(page: Page, name: string): Promise<string[]> {
  const lost: string[] = [];
  for (const [size, width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    let found: string[] = [];
    // Tables follow the window a frame later.
    await expect
      .poll(async () => (found = await lostOf(page)), { timeout: 10_000 })
      .toEqual([])
      .catch(() => undefined);
    lost.push(...found.map((what) => `${name} at ${size}: ${what}`));
    await takePicture(page, `zoom-${width}${name.replaceAll(/\W+/g, '-')}`, 'light');
  }
  return lost;
}

/** Tables that are wider than their box. */
export async function wideTables(page: Page): Promise<string[]> {
  const wide: string[] = [];
  for (const grid of await page.getByRole('grid').all()) {
    const [all, box] = await grid.evaluate((element) => [element.scrollWidth, element.clientWidth]);
    if (all > box + 1) wide.push(`${all} of ${box} px`);
  }
  return wide;
}
