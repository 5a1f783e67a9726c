import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * A button that is disabled because its reader may not do what it does says so: by `title`, which `FocusKeepingButton` shows
 * and tells by keyboard as well, or as a `ReasonButton`.
 */
const BUTTON = /<(?:Button|ActionIcon|SmallButton)\b(?:=>|"[^"]*"|'[^']*'|[^>"'])*>/g;
const BY_ROLE = /\bdisabled=\{[^}]*(?:!can[A-Z]\w*|!may\w*|\bwhyNot\w*|\bwhy[A-Z]\w* [!=]==)/;

const silent = (source: string): string[] =>
  [...source.matchAll(BUTTON)]
    .map(([element]) => element)
    .filter((element) => BY_ROLE.test(element) && !/\btitle=/.test(element));

test('every button that is disabled by role says why, also by keyboard', () => {
  const files = globSync('src/renderer/**/*.tsx');
  expect(files.length).toBeGreaterThan(200);
  expect(
    files.flatMap((file) => silent(readFileSync(file, 'utf8')).map((element) => `${file}: ${element.slice(0, 120)}`)),
  ).toEqual([]);
});

test('the check sees one that does not', () => {
  expect(silent('<Button disabled={!canAdmin} onClick={() => go()}>Go</Button>')).toHaveLength(1);
  expect(silent('<Button disabled={!canAdmin || bad} title={whyAdmin}>Go</Button>')).toEqual([]);
});
