import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ROOM, roomOfSeries } from './rows.ts';

it('the room of all series together is hardly more than their rows, however many series come after few', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 5000 }), fc.nat(20_000), (rows, before, series) => {
      const room = roomOfSeries(rows, before, 8192);
      const sum = Array.from({ length: series }, room).reduce((total, one) => total + one, 0);
      expect(sum).toBeLessThanOrEqual(rows * 1.1 + before + ROOM * series);
    }),
  );
});
