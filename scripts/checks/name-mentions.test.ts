import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Names of code that comments mention in backticks: a rename leaves them behind. */
const SOURCES = globSync('{src,scripts,e2e,bench}/**/*.{ts,tsx,mjs}').filter(
  (path) => !/node_modules|name-mentions\.test\.ts$/.test(path),
);
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/[^\n]*/g;
/** What is unmistakably a name of code: two words in one, or a constant of several. */
const NAME = /`((?:[a-z]+|[A-Z][a-z]+)[A-Z]\w*|[A-Z]+(?:_[A-Z]+)+)(?:\(\))?`/g;

const namesOf = (code: string) => code.replace(COMMENT, ' ').match(/[A-Za-z_$][\w$]*/g) ?? [];
const mentionsOf = (code: string) =>
  (code.match(COMMENT) ?? []).flatMap((comment) => [...comment.matchAll(NAME)].map(([, name = '']) => name));

test('names of code that comments mention exist', () => {
  const texts = SOURCES.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  const known = new Set(texts.flatMap(({ text }) => namesOf(text)));
  expect(
    texts.flatMap(({ path, text }) =>
      mentionsOf(text)
        .filter((name) => !known.has(name))
        .map((name) => `${path}: ${name}`),
    ),
  ).toEqual([]);
});

test('a name that is gone is found', () => {
  const code = '/** Throws `GoneError`; see `stillThere` and `OLD_LIMIT`. */ const stillThere = 1;';
  const known = new Set(namesOf(code));
  expect(mentionsOf(code).filter((name) => !known.has(name))).toEqual(['GoneError', 'OLD_LIMIT']);
});
