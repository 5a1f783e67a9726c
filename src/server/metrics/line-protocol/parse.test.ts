import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineParser, type Points } from './parse.ts';

const NOW = 1_700_000_000_000;
const parse = (text: string | Uint8Array, precision: 'ns' | 'us' | 'ms' | 's' = 'ns') =>
  createLineParser().parse(typeof text === 'string' ? new TextEncoder().encode(text) : text, precision, NOW);
const TYPES = ['float', 'int', 'uint', 'bool', 'string'];

/** Points as plain objects. */
const plain = ({ count, heads, ms, ns, ends, fields, types, values }: Points) =>
  Array.from({ length: count }, (_, i) => {
    const head = heads[i] as (typeof heads)[number];
    const tags: Record<string, string> = {};
    for (let t = 0; t + 1 < head.tags.length; t += 2) tags[head.tags[t] as string] = head.tags[t + 1] as string;
    if (head.job !== '') tags['job_id'] = head.job;
    if (head.task !== '') tags['task_id'] = head.task;
    const from = i === 0 ? 0 : (ends[i - 1] as number);
    return {
      measurement: head.measurement.name,
      tags,
      time: [ms[i], ns[i]],
      fields: fields
        .slice(from, ends[i])
        .map(({ name }, f) => [name, TYPES[types[from + f] as number], values[from + f]]),
    };
  });
const one = (line: string) => plain(parse(line))[0];

it('reads measurement, tags, fields and time', () => {
  expect(one('cpu,host=a,region=eu usage=0.5,n=3i 1700000000000000001')).toEqual({
    measurement: 'cpu',
    tags: { host: 'a', region: 'eu' },
    time: [1_700_000_000_000, 1],
    fields: [
      ['usage', 'float', 0.5],
      ['n', 'int', 3],
    ],
  });
});

it('takes the time of arrival where a line has none', () => {
  expect(one('m f=1')?.time).toEqual([NOW, 0]);
});

describe('escapes', () => {
  it.each([
    ['a\\,b\\ c f=1', { measurement: 'a,b c' }],
    ['a\\=b f=1', { measurement: 'a\\=b' }],
    ['m,t\\,\\=\\ x=v\\,\\=\\ y f=1', { tags: { 't,= x': 'v,= y' } }],
    ['m,t=a\\b f=1', { tags: { t: 'a\\b' } }],
    ['m,t="q" f=1', { tags: { t: '"q"' } }],
    ['"m" f=1', { measurement: '"m"' }],
    ['m f\\,\\=\\ x=1', { fields: [['f,= x', 'float', 1]] }],
    ['m f="a\\"b\\\\c\\nd"', { fields: [['f', 'string', 'a"b\\c\\nd']] }],
    ['m f="a, b=c d\ne"', { fields: [['f', 'string', 'a, b=c d\ne']] }],
    ['m,t=ü f="日本"', { tags: { t: 'ü' }, fields: [['f', 'string', '日本']] }],
    ['m,t=a\\\\ b f=1', { tags: { t: 'a\\ b' } }],
  ])('%s', (line, expected) => {
    expect(one(line)).toMatchObject(expected);
  });
});

describe('values', () => {
  it.each([
    ['1', 'float', 1],
    ['1.', 'float', 1],
    ['.5', 'float', 0.5],
    ['-.5', 'float', -0.5],
    ['1e3', 'float', 1000],
    ['1E+3', 'float', 1000],
    ['1.5e-3', 'float', 0.0015],
    ['-0', 'float', -0],
    ['0.1', 'float', 0.1],
    ['123456789012345678', 'float', 123456789012345680],
    ['0.30000000000000004', 'float', 0.30000000000000004],
    ['1i', 'int', 1],
    ['-1i', 'int', -1],
    ['9223372036854775807i', 'int', 9223372036854775807n],
    ['-9223372036854775808i', 'int', -9223372036854775808n],
    ['9007199254740993i', 'int', 9007199254740993n],
    ['18446744073709551615u', 'uint', 18446744073709551615n],
    ['0u', 'uint', 0],
    ['t', 'bool', 1],
    ['T', 'bool', 1],
    ['true', 'bool', 1],
    ['True', 'bool', 1],
    ['TRUE', 'bool', 1],
    ['f', 'bool', 0],
    ['F', 'bool', 0],
    ['false', 'bool', 0],
    ['False', 'bool', 0],
    ['FALSE', 'bool', 0],
    ['""', 'string', ''],
  ])('%s', (text, type, value) => {
    expect(one(`m f=${text}`)?.fields).toEqual([['f', type, value]]);
  });

  it.each([
    '1.5i',
    '-1u',
    '9223372036854775808i',
    '-9223372036854775809i',
    '18446744073709551616u',
    '1e400',
    'nan',
    'NaN',
    'inf',
    '-inf',
    '0x10',
    '1.2.3',
    '+5',
    '+5i',
    'TrUe',
    "'x'",
    'i',
    'u',
    '-',
    '.',
    '-.',
    'e5',
    '1e',
    '1e+',
    '--1',
    '',
    '"open',
    '"a"b',
    'tru',
    '1_000',
    '٣',
  ])('refuses %s', (text) => {
    const { count, faulty } = parse(`m f=${text} 1`);
    expect([count, faulty]).toEqual([0, 1]);
  });
});

