import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinBytes } from './join-bytes.ts';

it('gives the bytes of all pieces in their order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 100 })), async (pieces) => {
      const wanted = Buffer.concat(pieces);
      const whole = await joinBytes([...pieces], Buffer.alloc(wanted.length));
      expect(whole.equals(wanted)).toBe(true);
    }),
  );
});

it('leaves the event loop its turns where there is much, and keeps no piece', async () => {
  let turns = 0;
  const count = () => {
    turns++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const pieces = Array.from({ length: 200 }, (_, i) => new Uint8Array(64 * 1024).fill(i));
  const whole = await joinBytes(pieces, new Uint8Array(200 * 64 * 1024));
  clearImmediate(counting);
  expect(turns).toBeGreaterThanOrEqual(5);
  expect([whole[0], whole[64 * 1024 * 199]]).toEqual([0, 199]);
  expect(pieces).toEqual([]);
});
