import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { asAscii, asciiSources, modulesOnDemand, sharedInOne, STARTED } from './node-build.ts';

it('means the same in ASCII', () => {
  const code = `
    const ünlogisch = ['→ “quoted” …', \`\${1 + 1} × 🚀\`, /[–—]+/.test('a—b'), /^🚀$/u.test('🚀'), '\\u2192 already'];
    return { ünlogisch, 'schlüssel': 'größe' }; // Kommentar: ä
  `;
  const written = asAscii(code);
  expect(written).toMatch(/^[\0-\x7f]*$/);
  const run = (text: string): unknown => new Function(text)();
  expect(run(written)).toEqual(run(code));
});

it('refuses what an escape would change', () => {
  const build = (code: string) => asciiSources().generateBundle(null, { 'a.js': { type: 'chunk', code } });
  expect(() => build('const a = String.raw`\\d →`;')).toThrow('a.js has a String.raw');
  expect(() => build("const a = String.raw`\\d`, b = '→';")).not.toThrow();
});

it.each([
  'fastify/lib/plugin-utils.js',
  'fastify/lib/server.js',
  'ws/lib/websocket.js',
  'ws/lib/permessage-deflate.js',
])('asks in %s for what it seldom needs only where it is used', (name) => {
  const file = resolve('node_modules', name);
  const code = modulesOnDemand().transform(readFileSync(file, 'utf8'), file)?.code ?? '';
  const whole = code.replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
  expect(whole).not.toMatch(/^const (?:semver|http2|https|tls|zlib)\b/m);
  expect(whole).toMatch(/^ .*\brequire\('(?:semver|node:(?:http2|https|tls|zlib))'\)\.\w/m);
  // What is left of the names are properties, keys and texts.
  expect(whole).not.toMatch(/(?<![\w$.'":/-])(?:semver|http2|https|tls|zlib)(?![\w$'":/?-])(?!\s*[:?,)])/);
});

it('tells of a package that has changed', () => {
  expect(() => modulesOnDemand().transform("import tls from 'tls'", '/a/node_modules/ws/lib/websocket.js')).toThrow(
    'a package no longer asks for https',
  );
  expect(modulesOnDemand().transform('', '/a/src/ws/lib/websocket.js')).toBeNull();
});

it('puts into shared files only what loads nothing but itself and what Node has at hand', () => {
  const [first = '', second = '', third = '', ...others] = Object.values(STARTED);
  const imports: Record<string, string[]> = {
    [first]: ['/src/lib/text.ts', '/src/lib/time.ts', '/src/lib/rare.ts'],
    [second]: ['/src/lib/text.ts', '/src/lib/time.ts', '/src/lib/crypto.ts'],
    [third]: ['/src/lib/text.ts', '/src/lib/over-crypto.ts', '/src/lib/ring-a.ts'],
    ...Object.fromEntries(others.map((one) => [one, []])),
    '/src/lib/text.ts': ['/src/lib/time.ts', 'node:path'],
    '/src/lib/time.ts': [],
    '/src/lib/rare.ts': [],
    '/src/lib/crypto.ts': ['node:crypto'],
    '/src/lib/over-crypto.ts': ['/src/lib/crypto.ts'],
    '/src/lib/ring-a.ts': ['/src/lib/ring-b.ts'],
    '/src/lib/ring-b.ts': ['/src/lib/ring-a.ts'],
    '/src/lib/of-main.ts': ['/src/lib/time.ts', 'node:fs'],
    '/src/lib/of-a-package.ts': ['/node_modules/ws/index.js'],
    '/node_modules/ws/index.js': [],
  };
  const graph = {
    getModuleInfo: (id: string) =>
      imports[id] === undefined ? null : { importedIds: imports[id], dynamicallyImportedIds: [] },
  };
  const [group] = sharedInOne().groups;
  const placeOf = (name: string) => group?.name(`/src/lib/${name}.ts`, graph);
  // Whatever one of them loads is there too, or in the file that all load.
  expect(['text', 'time'].map(placeOf)).toEqual(['shared', 'shared']);
  expect(placeOf('of-main')).toBe('shared-main');
  // One or two threads alone would make all the others keep its text.
  expect(placeOf('rare')).toBeNull();
  expect(['crypto', 'over-crypto', 'ring-a', 'ring-b', 'of-a-package'].map(placeOf)).toEqual(Array(5).fill(null));
});