describe('times', () => {
  it.each([
    ['ns', '1700000000123456789', [1_700_000_000_123, 456_789]],
    ['us', '1700000000123456', [1_700_000_000_123, 456_000]],
    ['ms', '1700000000123', [1_700_000_000_123, 0]],
    ['s', '1700000000', [1_700_000_000_000, 0]],
    ['ns', '-1', [-1, 999_999]],
    ['ns', '0', [0, 0]],
    ['ns', '9223372036854775807', [9_223_372_036_854, 775_807]],
    ['ns', '-9223372036854775808', [-9_223_372_036_855, 224_192]],
    ['s', '-1', [-1000, 0]],
    ['ns', '000000000000000000000001', [0, 1]],
  ] as const)('%s %s', (precision, text, expected) => {
    expect(plain(parse(`m f=1 ${text}`, precision))[0]?.time).toEqual(expected);
  });
  it.each([
    ['ns', '9223372036854775808'],
    ['s', '9223372037'],
    ['ms', '9223372036855'],
    ['us', '9223372036854776'],
    ['ns', '1.5'],
    ['ns', '1e9'],
    ['ns', '1s'],
    ['ns', '-'],
    ['ns', '1 2'],
    ['ns', '99999999999999999999'],
  ] as const)('refuses %s %s', (precision, text) => {
    expect(parse(`m f=1 ${text}`, precision).faulty).toBe(1);
  });
});

it.each([
  ['', 'm', 'missing fields'],
  ['', 'm,t=1', 'missing fields'],
  ['', ',t=1 f=1', 'missing measurement'],
  ['', 'm,=1 f=1', 'missing tag key'],
  ['', 'm,t= f=1', 'missing tag value'],
  ['', 'm,t f=1', 'missing tag value'],
  ['', 'm,t=1,t=2 f=1', 'duplicate tags'],
  ['', 'm,time=1 f=1', 'reserved'],
  ['', 'm,_field=1 f=1', 'reserved'],
  ['', 'm,_measurement=1 f=1', 'reserved'],
  ['', 'm =1', 'missing field key'],
  ['', 'm f', 'invalid field format'],
  ['', 'm f=1,', 'missing fields'],
  ['', 'm  ', 'missing fields'],
  ['', 'm,t=a=b f=1', 'invalid tag format'],
  ['(a tab before the time) ', 'm f=1\t5', 'invalid'],
  ['(a tab before the time) ', 'm f=1i\t5', 'invalid'],
  ['(a tab before the time) ', 'm f=t\t5', 'invalid'],
  ['(a tab before the time) ', 'm f="a"\t5', 'invalid field format'],
  ['(a tab behind a value) ', 'm f=1\t', 'invalid'],
  ['(a tab behind the time) ', 'm f=1 5\t', 'bad timestamp'],
  ['(a tab behind the time) ', 'm f=1 5 \t', 'bad timestamp'],
])('%srefuses %s', (_, line, reason) => {
  const { faults, count } = parse(line);
  expect(count).toBe(0);
  expect(faults[0]).toMatchObject({ line: 1, text: line, reason: expect.stringContaining(reason) as string });
});

it('tells the number of each bad line and reads the others', () => {
  const { faults, count, faulty } = parse(
    '# a comment\nm f=1\n\n  \nm f=x\nm f="two\nlines"\n   # another\nm f=\nm f=2 5\n',
  );
  expect(faults.map(({ line }) => line)).toEqual([5, 9]);
  expect([count, faulty]).toEqual([3, 2]);
});

it('takes CRLF, blanks around a line, and a last line without an end', () => {
  expect(
    plain(parse('m f=1 5\r\n  m f=2   6  \r\nm f="a" 7\r\nm f=t\r')).map(({ time, fields }) => [
      time[1],
      fields[0]?.[2],
    ]),
  ).toEqual([
    [5, 1],
    [6, 2],
    [7, 'a'],
    [0, 1],
  ]);
});

it('skips tabs behind the space before fields and before the time', () => {
  expect(plain(parse('m \tf=1 \t5')).map(({ time }) => time[1])).toEqual([5]);
});

it('tells at most a hundred bad lines, and counts them all', () => {
  const { faults, faulty } = parse('bad\n'.repeat(5000));
  expect([faults.length, faulty]).toEqual([100, 5000]);
});

/** A writer of its own: what it writes must be read as it was meant. */
const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .map((text) => text.replaceAll(/[\n\r\\]/g, '_').replaceAll('\u0000', '_'))
  .filter(
    (text) =>
      !['time', '_field', '_measurement'].includes(text) &&
      text.trim() === text &&
      !text.startsWith('#') &&
      !/^[\t]/.test(text),
  );
