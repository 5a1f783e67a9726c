import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';

/**
 * What a key page is made of, line by line: the frame, sections, tables with their columns, tabs, headings, fields and buttons
 * in the order of reading, and where the large ones stand and how wide they are. No fonts, colours or data are in it, so that
 * it is the same on every machine and in both themes. `YARDMASTER_LAYOUTS=renew` writes it anew; a look at the difference is
 * the review.
 */
const KEY_PAGES: ReadonlySet<string> = new Set([
  'overview',
  'workflows',
  'workflow-canvas',
  'workflow-versions',
  'workflow-publish',
  'jobs',
  'job-graph',
  'job-tasks',
  'job-compare',
  'failures',
  'operations',
  'workers',
  'logs',
  'alerts-rules',
  'dashboards',
  'dashboard',
  'settings',
]);
const FOLDER = 'e2e/layouts';
const RENEW = process.env['YARDMASTER_LAYOUTS'] === 'renew';
/** Pixels that a box may be off: scroll bars, and words that are wider in another font. */
const ROOM = 24;
/** What comes and goes with the time of day. */
const SOMETIMES = /alerts? firing|new rows?|not responding|Only in (?:this|the other) run|Different count/;
/** The card of alerts says how many fire, where any does. */
const FIRING = /^( *(?:section|h2)) “# alerts? firing”/;

interface Line {
  readonly words: string;
  /** x and width; of the frame y and height too. */
  readonly box: readonly number[];
}

const textOf = ({ words, box }: Line): string => [words, ...(box.length === 0 ? [] : [`[${box.join(' ')}]`])].join(' ');
const lineOf = (text: string): Line => {
  const [, words = '', box] = /^(.*?)(?: \[([\d -]+)\])?$/.exec(text) ?? [];
  return { words, box: box?.split(' ').map(Number) ?? [] };
};

/** Where the page is otherwise than it was; empty where it is the same. */
function differences(was: readonly Line[], is: readonly Line[]): string[] {
  const found: string[] = [];
  const missing = was.filter(({ words }) => !is.some((line) => line.words === words));
  const added = is.filter(({ words }) => !was.some((line) => line.words === words));
  found.push(
    ...missing.map((line) => `gone: ${line.words.trim()}`),
    ...added.map((line) => `new: ${line.words.trim()}`),
  );
  if (found.length > 0) return found;
  if (was.length !== is.length || was.some(({ words }, i) => is[i]?.words !== words))
    return [`another order:\n${is.map(textOf).join('\n')}`];
  for (const [i, { words, box }] of was.entries()) {
    const now = is[i]?.box ?? [];
    if (box.length !== now.length || box.some((pixels, j) => Math.abs(pixels - (now[j] as number)) > ROOM))
      found.push(`${words.trim()}: was [${box.join(' ')}], is [${now.join(' ')}]`);
  }
  return found;
}

async function layoutOf(page: Page): Promise<Line[]> {
  const lines = await page.evaluate(() => {
    const FRAME = 'body header:not(main header), body nav:not(main nav), main, body footer:not(main footer)';
    const LARGE = 'main section, main [role="region"], main aside, main [role="grid"], main table';
    const SMALL =
      'main h1, main h2, main [role="group"][aria-label], main [role="tablist"], main button, main [role="switch"], main input:not([type="hidden"]):not([type="file"]), main select, main textarea, main [role="textbox"]';
    /** Data, and what has an order of its own. */
    const DATA =
      '[role="row"], li, [role="listbox"], [role="log"], .react-flow, [role="tree"], .cm-editor, [aria-hidden="true"], .visually-hidden, .mantine-Notifications-root, article, [role="tablist"] *, table *, [role="grid"] *, .mantine-Pagination-root *';
    const plain = (text: string | null | undefined) =>
      (text ?? '')
        .replaceAll(/\s+/g, ' ')
        .trim()
        .replaceAll(/[0-9a-f]{8,}(-[0-9a-f]+)*/g, '…')
        .replaceAll(/\d+/g, '#')
        .slice(0, 60);
    const SPOKEN = 'button, h1, h2, th, [role="tab"], [role="columnheader"]';
    const named = (element: Element) =>
      plain(
        element.getAttribute('aria-label') ??
          (element as HTMLInputElement).labels?.[0]?.textContent ??
          element.getAttribute('placeholder') ??
          (element.matches(SPOKEN)
            ? element.textContent
            : element.matches('section')
              ? element.querySelector('h2')?.textContent
              : ''),
      );
    const kindOf = (element: Element) => element.getAttribute('role') ?? element.tagName.toLowerCase();
    const found: { words: string; box: number[] }[] = [];
    for (const element of document.querySelectorAll([FRAME, LARGE, SMALL].join(', '))) {
      const frame = element.matches(FRAME);
      if (
        (!frame && element.parentElement?.closest(DATA)) ||
        element.matches(DATA) ||
        !element.checkVisibility({ visibilityProperty: true })
      )
        continue;
      // A name with an age in it is another one a second later.
      if (!frame && element.matches(SPOKEN) && element.querySelector('time') !== null) continue;
      const { x, y, width, height } = element.getBoundingClientRect();
      if (width === 0 || height === 0) continue;
      const columns = element.matches('[role="grid"]')
        ? [...element.querySelectorAll('[role="columnheader"]')]
        : element.matches('[role="tablist"]')
          ? [...element.querySelectorAll('[role="tab"]')]
          : element.matches('table')
            ? [...element.querySelectorAll('thead th')]
            : [];
      const list = columns.length === 0 ? '' : `: ${columns.map(named).join(' | ')}`;
      const large = frame || element.matches(LARGE);
      const round = (pixels: number) => Math.round(pixels / 8) * 8;
      const name = named(element);
      found.push({
        words: `${frame ? '' : '  '}${kindOf(element)}${name === '' || frame ? '' : ` “${name}”`}${list}`,
        box: large ? [x, width, ...(frame ? [y, height] : [])].map(round) : [],
      });
    }
    return found;
  });
  return lines
    .map(({ words, box }) => ({ words: words.replace(FIRING, '$1 “Alerts”'), box }))
    .filter(({ words }) => !SOMETIMES.test(words));
}

/** The layout once nothing changes it any more. */
async function settled(page: Page): Promise<Line[]> {
  let before = '';
  for (;;) {
    const now = await layoutOf(page);
    const text = now.map(textOf).join('\n');
    if (text === before) return now;
    before = text;
    await page.waitForTimeout(400);
  }
}

const renewed = new Set<string>();

/** Fails where a key page is laid out otherwise than `e2e/layouts/<name>.txt` says. To be asked in each theme: they differ in colours alone. */
export async function expectLayout(page: Page, name: string): Promise<void> {
  if (!KEY_PAGES.has(name)) return;
  const file = join(FOLDER, `${name}.txt`);
  if (RENEW && !renewed.has(name)) {
    renewed.add(name);
    mkdirSync(FOLDER, { recursive: true });
    return writeFileSync(file, `${(await settled(page)).map(textOf).join('\n')}\n`);
  }
  if (!existsSync(file)) throw new Error(`${file} is missing: run with YARDMASTER_LAYOUTS=renew`);
  const was = readFileSync(file, 'utf8').trimEnd().split('\n').map(lineOf);
  // What a page reads last may be on its way.
  await expect
    .poll(async () => differences(was, await layoutOf(page)), {
      intervals: [100],
      message: `${name} is laid out otherwise than ${file} says; YARDMASTER_LAYOUTS=renew writes it anew`,
    })
    .toEqual([]);
}
