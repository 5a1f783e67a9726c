import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';

/** Names of source files that comments and guides mention. Decisions tell history and may name what is gone. */
const SOURCES = globSync('{src,scripts,e2e,bench,deploy}/**/*.{ts,tsx,mjs}').filter(
  (path) => !/node_modules|file-mentions\.test\.ts$/.test(path),
);
const GUIDES = globSync('*.md').concat(globSync('docs/*.md'));
const NAMES = new Set(SOURCES.map((path) => basename(path)));
/** Names that stand for others, and what is not below these folders. */
const OTHERS = new Set(['NAME.ts', 'electron.vite.config.ts', 'queue.limits.test.ts']);

/** The mentions of files that are not there, in comments (`code`) or anywhere (guides). */
function missing(text: string, code: boolean): string[] {
  const read = code ? (text.match(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/ .*$/gm) ?? []).join('\n') : text;
  return [...read.matchAll(/(?<![\w*<>.…])([\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs))\b/g)]
    .map(([, name = '']) => name)
    .filter((name) => !NAMES.has(name) && !OTHERS.has(name));
}

test('files that comments and guides mention exist', () => {
  const found = [
    ...SOURCES.flatMap((path) => missing(readFileSync(path, 'utf8'), true).map((name) => `${path}: ${name}`)),
    ...GUIDES.flatMap((path) => missing(readFileSync(path, 'utf8'), false).map((name) => `${path}: ${name}`)),
  ];
  expect(found).toEqual([]);
});

test('a file that is gone is found', () => {
  expect(missing('/** See `gone-file.ts`. */ const a = 1; // and other/lost.tsx', true)).toEqual([
    'gone-file.ts',
    'lost.tsx',
  ]);
  expect(missing("import { a } from './gone-file.ts';", true)).toEqual([]);
});
