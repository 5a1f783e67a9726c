import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../../lib/code-point.fixture.ts';
import { createLineReader } from './ingest.ts';
import { LINE_LIMITS, PLAIN, rowsOf } from '../store.fixture.ts';
import { textOf, valueOf, Rows } from '../blocks/rows.ts';
import { createTimeReader } from '../time.ts';
import { isoOf } from '../read/records.ts';

/** The values of a row: text as it is, bare values in brackets. */
function valuesOf(rows: Rows, row = 0): Record<string, string> {
  const out: Record<string, string> = {};
  for (const field of rows.fields.values()) {
    const code = field.codes[row] as number;
    if (code !== 0)
      out[textOf(field.name)] = field.bare[code] ? `<${textOf(valueOf(field, code))}>` : textOf(valueOf(field, code));
  }
  return out;
}
const one = (line: string, options = {}) => {
  const { rows, stored } = rowsOf([line], options);
  return stored === 1 ? valuesOf(rows) : null;
};

describe('a line', () => {
  it('keeps the tokens of its numbers', () =>
    expect(one('{"a":1.0,"b":1e3,"c":12345678901234567890,"d":-0,"e":true}')).toEqual({
      a: '<1.0>',
      b: '<1e3>',
      c: '<12345678901234567890>',
      d: '<-0>',
      e: '<true>',
      _stream: '{}',
    }));
  it('is flat: objects by their names, arrays as JSON', () =>
    expect(one('{"a":{"b":{"c":"x"},"d":1},"e":[ "x" , 1, {"y" : "a b"} ],"f":{}}')).toEqual({
      'a.b.c': 'x',
      'a.d': '<1>',
      e: '<["x",1,{"y":"a b"}]>',
      _stream: '{}',
    }));
  it('has no values that are null or empty', () =>
    expect(one('{"a":null,"b":"","c":"x"}')).toEqual({ c: 'x', _stream: '{}' }));
  it('reads escapes and any characters', () =>
    expect(one(String.raw`{"a":"q\"\\\/\n\t","b":"\u00e9\ud83d\ude00 é","c\u0022":"x","ключ":"日本"}`)).toEqual({
      a: 'q"\\/\n\t',
      b: 'é😀 é',
      'c"': 'x',
      ключ: '日本',
      _stream: '{}',
    }));
  it('takes the first name for the message that has a value', () => {
    const how = { messageFields: ['msg', 'log'] };
    expect(one('{"log":"b","msg":"a","_msg":"c"}', how)).toEqual({ _msg: 'a', log: 'b', _stream: '{}' });
    expect(one('{"log":"b","msg":""}', how)).toEqual({ _msg: 'b', _stream: '{}' });
  });
  it('has a stream of the fields that make it, sorted', () =>
    expect(one('{"z":"1","a":"q\\"","c":"x"}', { streamFields: ['z', 'a', 'none'] })?.['_stream']).toBe(
      '{a="q\\"",z="1"}',
    ));
  it('leaves out and adds fields', () =>
    expect(
      one('{"a":"1","b.c":"2","b.d":"3","e":"4"}', {
        ignoreFields: ['a', 'b.*'],
        extraFields: { e: 'five', f: 'six' },
      }),
    ).toEqual({ e: 'five', f: 'six', _stream: '{}' }));
  it('keeps the objects of some names as JSON', () =>
    expect(one('{"a":{"b":{"c":"x"}},"d":{"e": [1, 2]},"f":{"g":1}}', { jsonFields: ['a.b', 'd'] })).toEqual({
      'a.b': '{"c":"x"}',
      d: '{"e":[1,2]}',
      'f.g': '<1>',
      _stream: '{}',
    }));
  it('takes colours out of some fields, and then what was a secret between them', () => {
    const line = String.raw`{"_msg":"[1;31mred[0m größe","c.x":"[2K","c.y":"a[32mb","d":"[31mred","n":1}`;
    expect(one(line, { plainFields: ['_msg', 'c.*', 'n'] })).toEqual({
      _msg: 'red größe',
      'c.y': 'ab',
      d: '\x1b[31mred',
      n: '<1>',
      _stream: '{}',
    });
    const rows = new Rows(4);
    const reader = createLineReader(
      { ...PLAIN, plainFields: ['c'] },
      LINE_LIMITS,
      () => 1,
      (text) => text.replaceAll('secret', '***'),
    );
    reader.read(Buffer.from(String.raw`{"c":"my sec\u001b[31mret"}`), 0, rows, 0, () => false);
    expect(valuesOf(rows)['c']).toBe('my ***');
  });
  it('keeps an object as JSON where its names would be too long', () => {
    const name = 'n'.repeat(100);
    expect(one(`{"${name}":{"${name}":{"x": 1}}}`)).toEqual({ [name]: `{"${name}":{"x":1}}`, _stream: '{}' });
  });
  it.each([
    'not json',
    '[1]',
    '"text"',
    '{"a":1',
    '{"a" 1}',
    '{"a":1,}',
    '{"a":01}',
    '{"a":tru}',
    '{"a":"\\q"}',
    '{"a":[1,}',
    '{"a":"x"} y',
    `{${Array.from({ length: 1001 }, (_, i) => `"f${i}":1`).join(',')}}`,
    `{"a":"${'x'.repeat(1024 * 1024)}"}`,
  ])('is skipped and counted where it is %s', (line) => {
    const { stored, skipped } = rowsOf([line, { a: 1 }]);
    expect([stored, skipped]).toEqual([1, 1]);
  });
  it('is read as JSON.parse reads it', () => {
    const flat = (value: unknown, name: string, out: Record<string, string>) => {
      if (value === null || value === '') return out;
      if (typeof value === 'string') out[name] = value;
      else if (typeof value === 'object' && !Array.isArray(value))
        for (const [key, inner] of Object.entries(value as object))
          flat(inner, name === '' ? key : `${name}.${key}`, out);
      else out[name] = `<${JSON.stringify(value)}>`;
      return out;
    };
    const key = fc
      .string({ minLength: 1, maxLength: 8 })
      .filter((text) => !text.includes('.') && !text.startsWith('_') && text !== '__proto__');
    const leaf = fc.oneof(
      fc.string({ unit: codePoint }).map((text) => text.toWellFormed()),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 4 }),
    );
    const { record } = fc.letrec((tie) => ({
      record: fc.dictionary(key, fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 1, arbitrary: tie('record') }), {
        maxKeys: 6,
      }),
    }));
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), fc.constantFrom(0, 1), (records, indent) => {
        // Line ends between tokens alone: those in texts are escaped.
        const { rows, stored } = rowsOf(
          records.map((value) => JSON.stringify(value, null, indent).replaceAll('\n', ' ')),
        );
        expect(stored).toBe(records.length);
        records.forEach((value, i) => expect(valuesOf(rows, i)).toEqual({ ...flat(value, '', {}), _stream: '{}' }));
      }),
      { numRuns: 300 },
    );
  });
  it('has its message with its escapes, whatever stands in the lines around it', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', 'a', '\n', 'é', '}'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 8 }), (pairs) => {
        const lines = pairs.map(([message, other]) => JSON.stringify({ _msg: message, other }));
        const { rows, stored } = rowsOf([...lines.flatMap((line) => [line, '{"_msg":"open']), lines[0] ?? '']);
        expect(stored).toBe(pairs.length + 1);
        [...pairs, pairs[0] ?? ['', '']].forEach(([message, other], i) => {
          const { _msg = '', other: found = '' } = valuesOf(rows, i);
          expect([_msg, found]).toEqual([message, other]);
        });
      }),
      { numRuns: 300 },
    );
  });
  it('never stops the reader, whatever it is', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: codePoint }),
        (noise) => void expect(rowsOf([`{"a":${noise}`, noise, '{"b":1}']).stored).toBeGreaterThan(0),
      ),
      { numRuns: 1000 },
    ));
});

