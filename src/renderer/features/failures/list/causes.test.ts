import { describe, expect, it } from 'vitest';
import { causeText, isStrong, percentText, shareText } from './causes.ts';

describe('causes in words', () => {
  it('names what failures have in common', () => {
    expect(causeText({ kind: 'worker', path: null, value: '01900000-0000-7000-8000-00000000abcd' })).toBe(
      'ran on worker …0000abcd',
    );
    expect(causeText({ kind: 'commit', path: null, value: 'f'.repeat(40) })).toBe('ran version ffffffff');
    expect(causeText({ kind: 'environment', path: null, value: 'prod' })).toBe('were in prod');
    expect(causeText({ kind: 'missing', path: 'order.zip', value: '' })).toBe('had no order.zip');
    expect(causeText({ kind: 'type', path: 'amount', value: 'string' })).toBe('had amount of type string');
    expect(causeText({ kind: 'range', path: 'amount', value: '≥ 100' })).toBe('had amount ≥ 100');
    expect(causeText({ kind: 'hour', path: null, value: '03:00' })).toBe('were created from 03:00 UTC, within an hour');
    expect(causeText({ kind: 'input', path: 'order.country', value: '"DE"' })).toBe('had order.country = "DE"');
  });
  it('rounds shares without calling some all, or few none', () => {
    expect([0, 0.001, 0.31, 0.92, 0.999, 1].map(percentText)).toEqual([
      '0%',
      'under 1%',
      '31%',
      '92%',
      'over 99%',
      '100%',
    ]);
  });
  it('counts few runs, of which a share would promise too much', () => {
    expect(shareText({ failures: 1 })).toBe('100%');
    expect(shareText({ failures: 1, fewRuns: { failures: 3, successes: 7 } })).toBe('3 of 3');
  });
  it('holds a cause for strong where it is frequent among failures and rare among successes', () => {
    expect(isStrong({ failures: 0.92, successes: 0.31 })).toBe(true);
    expect(isStrong({ failures: 0.92, successes: 0.9 })).toBe(false);
    expect(isStrong({ failures: 0.2, successes: 0 })).toBe(false);
  });
});