const escapeName = (text: string, special: RegExp) => text.replaceAll(special, '\\$&');
const field = fc.oneof(
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((n) => [Object.is(n, -0) ? '-0' : String(n), 'float', n] as const),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => [`${n}i`, 'int', n] as const),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((n) => [`${n}u`, 'uint', n] as const),
  fc.boolean().map((b) => [String(b), 'bool', b ? 1n : 0n] as const),
  fc
    .string({ unit: 'grapheme' })
    .map((text) => [`"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`, 'string', text] as const),
);
const pointArbitrary = fc.record({
  measurement: name,
  tags: fc.uniqueArray(fc.tuple(name, name), { selector: ([key]) => key, maxLength: 4 }),
  fields: fc.uniqueArray(fc.tuple(name, field), { selector: ([key]) => key, minLength: 1, maxLength: 4 }),
  time: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
});

it('reads what another writer wrote', () => {
  fc.assert(
    fc.property(fc.array(pointArbitrary, { maxLength: 6 }), (list) => {
      const text = list
        .map(
          ({ measurement, tags, fields, time }) =>
            `${[escapeName(measurement, /[, ]/g), ...tags.map(([key, value]) => `${escapeName(key, /[,= ]/g)}=${escapeName(value, /[,= ]/g)}`)].join(',')} ${fields.map(([key, [value]]) => `${escapeName(key, /[,= ]/g)}=${value}`).join(',')} ${time}`,
        )
        .join('\n');
      const points = parse(text);
      expect(points.faults).toEqual([]);
      expect(
        plain(points).map(({ measurement, tags, fields, time }) => ({
          measurement,
          tags,
          time: BigInt(time[0] as number) * 1_000_000n + BigInt(time[1] as number),
          fields: fields.map(([key, type, value]) => [
            key,
            type,
            type === 'float' || type === 'string' ? value : BigInt(value as number),
          ]),
        })),
      ).toEqual(
        list.map(({ measurement, tags, fields, time }) => ({
          measurement,
          tags: Object.fromEntries(tags),
          time,
          fields: fields.map(([key, [, type, value]]) => [key, type, value]),
        })),
      );
    }),
  );
});

it('throws at nothing, and every line is a point, a fault or nothing', () => {
  const parts = fc.constantFrom(
    'm',
    ',',
    '=',
    ' ',
    '\n',
    '"',
    '\\',
    '1',
    'i',
    'u',
    't',
    '#',
    '\r',
    '\u0000',
    'é',
    '-',
    '.',
    'e',
    '9223372036854775808',
    'job_id',
    '__proto__',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.array(parts, { maxLength: 60 }).map((list) => new TextEncoder().encode(list.join(''))),
      ),
      (bytes) => {
        const points = parse(bytes);
        expect(points.count).toBe(points.heads.length);
        expect(points.ends.at(-1) ?? 0).toBe(points.values.length);
        expect(points.types.length).toBe(points.values.length);
        expect(points.fields.length).toBe(points.values.length);
      },
    ),
    { numRuns: 2000 },
  );
});

it('reads a line as if it stood alone, whatever came before it', () => {
  const head = fc.constantFrom(
    'm',
    'm,t=a',
    'm,t=ab',
    'm,t=a\\ b',
    'm,t=a\\',
    'n,t=a',
    'm,job_id=j',
    'ü,t=a',
    '#m',
    'm,t=',
  );
  const key = fc.constantFrom('f', 'fg', 'f\\=', 'f\\ g', 'g', 'ü', '', 'time');
  const value = fc.constantFrom('1', '-2.5e3', '3i', 't', '"x"', '"a b,c=d"', '"', '', 'x', '4u');
  const time = fc.constantFrom('', ' 1700000000000000001', ' 1700000000000000002', ' 17', ' 017', ' x', '  5');
  const line = fc
    .tuple(head, fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 3 }), time)
    // A quote that is left open takes the lines behind it.
    .map(([start, fields, end]) => `${start} ${fields.map(([name, of]) => `${name}=${of}`).join(',')}${end}`)
    .filter((text) => (text.match(/"/g)?.length ?? 0) % 2 === 0);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.nat(30), (list, cut) => {
      const parser = createLineParser();
      const found: unknown[] = [];
      const faults: unknown[] = [];
      for (const part of [list.slice(0, cut), list.slice(cut)]) {
        const points = parser.parse(new TextEncoder().encode(part.join('\n')), 'ns', NOW);
        found.push(...plain(points));
        faults.push(...points.faults.map(({ text, reason }) => [text, reason]));
      }
      const alone = list.map((text) => parse(text));
      expect(found).toEqual(alone.flatMap(plain));
      expect(faults).toEqual(alone.flatMap((points) => points.faults.map(({ text, reason }) => [text, reason])));
    }),
    { numRuns: 300 },
  );
});
