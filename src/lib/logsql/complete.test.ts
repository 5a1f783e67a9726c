import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../code-point.fixture.ts';
import { complete } from './complete.ts';
import { printQuery } from './print.ts';
import { queryOf } from './queries.fixture.ts';

/** The caret is where `¦` stands. */
const at = (text: string) => complete(text.replace('¦', ''), text.indexOf('¦'));
const offered = (text: string) =>
  at(text).offers.map((offer) => (offer.kind === 'values' ? `values of ${offer.field}` : offer.kind));

describe('completion', () => {
  it.each([
    ['¦', ['fields', 'keywords']],
    ['lev¦', ['fields', 'keywords']],
    ['error ¦', ['fields', 'keywords']],
    ['level:¦', ['values of level', 'functions']],
    ['level:ER¦', ['values of level', 'functions']],
    ['level:=¦', ['values of level']],
    ['level:="ER¦', ['values of level']],
    ['"a b":=¦', ['values of a b']],
    ['-job-x:¦', ['values of job-x', 'functions']],
    ['level:in(ERROR, ¦', ['values of level']],
    ['level:(ERROR or ¦', ['values of level', 'keywords']],
    ['a:eq_field(¦', ['fields']],
    ['{¦', ['fields']],
    ['{app="¦', ['values of app']],
    ['* | ¦', ['pipes', 'functions']],
    ['* | so¦', ['pipes', 'functions']],
    ['* | stats ¦', ['functions', 'keywords']],
    ['* | stats by (¦', ['fields']],
    ['* | stats by (a) ¦', ['functions']],
    ['* | stats count(¦', ['fields']],
    ['* | stats count() ¦', ['keywords']],
    ['* | stats count() if (level:¦', ['values of level', 'functions']],
    ['* | fields a, ¦', ['fields', 'keywords']],
    ['* | sort by (¦', ['fields']],
    ['* | filter level:¦', ['values of level', 'functions']],
    ['level:¦ | limit 5', ['values of level', 'functions']],
    ['a:in(b:¦', ['values of b', 'functions']],
  ])('%s offers %j', (text, expected) => expect(offered(text)).toEqual(expected));

  it('says what a choice replaces', () => {
    expect(at('level:ER¦ROR x')).toMatchObject({ from: 6, to: 11, typed: 'ER' });
    expect(at('level:="ER¦')).toMatchObject({ from: 7, to: 10, typed: 'ER' });
    expect(at('job-1¦')).toMatchObject({ from: 0, to: 5, typed: 'job-1' });
    expect(at('a ¦ b')).toMatchObject({ from: 2, to: 2, typed: '' });
    expect(at('* | li¦')).toMatchObject({ from: 4, to: 6, typed: 'li' });
  });

  it('has an answer at each place of whatever text', () => {
    const any = fc.tuple(fc.oneof(fc.string({ unit: codePoint, maxLength: 40 }), queryOf.map(printQuery)), fc.nat());
    fc.assert(
      fc.property(any, ([text, n]) => {
        const caret = n % (text.length + 1);
        const { from, to } = complete(text, caret);
        expect(from).toBeLessThanOrEqual(caret);
        expect(to).toBeGreaterThanOrEqual(caret);
      }),
      { numRuns: 400 },
    );
  });
});
