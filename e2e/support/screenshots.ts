import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Locator, Page } from '@playwright/test';

/** Where the pictures of the documentation lie. */
export const PICTURES_OF_DOCS = 'docs/images';
/**
 * Where a run puts its pictures; none are taken without it, which saves a tenth of the time. `YARDMASTER_SCREENSHOTS=docs/images`
 * renews those of the documentation, and makes no others.
 */
const FOLDER = process.env['YARDMASTER_SCREENSHOTS'];

/** Pictures that a page of the documentation shows, each as `{file, alt, page}`: `overview-light.png`. */
export const picturesInDocs = (): { file: string; alt: string; page: string }[] =>
  [...globSync('docs/**/*.md'), 'README.md'].flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/!\[([^\]]*)\]\((?:docs\/|\.\.\/)?images\/([^)]+)\)/g)].map(
      ([, alt = '', file = '']) => ({ file, alt, page }),
    ),
  );

let wanted: ReadonlySet<string> | null | undefined;

/** Takes the picture `<name>-<theme>.png` of what the window shows, or of a part of it alone. */
export async function takePicture(
  page: Page,
  name: string,
  theme: 'light' | 'dark',
  part: Page | Locator = page,
): Promise<void> {
  if (FOLDER === undefined) return;
  wanted ??= resolve(FOLDER) === resolve(PICTURES_OF_DOCS) ? new Set(picturesInDocs().map(({ file }) => file)) : null;
  const file = `${name}-${theme}.png`;
  if (wanted !== null && !wanted.has(file)) return;
  mkdirSync(FOLDER, { recursive: true });
  await part.screenshot({ path: join(FOLDER, file) });
}
