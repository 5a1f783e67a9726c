import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../lib/code-point.fixture.ts';
import { TextPage } from './text-page.ts';
import { decimal } from './values/decimal.ts';
import { formatTime } from './values/time.ts';

/** A mark at the beginning stays: it is a character of the text. */
const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** What these calls write, each on a line of its own. */
function written(calls: readonly ((page: TextPage) => void)[]): string {
  const page = new TextPage();
  for (const call of calls) {
    call(page);
    page.text('\n');
  }
  return decode(page.take());
}
const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');

const anyFloat = fc.oneof(
  fc.double(),
  fc.integer({ min: -3_000_000_000, max: 3_000_000_000 }).map((n) => n / 10_000),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 100),
  fc.integer(),
  fc.maxSafeInteger(),
  // Neighbours of short decimals are long ones.
  fc.integer({ min: 1, max: 100_000 }).map((n) => (n / 10_000) * (1 + Number.EPSILON)),
);
const anyMs = fc.oneof(
  fc.integer({ min: -9_223_372_036_854, max: 9_223_372_036_854 }),
  fc.integer({ min: -10, max: 10 }).map((day) => day * 86_400_000),
  fc.integer({ min: 1_767_225_599, max: 1_767_312_001 }).map((second) => second * 1000),
  fc.integer({ min: 0, max: 86_400_000 }),
);

describe('a page of text', () => {
  it('has floats as `decimal` writes them', () => {
    fc.assert(
      fc.property(fc.array(anyFloat, { minLength: 1 }), (values) => {
        expect(written(values.map((value) => (page) => page.float(value)))).toBe(lines(values.map(decimal)));
      }),
    );
    const ends = [
      0,
      -0,
      Number.NaN,
      Infinity,
      -Infinity,
      214_748.3647,
      214_748.3648,
      -214_748.3648,
      -214_748.3649,
      0.0001,
      -0.0001,
      0.00005,
      1e-7,
      Number.MIN_VALUE,
      Number.MAX_VALUE,
      1e21,
      99_999.9999,
      100_000,
    ];
    expect(written(ends.map((value) => (page) => page.float(value)))).toBe(lines(ends.map(decimal)));
  });

  it('has times of whole milliseconds as `formatTime` writes them, whichever came before', () => {
    fc.assert(
      fc.property(fc.array(anyMs, { minLength: 1 }), (list) => {
        expect(written(list.map((ms) => (page) => page.ms(ms)))).toBe(
          lines(list.map((ms) => formatTime(BigInt(ms) * 1_000_000n))),
        );
      }),
    );
  });

  it('has texts of any length and script as UTF-8', () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.string({ unit: codePoint }),
      fc.string({ minLength: 60, maxLength: 70 }),
      fc.string({ unit: codePoint, minLength: 60, maxLength: 200 }),
      fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
    );
    fc.assert(
      fc.property(fc.array(anyText), (texts) => {
        const encoder = new TextEncoder();
        const whole = texts.map((text) => text.toWellFormed());
        expect(written(texts.map((text) => (page) => page.text(text)))).toBe(lines(whole));
        expect(written(texts.map((text) => (page) => page.encoded(encoder.encode(text))))).toBe(lines(whole));
      }),
    );
  });

  it('takes what is larger than itself', () => {
    const page = new TextPage();
    const long = 'ä'.repeat(200_000);
    page.text(long);
    expect(page.isFull).toBe(true);
    page.encoded(new TextEncoder().encode(long));
    expect(decode(page.take())).toBe(long + long);
    expect(page.isEmpty).toBe(true);
  });

  it('gives each page once, with memory of its own', () => {
    const page = new TextPage();
    page.text('one');
    const first = page.take();
    page.text('two');
    expect([first, page.take(), page.take()].map((taken) => decode(taken))).toEqual(['one', 'two', '']);
    expect(first.byteLength).toBe(first.buffer.byteLength);
  });

  it('drops the part of a row that came after the last whole one', () => {
    const page = new TextPage();
    page.text('whole\n');
    page.rowDone();
    page.text('half of');
    page.dropRow();
    page.text('end');
    expect(decode(page.take())).toBe('whole\nend');
    page.text('half of');
    page.dropRow();
    expect(page.isEmpty).toBe(true);
  });
});
