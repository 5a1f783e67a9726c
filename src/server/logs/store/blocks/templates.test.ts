import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChecksumError } from './bytes.ts';
import { MAX_DIGITS, numberOfRun, runOf } from './numbers.ts';
import { decodeNumbers, templateCodes, textOfTemplates } from './template-column.ts';
import { numberBytes, splitTexts, templatesOf } from './templates.ts';

const any = () => true;
/** Texts as a field has them, each in a row. */
function textsOf(values: readonly Buffer[]): { texts: { bytes: Buffer; ends: Uint32Array }; codes: Uint32Array } {
  const ends = new Uint32Array(values.length + 1);
  values.forEach((value, i) => (ends[i + 1] = (ends[i] ?? 0) + value.length));
  return { texts: { bytes: Buffer.concat(values), ends }, codes: Uint32Array.from(values, (_, i) => i + 1) };
}
const part = fc.oneof(
  fc.stringMatching(/^[0-9]{1,12}$/),
  fc.constantFrom('a', ' of ', 'ä', '0', '00', '٣', '-'),
  fc.string({ maxLength: 5 }),
);
const value = fc.oneof(
  fc.array(part, { maxLength: 8 }).map((parts) => Buffer.from(parts.join(''))),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
);

describe('templates', () => {
  it('give back the bytes of every text', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), (values) => {
        const { texts, codes } = textsOf(values);
        const split = splitTexts(texts, codes, any);
        if (split === null) return;
        const read = templateCodes(split.texts, split.codes);
        const whole = textOfTemplates(read, decodeNumbers(numberBytes(split.numbers), read));
        expect(whole.bytes.equals(texts.bytes)).toBe(true);
        expect([...whole.ends]).toEqual([...texts.ends.subarray(1)]);
        for (const template of read.templates) expect(template).not.toMatch(/[1-9]/);
      }),
      { numRuns: 300 },
    );
  });

  it('are the same for texts that differ in their digits alone', () => {
    const { texts, codes } = textsOf(
      ['7 of 10', '123 of 000', '1 of x', '', '5 of 9'].map((text) => Buffer.from(text)),
    );
    const split = splitTexts(texts, codes, any);
    expect(split?.texts.map(String)).toEqual(['0 of 0', '0 of x', '']);
    expect([...(split?.codes ?? [])]).toEqual([0, 0, 1, 2, 0]);
  });

  it('are given up for short texts, long ones, and those that have little in common', () => {
    const of = (make: (i: number) => string, rows = 600) => {
      const { texts, codes } = textsOf(Array.from({ length: rows }, (_, i) => Buffer.from(make(i))));
      return templatesOf(texts, codes);
    };
    expect(of((i) => `the number of this is ${i}`)?.texts).toHaveLength(1);
    expect(of((i) => `n ${i}`)).toBeNull();
    expect(of((i) => `the number ${'x'.repeat(i)} of this is ${i}`)).toBeNull();
    expect(of((i) => `${'1,'.repeat(65)}${i} and some text`)).toBeNull();
    expect(of((i) => `${'x'.repeat(5000)}${i}`)).toBeNull();
  });

  it('never bring anything but damage out of numbers that are noise', () => {
    const read = templateCodes([Buffer.from('a 0 b 0'), Buffer.from('c 0')], Uint8Array.of(0, 1, 0));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), (noise) => {
        try {
          textOfTemplates(read, decodeNumbers(Buffer.from(noise), read));
        } catch (error) {
          expect(error).toBeInstanceOf(ChecksumError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

it('a run of digits has a number of its own', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{1,9}$/), (run) => {
      expect(runOf(numberOfRun(run))).toBe(run);
      expect(numberOfRun(run)).toBeLessThan(2 ** 31);
    }),
  );
  for (let digits = 1; digits <= MAX_DIGITS; digits++)
    for (const run of ['0'.repeat(digits), '9'.repeat(digits)]) expect(runOf(numberOfRun(run))).toBe(run);
  expect(numberOfRun('9'.repeat(MAX_DIGITS))).toBe(1_111_111_109);
});
