import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DESKTOP_PICTURES, GOAL_PICTURES, PAGES } from '../../e2e/support/pages.ts';
import { PICTURES_OF_DOCS, picturesInDocs } from '../../e2e/support/screenshots.ts';

const shown = picturesInDocs();
const kept = readdirSync(PICTURES_OF_DOCS);

test('every picture that the docs show is there, and says in words what it shows', () => {
  expect(shown.length).toBeGreaterThan(15);
  expect(shown.filter(({ file }) => !kept.includes(file))).toEqual([]);
  expect(shown.filter(({ alt }) => alt.trim() === '')).toEqual([]);
});

test('each is taken by a test under that name', () => {
  const taken = new Set([
    ...PAGES.flatMap(([name]) => [`${name}-light.png`, `${name}-dark.png`]),
    ...GOAL_PICTURES.map((name) => `${name}-light.png`),
    ...DESKTOP_PICTURES.map((name) => `${name}-light.png`),
  ]);
  expect(shown.filter(({ file }) => !taken.has(file))).toEqual([]);
});

test('none is kept that no page shows, and together they stay small', () => {
  expect(kept.filter((file) => !shown.some((picture) => picture.file === file))).toEqual([]);
  expect(kept.reduce((sum, file) => sum + statSync(join(PICTURES_OF_DOCS, file)).size, 0)).toBeLessThan(3_000_000);
});
