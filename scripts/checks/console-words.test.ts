import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERRORS } from '../../src/contract/errors.ts';
import { LIMITS } from '../../src/contract/limits.ts';
import { OTHER_SETTINGS } from '../../src/contract/settings.ts';
import { de } from '../../src/renderer/languages/de.ts';
import { wordsOf } from '../lib/words.mjs';

/** Texts that look like words of the console and are none: the machine's own, code, and names of languages. */
const NO_WORDS = new Set([
  't(asSetting)',
  'Bearer  … ',
  'curl',
  'Node.js',
  'Docker',
  'fetch',
  'Python',
  'English',
  'Deutsch',
  'Control',
  'Meta',
  'Down',
  'Unstable',
  'Error',
  'Alerting',
  'Grafana',
  'Recovering',
  'team',
  'berlin',
  'order.country',
  'yardmaster logs',
  'String',
  'input schema',
  'yardmaster metrics series',
]);
/** Files whose texts are code for the reader to copy, or end up in what is stored. */
const CODE = [
  'src/lib/api-client.ts',
  'features/workflows/snippets.ts',
  'features/workflows/definition/starter.ts',
  'features/workflows/fields/preview.ts',
  'ui/rich.tsx',
  'ui/error-text.ts',
  'ui/table/use-rows.ts',
];
/** They speak as the master does, or in a worker of the page, which has no language. */
const ENGLISH = ['api/incident/', 'ui/json/'];
const ROOT = 'src/renderer';
/** Words that the console shares with the master and the command line. */
const SHARED = [
  'src/lib/compare-words.ts',
  'src/lib/api-error.ts',
  'src/lib/api-client.ts',
  'src/lib/job-query/parse.ts',
  'src/lib/job-query/list-query.ts',
  'src/lib/workflow-templates/catalogue.ts',
];
const files = globSync([`${ROOT}/**/*.{ts,tsx}`, ...SHARED], {
  exclude: (name) => /\.test\.tsx?$|\.d\.ts$|\/languages\//.test(name),
}).map((path) => ({
  name: SHARED.includes(path) ? path : path.slice(ROOT.length + 1),
  ...wordsOf(path, readFileSync(path, 'utf8')),
}));
/** Said by `failureOf`: the title that goes with a code, which comes from the master in English. */
const titles = ['Something went wrong', ...Object.values(ERRORS).map(([, title]) => title)].map((text) => ({
  text,
  plural: false,
  at: 'contract/errors.ts',
}));
/** Said by `settingName`, of each setting that the master has. */
const settings = [...Object.keys(LIMITS), ...Object.keys(OTHER_SETTINGS)].map((name) => ({
  text: `${name}##setting`,
  plural: false,
  at: 'contract/limits.ts',
}));
const used = [
  ...titles,
  ...settings,
  ...files.flatMap(({ name, used: words }) => words.map((word) => ({ ...word, at: `${name}:${word.line}` }))),
];
const gaps = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, gap]) => gap as string))].sort();

test('German has every text that the console says', () => {
  expect(used.length).toBeGreaterThan(1500);
  expect(used.filter(({ text }) => !Object.hasOwn(de, text)).map(({ at, text }) => `${at} ${text}`)).toEqual([]);
});

test('and none that the console no longer says', () => {
  const said = new Set(used.map(({ text }) => text));
  expect(Object.keys(de).filter((text) => !said.has(text))).toEqual([]);
});

test('its texts have the gaps of the English ones; what is counted has two forms', () => {
  const wrong = used.filter(({ text, plural }) => {
    const theirs = de[text];
    if (theirs === undefined) return false;
    const left = (of: string) => gaps(of).filter((gap) => !plural || gap !== 'count');
    return (
      left(theirs).join() !== left(text).join() || theirs.split('|').length > (plural ? 2 : text.split('|').length)
    );
  });
  expect(wrong.map(({ at, text }) => `${at} ${text} → ${de[text]}`)).toEqual([]);
});

test('its catalogue says nothing twice', () => {
  const keys = globSync(`${ROOT}/languages/de/*.ts`).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^ {2}('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\w+): /gm)].map(
      ([, key]) => key,
    ),
  );
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
});

test('German addresses nobody: neither du nor Sie', () => {
  // At the beginning of a sentence "Sie" may be "they" or "she".
  const address = /\b(?:du|dich|dir|dein\w*|Ihnen)\b|(?<![.:!?|„] |[|„]|^)\b(?:Sie|Ihr(?:e[mnrs]?)?)\b/;
  expect(Object.values(de).filter((text) => address.test(text))).toEqual([]);
});

test('no text goes round the catalogue', () => {
  const bare = files
    .filter(({ name }) => !CODE.includes(name) && !ENGLISH.some((folder) => name.startsWith(folder)))
    .flatMap(({ name, bare: words }) =>
      words.filter(({ text }) => !NO_WORDS.has(text)).map(({ text, line }) => `${name}:${line} ${text}`),
    );
  expect(bare).toEqual([]);
});
