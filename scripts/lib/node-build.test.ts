import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { asAscii, asciiSources, modulesOnDemand } from './node-build.ts';

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
