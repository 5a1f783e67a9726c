import { describe, expect, it } from 'vitest';
import { parseLabels } from './event-headers.ts';

describe('x-labels', () => {
  it.each([
    [undefined, null],
    ['', null],
    [' , ', null],
    ['team=billing', { team: 'billing' }],
    ['team=billing, region=eu ,flag', { team: 'billing', region: 'eu', flag: '' }],
    ['note=a%2Cb%3Dc,share=50%', { note: 'a,b=c', share: '50%' }],
    ['a=1,a=2', { a: '2' }],
    ['a=b=c', { a: 'b=c' }],
    [Buffer.from('town=Köln').toString('latin1'), { town: 'Köln' }],
  ])('%j', (header, labels) => {
    expect(parseLabels(header, 32)).toEqual(labels);
  });

  it.each([
    ['a key of other characters', 'te am=x'],
    ['no key', '=x'],
    ['a key that is too long', `${'a'.repeat(65)}=x`],
    ['a name of every object', '__proto__=x'],
    ['a value that is too long', `a=${'x'.repeat(257)}`],
    ['too many', Array.from({ length: 33 }, (_, i) => `k${i}=v`).join(',')],
  ])('refuses %s', (_name, header) => {
    expect(() => parseLabels(header, 32)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
  });
});
