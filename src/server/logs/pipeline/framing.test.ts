import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFramer, type UnfinishedBytes } from './framing.ts';

function framed(chunks: readonly Uint8Array[], lineBytes = 1000, held: UnfinishedBytes = { bytes: 0, most: 10_000 }) {
  const lines: [string, boolean][] = [];
  const framer = createFramer(lineBytes, held, (line, cut) => lines.push([line, cut]));
  for (const chunk of chunks) framer.take(Buffer.from(chunk));
  framer.end();
  expect(held.bytes).toBe(0);
  return lines;
}
function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...ends].map((from, i) => bytes.subarray(from, ends[i] ?? bytes.length));
}

it('gives the same lines wherever the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }).map((line) => line.replaceAll('\n', ' '))),
      fc.array(fc.nat(2000)),
      fc.boolean(),
      (lines, places, ended) => {
        const text = lines.join('\n') + (ended ? '\n' : '');
        const expected = text.split('\n');
        // What ends with a newline has nothing behind it; nothing at all is no line either.
        if (expected.at(-1) === '') expected.pop();
        // A lone half of a character pair has no bytes of its own.
        expect(framed(cutAt(Buffer.from(text), places)).map(([line]) => line)).toEqual(
          expected.map((line) => Buffer.from(line).toString()),
        );
      },
    ),
  );
});

it('cuts a line that is too long, however its bytes come, and goes on behind the next newline', () => {
  fc.assert(
    fc.property(fc.integer({ min: 101, max: 900 }), fc.array(fc.nat(2000)), (length, places) => {
      const bytes = Buffer.from(`one\n${'x'.repeat(length)}\ntwo\n`);
      expect(framed(cutAt(bytes, places), 100)).toEqual([
        ['one', false],
        ['x'.repeat(100), true],
        ['two', false],
      ]);
    }),
  );
});

it('leaves out half of a character at the cut', () => {
  expect(framed([Buffer.from('ääää\n')], 3)).toEqual([['ä', true]]);
});

it('takes a line of exactly the length', () => {
  expect(framed([Buffer.from('xxx\n')], 3)).toEqual([['xxx', false]]);
  expect(framed([Buffer.from('x'), Buffer.from('xx')], 3)).toEqual([['xxx', false]]);
});

it('cuts where the unfinished lines of all connections have no more room', () => {
  const held: UnfinishedBytes = { bytes: 0, most: 600 };
  const lines: string[] = [];
  const first = createFramer(1000, held, (line) => lines.push(`first ${line.length}`));
  const second = createFramer(1000, held, (line) => lines.push(`second ${line.length}`));
  first.take(Buffer.alloc(500, 'a'));
  second.take(Buffer.alloc(300, 'b'));
  second.take(Buffer.from('bbb\nnext\n'));
  first.take(Buffer.from('\n'));
  expect(lines).toEqual(['second 300', 'second 4', 'first 500']);
  expect(held.bytes).toBe(0);
});

it('takes a megabyte that comes byte by byte in time', () => {
  const byte = Buffer.from('x');
  let got = 0;
  const framer = createFramer(1 << 20, { bytes: 0, most: 1 << 22 }, (line) => (got = line.length));
  for (let i = 0; i < 1 << 20; i++) framer.take(byte);
  framer.take(Buffer.from('\n'));
  expect(got).toBe(1 << 20);
});
