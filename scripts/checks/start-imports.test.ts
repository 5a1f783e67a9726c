import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, it } from 'vitest';

/** What a file imports before it runs: neither types alone, nor what it asks for later by `import()`. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/^(?:import|export)\s+(?!type\b)([^'";]*?\bfrom\s+)?'([^']+)'/gm)]
    .filter(([, names]) => !/^\{(?:\s*type [^,}]+,?)+\s*\}\s*from\s+$/.test(names ?? ''))
    .map(([, , from]) => from as string);

/** All packages and modules of Node that come with a file of the product, directly or by others. */
function comesWith(entry: string): string[] {
  const seen = new Set<string>();
  const outside = new Set<string>();
  function visit(file: string): void {
    if (seen.has(file)) return;
    seen.add(file);
    for (const from of importsOf(readFileSync(file, 'utf8'))) {
      if (!from.startsWith('.')) outside.add(from);
      else if (from.endsWith('.ts') && existsSync(resolve(dirname(file), from))) visit(resolve(dirname(file), from));
    }
  }
  visit(resolve(entry));
  expect(seen.size).toBeGreaterThan(5);
  return [...outside].sort();
}

it('tells what is imported at once from types and from what is imported later', () => {
  expect(
    importsOf(`import a from 'a';
import type { B } from 'b';
import { type C, type D } from 'c';
import { type E, f } from 'e';
import './g.ts';
export { h } from './h.ts';
import {
  i,
} from 'i';
const j = await import('j');`),
  ).toEqual(['a', 'e', './g.ts', './h.ts', 'i']);
});

// PostgreSQL, OpenID Connect, passkeys, mail, archives, S3, YAML and QuickJS are loaded by what uses them.
it('a master that shares nothing starts with these packages alone', () => {
  expect(comesWith('src/server/index.ts').filter((name) => !name.startsWith('node:'))).toEqual([
    'ajv',
    'ajv-formats',
    'ajv/dist/2020.js',
    'ajv/dist/runtime/equal.js',
    'better-sqlite3',
    'fastify',
    'jsonata',
    're2js',
    'rfc6902',
    'typebox',
    'ws',
  ]);
});

it('a master starts its workers before it loads the rest', () => {
  expect(comesWith('src/server/entry.ts').filter((name) => !name.startsWith('node:'))).toEqual(['better-sqlite3']);
});

it('a worker starts with these packages alone, and leaves HTTPS and compression to their first use', () => {
  const all = [...comesWith('src/worker/start.ts'), ...comesWith('src/cli/commands/worker.ts')];
  expect([...new Set(all)].filter((name) => !name.startsWith('node:')).sort()).toEqual(['commander', 'jsonata', 'ws']);
  expect(all.filter((name) => /^node:(?:https|http2|tls|zlib|dgram|readline)$/.test(name))).toEqual([]);
});

it.each([
  ['src/server/logs/store/write/writer-thread.ts'],
  ['src/server/logs/pipeline/pipeline-thread.ts'],
  ['src/server/metrics/store/store-thread.ts'],
  ['src/server/metrics/store/write/writer.ts'],
])('%s, which always runs, leaves what talks to others to its first use', (entry) => {
  expect(comesWith(entry).filter((name) => /^node:(?:crypto|https?|http2|tls|readline)$/.test(name))).toEqual([]);
});
