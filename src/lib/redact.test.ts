import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact.ts';

const redactor = createRedactor(
  [
    { name: 'A', value: 'pass"word\n1' },
    { name: 'B', value: '123456789012345678901' },
    { name: 'LONG', value: 'pass"word\n1-and-more' },
    { name: 'S', value: 'abc' },
  ],
  6,
);

describe('a value', () => {
  it('is taken out of texts, of JSON and of addresses, the longest that fits', () => {
    expect(redactor.text('x pass"word\n1 y')).toBe('x [secret A] y');
    expect(redactor.text('pass"word\n1-and-more')).toBe('[secret LONG]');
    expect(redactor.text(JSON.stringify({ a: 'pass"word\n1' }))).toBe('{"a":"[secret A]"}');
    expect(redactor.text(`http://x/?q=${encodeURIComponent('pass"word\n1')}`)).toBe('http://x/?q=[secret A]');
    expect(redactor.text(`Basic ${Buffer.from('pass"word\n1-and-more').toString('base64')}`)).toMatch(
      /^Basic \[secret LONG\]=*$/,
    );
  });

  it('of several lines is taken out line by line', () => {
    const key = createRedactor([{ name: 'PEM', value: '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nend\n' }], 6);
    expect(key.text('line MIIEvQIBADANBgkqhkiG9w0B')).toBe('line [secret PEM]');
    expect(key.text('the end')).toBe('the end');
  });

  it('leaves JSON that parses, where it was a number or a key', () => {
    expect(redactor.json('{"n":123456789012345678901,"123456789012345678901":1}')).toBe(
      '{"n":"[secret B]","[secret B]":1}',
    );
  });

  it('that is a common word breaks no structure where only some keys are looked under', () => {
    const word = createRedactor([{ name: 'W', value: 'status' }], 6);
    expect(word.json('{"status":"status","input":{"status":"status"}}', new Set(['input']))).toBe(
      '{"status":"status","input":{"[secret W]":"[secret W]"}}',
    );
  });

  it('that is short stays', () => expect(redactor.text('abc')).toBe('abc'));

  it('is found in no JSON text afterwards, whatever is around it', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 6, maxLength: 20 }).filter((s) => !'[secret X]'.includes(s)),
        fc.jsonValue(),
        (value, around) => {
          const one = createRedactor([{ name: 'X', value }], 6);
          const shown = one.json(JSON.stringify({ around, held: `<${value}>` }));
          expect((JSON.parse(shown) as { held: string }).held).not.toContain(value);
        },
      ),
    );
  });
});
