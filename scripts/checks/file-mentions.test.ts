import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Source files that comments and guides mention, by name or with the end of their path. Decisions tell history and may name what is gone. */
const SOURCES = globSync('{src,scripts,e2e,bench,deploy}/**/*.{ts,tsx,mjs}').filter(
  (path) => !/node_modules/.test(path),
);
const GUIDES = globSync('*.md').concat(globSync('docs/*.md'));
const THIS = 'scripts/checks/file-mentions.test.ts';
/** Each file by its name and by every end of its path: `c.ts`, `b/c.ts`, `a/b/c.ts`. */
const NAMES = new Set(SOURCES.flatMap((path) => path.split('/').map((_, i, parts) => parts.slice(i).join('/'))));
/** Names that stand for others, and what is not below these folders. */
const OTHERS = new Set(['bench/NAME.ts', 'electron.vite.config.ts', 'queue.limits.test.ts']);

/** The mentions of files that are not there, in comments (`code`) or anywhere (guides). */
function missing(text: string, code: boolean): string[] {
  const read = code ? (text.match(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/ .*$/gm) ?? []).join('\n') : text;
  return [...read.matchAll(/(?<![\w*<>.…/-])(?:\.{0,2}\/)*((?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs))\b/g)]
    .map(([, name = '']) => name)
    .filter((name) => !NAMES.has(name) && !OTHERS.has(name));
}

test('files that comments and guides mention exist', () => {
  const found = [
    ...SOURCES.filter((path) => path !== THIS).flatMap((path) =>
      missing(readFileSync(path, 'utf8'), true).map((name) => `${path}: ${name}`),
    ),
    ...GUIDES.flatMap((path) => missing(readFileSync(path, 'utf8'), false).map((name) => `${path}: ${name}`)),
  ];
  expect(found).toEqual([]);
});

test('a file that is gone is found', () => {
  expect(missing('/** See `gone-file.ts`. */ const a = 1; // and other/lost.tsx', true)).toEqual([
    'gone-file.ts',
    'other/lost.tsx',
  ]);
  expect(missing('See `checks/file-mentions.test.ts` and `lib/file-mentions.test.ts`.', false)).toEqual([
    'lib/file-mentions.test.ts',
  ]);
  expect(missing("import { a } from './gone-file.ts';", true)).toEqual([]);
});
