import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTarReader, NotTar, tarEnd, tarHeader, tarPadding } from './tar.ts';

const limits = { partBytes: 1_000_000, parts: 1000 };
const archive = (parts: readonly (readonly [string, Uint8Array])[]) => Buffer.concat([...parts.flatMap(([name, bytes]) => [tarHeader(name, bytes.length, 1_700_000_000_000), bytes, tarPadding(bytes.length)]), tarEnd()]);
const bytesOf = (text: string) => new TextEncoder().encode(text);
const long = `workflows/${'w'.repeat(63)}/commits/${'a'.repeat(40)}.json`;

it('writes what common tools open', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tar-')), 'a.tar');
  writeFileSync(file, archive([['manifest.json', bytesOf('{}')], [long, bytesOf('x'.repeat(513))], ['empty.txt', bytesOf('')]]));
  expect(execFileSync('tar', ['-tf', file], { encoding: 'utf8' }).trim().split('\n')).toEqual(['manifest.json', long, 'empty.txt']);
  expect(execFileSync('tar', ['-xOf', file, long], { encoding: 'utf8' })).toBe('x'.repeat(513));
});

it('reads what it wrote, whatever pieces it comes in', () => {
  const part = fc.tuple(fc.constantFrom('a', 'b/c.json', long), fc.uint8Array({ maxLength: 1500 }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.integer({ min: 1, max: 700 }), (parts, step) => {
      const whole = archive(parts);
      const reader = createTarReader(limits);
      const read = [];
      for (let from = 0; from < whole.length; from += step) read.push(...reader.push(whole.subarray(from, from + step)));
      expect(read.map(({ name, bytes }) => [name, [...bytes]])).toEqual(parts.map(([name, bytes]) => [name, [...bytes]]));
      expect(reader.ended).toBe(true);
    }),
  );
});

it('takes anything else for what it is, and nothing above its limits', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 512, maxLength: 4000 }), (junk) => {
      const reader = createTarReader(limits);
      try {
        reader.push(junk);
      } catch (error) {
        expect(error instanceof NotTar || error instanceof RangeError).toBe(true);
      }
    }),
  );
  expect(() => createTarReader({ ...limits, partBytes: 10 }).push(archive([['a', bytesOf('x'.repeat(11))]]))).toThrow('at most 10');
  expect(() => createTarReader({ ...limits, parts: 1 }).push(archive([['a', bytesOf('')], ['b', bytesOf('')]]))).toThrow('more than 1');
  expect(createTarReader(limits).push(archive([['a', bytesOf('abc')]]).subarray(0, 514))).toEqual([]);
});
