import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const nounsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/[rR]oute\(\s*app,\s*'(\w+)\./g)].map(([, noun]) => noun as string)),
];
/** `tasks.ts` for `tasks.get`, or `job-export.ts` for `jobs.export`. */
const isFileOf = (stem: string, noun: string): boolean =>
  stem === kebab(noun) || stem.startsWith(`${kebab(noun).replace(/s$/, '')}-`);

it('the handlers of a noun are in the file that has its name', () => {
  const files = execFileSync('git', ['ls-files', 'src/server/http/routes/*.ts'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && !file.endsWith('.test.ts') && !file.includes('/incident/'));
  const found = files.map((file) => ({ file, nouns: nounsIn(readFileSync(file, 'utf8')) }));
  expect(found.flatMap(({ nouns }) => nouns).length).toBeGreaterThan(25);
  const strangers = found.flatMap(({ file, nouns }) =>
    nouns.filter((noun) => !isFileOf(basename(file, '.ts'), noun)).map((noun) => `${noun} in ${file}`),
  );
  expect(strangers).toEqual([]);
});

it('finds a handler that is elsewhere', () => {
  expect(nounsIn("route(app, 'tasks.retry', …); textRoute(\n  app,\n  'jobs.list'")).toEqual(['tasks', 'jobs']);
  expect([isFileOf('reruns', 'tasks'), isFileOf('job-export', 'jobs'), isFileOf('alert-rules', 'alertRules')]).toEqual([
    false,
    true,
    true,
  ]);
});