describe('a time', () => {
  const read = (text: string) => {
    const at = { ms: 0, ns: 0 };
    return createTimeReader().read(text, at) ? isoOf(at.ms, at.ns) : null;
  };
  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04:05.123456789Z', '2026-01-02T03:04:05.123456789Z'],
    ['2026-01-02T03:04:05.5+01:00', '2026-01-02T02:04:05.500Z'],
    ['2026-01-02T03:04:05-0130', '2026-01-02T04:34:05.000Z'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
    ['1700000000', '2023-11-14T22:13:20.000Z'],
    ['1700000000.25', '2023-11-14T22:13:20.250Z'],
    ['1700000000123', '2023-11-14T22:13:20.123Z'],
    ['1700000000123456', '2023-11-14T22:13:20.123456Z'],
    ['1700000000123456789', '2023-11-14T22:13:20.123456789Z'],
    ['1.7e9', '2023-11-14T22:13:20.000Z'],
    ['2026-02-30T00:00:00Z', null],
    ['2026-01-02', null],
    ['2026-01-02T25:00:00Z', null],
    ['2026-01-02T03:04:05X', null],
    ['yesterday', null],
    ['-5', null],
  ])('%s is %s', (text, wanted) => expect(read(text)).toBe(wanted));

  it('that is missing, empty, 0 or - is now; one that cannot be read takes its line with it', () => {
    const { rows, stored, skipped } = rowsOf(
      [{ a: 1 }, { _time: '' }, { _time: 0 }, { _time: '-' }, { _time: 'soon' }],
      {},
      5000,
    );
    expect([stored, skipped, [...rows.ms.subarray(0, 4)]]).toEqual([4, 1, [5000, 5000, 5000, 5000]]);
  });
});

it('reads lines of ever new names right, and does not hold the rows that went before', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const LINES = 20_000;
  const line = (i: number) => `{"n${i}":"1","a":{"b${i}":"2","c":"3"}}`;
  const bytes = Buffer.from(Array.from({ length: LINES }, (_, i) => line(i)).join('\n'));
  const reader = createLineReader(PLAIN, LINE_LIMITS, () => 0, null);
  const held: WeakRef<Rows>[] = [];
  function readSome(from: number): number {
    const rows = new Rows();
    held.push(new WeakRef(rows));
    const at = reader.read(bytes, from, rows, 0, () => rows.count >= 500);
    const first = (held.length - 1) * 500;
    expect(valuesOf(rows, 7)).toEqual({ [`n${first + 7}`]: '1', [`a.b${first + 7}`]: '2', 'a.c': '3', _stream: '{}' });
    return at;
  }
  for (let from = 0; from < bytes.length;) from = readSome(from);
  expect(reader.stored).toBe(LINES);
  await sleep(1);
  collect();
  expect(held.filter((one) => one.deref() !== undefined).length).toBeLessThanOrEqual(1);
});
