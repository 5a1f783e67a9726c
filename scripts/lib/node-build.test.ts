import { expect, it } from 'vitest';
import { asAscii, asciiSources } from './node-build.ts';

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
