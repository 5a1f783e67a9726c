import fc from 'fast-check';
import { expect, it } from 'vitest';
import { passwordAmong } from './password-file.ts';

const place = { host: 'db', port: '5432', database: 'd', user: 'u' };

it.each([
  ['db:5432:d:u:secret', 'secret'],
  ['# db:5432:d:u:no\n*:*:*:u:secret\ndb:5432:d:u:later', 'secret'],
  ['db:5432:d:other:no\ndb:5432:*:u:secret\r\n', 'secret'],
  ['db:5432:d:u', ''],
  ['', ''],
])('finds in %j the password %j', (text, password) => expect(passwordAmong(text, place)).toBe(password));

it('finds a password of any characters, and names of any', () => {
  const value = fc
    .string({ minLength: 1 })
    .filter((text) => !/[\r\n]/.test(text) && !text.startsWith('#') && text !== '*');
  const escape = (text: string) => text.replace(/[\\:]/g, '\\$&');
  fc.assert(
    fc.property(value, value, (database, password) => {
      const text = `*:*:${escape(database)}:u:${escape(password)}`;
      expect(passwordAmong(text, { ...place, database })).toBe(password);
    }),
  );
});
