import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { de } from '../../src/main/languages/de.ts';
import { wordsOf } from '../lib/words.mjs';

const files = globSync('src/main/**/*.ts', { exclude: (name) => /\.test\.ts$|\/languages\//.test(name) });
const used = new Set(files.flatMap((path) => wordsOf(path, readFileSync(path, 'utf8')).used.map(({ text }) => text)));
const gaps = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, gap]) => gap))].sort();

test('German has what the system shows of the desktop app, and nothing else, with the same gaps', () => {
  expect(used.size).toBeGreaterThan(40);
  expect(Object.keys(de).sort()).toEqual([...used].sort());
  for (const [text, theirs] of Object.entries(de)) expect(gaps(theirs)).toEqual(gaps(text));
});
