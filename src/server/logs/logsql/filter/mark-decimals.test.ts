import fc from 'fast-check';
import { it } from 'vitest';
import { expectSameAsEachText } from './marks.fixture.ts';

const places = (least: number, most: number) =>
  fc
    .tuple(fc.constantFrom('', '-'), fc.constantFrom('0', '1', '5', '10', '15', '105'), fc.stringMatching(/^[015]*$/))
    .map(([sign, whole, fraction]) => {
      const digits = fraction.slice(0, most).padEnd(least, '0');
      return digits === '' ? whole : `${sign}${whole}.${digits}`;
    })
    .filter((text) => !/^-[0.]+$/.test(text));

it('finds in whole numbers what a look at each text finds', () =>
  expectSameAsEachText(fc.oneof(places(0, 0), fc.integer().map(String), fc.constant('')), 'numbers'));

it('finds in numbers with a point what a look at each text finds', () =>
  expectSameAsEachText(
    fc.oneof(
      places(0, 3).filter((text) => !/\.\d*0$/.test(text)),
      fc.constant(''),
    ),
    'numbers',
  ));

it('finds in numbers of as many digits each what a look at each text finds', () =>
  expectSameAsEachText(fc.oneof(places(2, 2), fc.constant('')), 'numbers'));
