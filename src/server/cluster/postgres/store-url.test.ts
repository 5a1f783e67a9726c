import fc from 'fast-check';
import { expect, it } from 'vitest';
import { configOf, withoutPassword } from './store-url.ts';

it.each([
  ['postgres://u:secret@h/d', 'postgres://u:…@h/d'],
  ['postgres://u:s@cr:et@h/d?sslmode=require', 'postgres://u:…@h/d?sslmode=require'],
  ['postgres://u:sec/ret@h/d', 'postgres://u:…@h/d'],
  ['postgres://u:se?cret@h/d', 'postgres://u:…@h/d'],
  ['postgres://u@h/d?password=secret&sslmode=require', 'postgres://u@h/d?password=…&sslmode=require'],
  ['postgres://u@h/d', 'postgres://u@h/d'],
  ['sqlite', 'sqlite'],
])('shows %s as %s', (url, shown) => expect(withoutPassword(url)).toBe(shown));

it('shows no password, whatever it is made of', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (end) => {
      expect(withoutPassword(`postgres://u:hunter2${end}@host/database`)).not.toContain('hunter2');
    }),
  );
});

it.each([
  ['mysql://u:secret@h/d', 'expects sqlite or a postgres://user@host/database URL, got "mysql://u:…@h/d"'],
  ['postgres://u:sec/ret@h/d', 'cannot be read as a URL'],
  ['postgres://u:secret@h/d?sslmode=prefer', 'sslmode expects disable, require, verify-ca, verify-full, got "prefer"'],
  ['postgres://u:secret@h/d?sslmode=verify-ca', 'expects sslrootcert'],
  [
    'postgres://u:secret@h/d?sslrootcert=/no/such/file',
    'the file of sslrootcert, "/no/such/file", cannot be read (ENOENT)',
  ],
])('refuses %s', (url, why) => {
  expect(() => configOf(url)).toThrow(why);
  expect(() => configOf(url)).not.toThrow('secret@');
});
