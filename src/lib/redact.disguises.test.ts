import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from './code-point.fixture.ts';
import { createDisguiseRedactor } from './redact.ts';

const VALUE = 'Hunter-22/x$9kQ~z&"7';
const redactor = createDisguiseRedactor([{ name: 'KEY', value: VALUE }], 6);
const bytes = (of: string) => [...Buffer.from(of)];
const hex = (of: string) => Buffer.from(of).toString('hex');
const code = (how: (one: number) => string, joint = '') => bytes(VALUE).map(how).join(joint);

/** What a task may make of a value, without and with something around it. */
const DISGUISES: Record<string, (value: string) => unknown> = {
  'as it is': (value) => value,
  'in capitals': (value) => value.toUpperCase(),
  backwards: (value) => [...value].reverse().join(''),
  'an array of its characters': (value) => [...value],
  'characters backwards': (value) => [...value].reverse(),
  'in halves': (value) => [value.slice(0, 9), value.slice(9)],
  'in the members of an object': (value) => ({
    a: value.slice(0, 5),
    b: { c: value.slice(5, 11) },
    d: value.slice(11),
  }),
  'with spaces between': (value) => [...value].join(' '),
  'with hyphens between': (value) => [...value].join('-'),
  'with line feeds between': (value) => [...value].join('\n'),
  'with signs of another alphabet between': (value) => [...value].join('·'),
  'in hex': hex,
  'in hex, capitals': (value) => hex(value).toUpperCase(),
  'in hex, backwards': (value) => Buffer.from(bytes(value).reverse()).toString('hex'),
  'bytes in hex, with colons': (value) =>
    bytes(value)
      .map((one) => one.toString(16))
      .join(':'),
  'an array of hex codes': (value) => bytes(value).map((one) => `0x${one.toString(16)}`),
  'escapes of code': (value) =>
    bytes(value)
      .map((one) => `\\x${one.toString(16)}`)
      .join(''),
  'unicode escapes': (value) =>
    bytes(value)
      .map((one) => `\\u${one.toString(16).padStart(4, '0')}`)
      .join(''),
  'an array of codes': bytes,
  'codes backwards': (value) => bytes(value).reverse(),
  'codes as texts': (value) => bytes(value).map(String),
  'codes by index': (value) => ({ ...bytes(value) }),
  'codes of three digits': (value) =>
    bytes(value)
      .map((one) => String(one).padStart(3, '0'))
      .join(''),
  'octal escapes': (value) =>
    bytes(value)
      .map((one) => `\\${one.toString(8).padStart(3, '0')}`)
      .join(''),
  'in base64': (value) => Buffer.from(value).toString('base64'),
  'in base64, behind one byte': (value) => Buffer.from(`u${value}`).toString('base64'),
  'in base64, behind two bytes and before more': (value) => Buffer.from(`u:${value} and more`).toString('base64'),
  'in base64url': (value) => Buffer.from(`user:${value}`).toString('base64url'),
  'in an address': (value) => encodeURIComponent(value),
  'each byte percent encoded': (value) =>
    bytes(value)
      .map((one) => `%${one.toString(16)}`)
      .join(''),
  'in JSON in JSON': (value) => JSON.stringify({ deep: JSON.stringify({ value }) }),
  'in HTML': (value) => value.replace(/&/g, '&amp;').replace(/"/g, '&quot;'),
  'character references': (value) =>
    bytes(value)
      .map((one) => `&#${one};`)
      .join(''),
  'character references in hex': (value) =>
    bytes(value)
      .map((one) => `&#x${one.toString(16)};`)
      .join(''),
  'the name of a member': (value) => ({ [[...value].join('.')]: 1 }),
};

describe('a value in disguise', () => {
  it.each(Object.entries(DISGUISES))('is masked %s', (_, disguise) => {
    const given = { before: [1, 'two', true], made: disguise(VALUE), after: null };
    const shown = redactor.json(JSON.stringify(given));
    expect(shown).toContain('[secret KEY]');
    const { before, after } = JSON.parse(shown) as typeof given;
    expect([before, after]).toEqual([given.before, null]);
    // Nothing is left of which the value could be put together again.
    expect(redactor.json(shown)).toBe(shown);
    expect(redactor.value(given)).toEqual(JSON.parse(shown));
  });

  it.each([
    ['the text itself', VALUE, '[secret KEY]'],
    ['hex', `a ${hex(VALUE)} b`, 'a [secret KEY] b'],
    ['codes', `[${code(String, ', ')}]`, '[[secret KEY]]'],
    ['escapes', code((one) => `\\x${one.toString(16)}`), '\\[secret KEY]'],
  ])('is masked in a text: %s', (_, given, shown) => expect(redactor.text(given)).toBe(shown));

  it('keeps what is around it: numbers as they came, order, and texts without it', () => {
    expect(
      redactor.json(
        `{"n":9007199254740993,"list":["a","${VALUE.slice(0, 9)}","${hex('other value')}"],"s":"${hex(VALUE)}"}`,
      ),
    ).toBe(`{"n":9007199254740993,"list":["a","Hunter-22","${hex('other value')}"],"s":"[secret KEY]"}`);
  });

  it('of which a number holds a part leaves JSON that parses', () => {
    const digits = createDisguiseRedactor([{ name: 'PIN', value: '4111111111111111' }], 6);
    expect(digits.json('{"a":4111111111111111,"b":[41111111,11111111],"c":12}')).toBe(
      '{"a":"[secret PIN]","b":["[secret PIN]",""],"c":12}',
    );
  });

  it('is looked for only under the keys that are asked for', () => {
    const given = JSON.stringify({ id: hex(VALUE), output: [...VALUE] });
    const shown = JSON.parse(redactor.json(given, new Set(['output']))) as { id: string; output: string[] };
    expect([shown.id, shown.output.join('')]).toEqual([hex(VALUE), '[secret KEY]']);
  });

  it('of several secrets is named after the longest that fits', () => {
    const two = createDisguiseRedactor(
      [
        { name: 'SHORT', value: 'alpha-bravo' },
        { name: 'LONG', value: 'alpha-bravo-charlie' },
      ],
      6,
    );
    expect(two.text('a.l.p.h.a.b.r.a.v.o.c.h.a.r.l.i.e, alphabravo')).toBe('[secret LONG], [secret SHORT]');
  });

  it('that is long is masked piece by piece', () => {
    const value = Array.from({ length: 40 }, (_, i) => `line ${i} of a key\n`).join('');
    const long = createDisguiseRedactor([{ name: 'PEM', value }], 6);
    const left = long.text(hex(value)).replaceAll('[secret PEM]', '');
    expect(left.length).toBeLessThan(32);
  });

  it('of which a text was cut in the middle is masked to its end', () => {
    for (const [made, kept] of [
      [VALUE, 8],
      [JSON.stringify([...VALUE]), 31],
      [hex(VALUE), 20],
    ] as const) {
      const cut = `["a","${made.slice(0, kept)}…`;
      expect(redactor.text(cut)).toMatch(/^\["a","(\[")?\[secret KEY\]…$/);
      const [shown] = JSON.parse(redactor.json(JSON.stringify([cut, 'b']))) as string[];
      expect(shown).toBe(redactor.text(cut));
    }
    expect(redactor.text('a Hunt…')).toBe('a Hunt…');
  });

  it('is not found where it is not: short values, words with the same beginning, digits of data', () => {
    const some = createDisguiseRedactor(
      [
        { name: 'A', value: 'sesame' },
        { name: 'B', value: 'correct-horse' },
        { name: 'C', value: 'Zq8!mP3#' },
      ],
      6,
    );
    const data = JSON.stringify(
      Array.from({ length: 3000 }, (_, i) => ({ i, text: `the correct ho ${i}`, list: [i, 2 * i] })),
    );
    expect(some.json(data)).toBe(data);
    expect(some.text('s-e-s-a-m-e')).toBe('s-e-s-a-m-e');
    expect(some.text('open sesame')).toBe('open [secret A]');
  });
});

const value = fc
  .string({ unit: codePoint, minLength: 6, maxLength: 40 })
  .filter((text) => !'[secret X]'.includes(text));

it('whatever the value, the disguise and what is around, JSON stays JSON and the value is gone', () => {
  fc.assert(
    fc.property(value, fc.jsonValue(), fc.constantFrom(...Object.values(DISGUISES)), (text, around, disguise) => {
      const one = createDisguiseRedactor([{ name: 'X', value: text }], 6);
      const given = JSON.stringify({ around, held: disguise(text), plain: `<${text}>` });
      const shown = one.json(given);
      expect((JSON.parse(shown) as { plain: string }).plain).not.toContain(text);
      expect(one.json(shown)).toBe(shown);
    }),
    { numRuns: 500 },
  );
});

it('a text without it stays the very same, in text and in JSON', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 24, maxLength: 40 }), { maxLength: 20 }),
      fc.jsonValue(),
      (values, around) => {
        const some = createDisguiseRedactor(
          values.map((one, i) => ({ name: `S${i}`, value: `${one}-and-something-that-is-nowhere` })),
          6,
        );
        const json = JSON.stringify(around);
        expect([some.text(json), some.json(json)]).toEqual([json, json]);
      },
    ),
  );
});
