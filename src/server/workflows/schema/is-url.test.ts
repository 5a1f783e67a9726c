import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isUrl } from './is-url.ts';

const library = fullFormats.url as RegExp;

it.each([
  'http://example.com',
  'HTTPS://a-b.example.co:8080/path?x=@y',
  'ftp://user:word@ex.am.ple/',
  'http://a@b@c.de/x',
  'http://@a.bc',
  'http://@@a.bc',
  'http://a.bc@',
  'http://a.bc/@',
  'http://a.bc/@d.ef/ g',
  'http://10.1.2.3',
  'http://8.8.8.8:80/',
  'http://localhost',
  'http://ä.öü',
  'mailto:a@b.cd',
  'http://',
])('%s is one, or none, as for the library', (text) => expect(isUrl(text)).toBe(library.test(text)));

it('agrees with the library on any short text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('http://', 'a', 'bc', '.', '-', '@', ':', '/', '80', '8.8.8.8', '10.0.0.1', 'ü', ' '), {
        maxLength: 14,
      }),
      (pieces) => {
        const text = `http://${pieces.join('')}`;
        expect([text, isUrl(text)]).toEqual([text, library.test(text)]);
      },
    ),
    { numRuns: 3000 },
  );
});
