import fc from 'fast-check';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodePack, isWhole, Pack, type PackedChunk, type PackRow } from './pack.ts';

const chunk = (sid: number, t0: number, length: number, n: number, data: Uint8Array): PackedChunk => ({
  ...{ sid, t0, t1: t0 + length, n, crc: crc32(data), data },
});
const chunks = fc
  .array(
    fc.record({
      sid: fc.integer({ min: 1, max: 50 }),
      t0: fc.integer({ min: -(2 ** 45), max: 2 ** 45 }),
      length: fc.nat(7_200_000),
      n: fc.integer({ min: 1, max: 8192 }),
      // Some larger than a frame.
      data: fc.oneof(
        fc.uint8Array({ maxLength: 500 }),
        fc.nat(100_000).map((size) => new Uint8Array(size).fill(7)),
      ),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((list) =>
    list
      .map(({ sid, t0, length, n, data }) => chunk(sid, t0, length, n, data))
      .toSorted((a, b) => a.sid - b.sid || a.t0 - b.t0),
  );
const open = (row: PackRow): Pack => Pack.open(row) ?? expect.fail('it is damaged');
const headOf = ({ sid, t0, t1, n, crc }: PackedChunk) => ({ sid, t0, t1, n, crc });
const plain = (list: readonly PackedChunk[]) => list.map((one) => ({ ...one, data: Buffer.from(one.data) }));

describe('a pack', () => {
  it('gives all chunks that were put in, and those of a series', () => {
    fc.assert(
      fc.property(chunks, fc.integer({ min: 1, max: 50 }), (list, sid) => {
        const row = encodePack(5, list);
        expect(row.n).toBe(list.reduce((sum, { n }) => sum + n, 0));
        const pack = open(row);
        expect(plain(pack.of(sid))).toEqual(plain(list.filter((one) => one.sid === sid)));
        expect(plain(pack.all())).toEqual(plain(list));
        expect(pack.all().every(isWhole)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('gives no chunk whose bytes are not those that were written, and all others', () => {
    fc.assert(
      fc.property(chunks, fc.nat(), fc.nat(7), (list, at, bit) => {
        const row = encodePack(5, list);
        const data = Uint8Array.from(row.data);
        const place = at % data.length;
        data[place] = (data[place] ?? 0) ^ (1 << bit);
        const read = open({ ...row, data }).all();
        expect(read.map(headOf)).toEqual(list.map(headOf));
        for (const [i, one] of read.entries())
          if (isWhole(one)) expect(Buffer.from(one.data)).toEqual(Buffer.from(list[i]?.data ?? []));
      }),
      { numRuns: 60 },
    );
  });

  it('is none where what it says of its chunks is damaged, or it is in the place of another', () => {
    const row = encodePack(5, [chunk(1, 0, 10, 2, Uint8Array.of(1, 2, 3))]);
    for (let place = 0; place < row.head.length; place++) {
      const head = Uint8Array.from(row.head);
      head[place] = (head[place] ?? 0) ^ 1;
      expect(Pack.open({ ...row, head })).toBeNull();
    }
    expect(Pack.open({ ...row, id: 6 })).toBeNull();
    expect(Pack.open({ ...row, n: 3 })).toBeNull();
    expect(Pack.open(row)).not.toBeNull();
  });

  it('takes less than 340 bytes for a series with a point each 17 seconds that goes up and down', () => {
    const lists = Array.from({ length: 100 }, (_, sid) =>
      chunk(
        sid + 1,
        0,
        7_200_000,
        417,
        Uint8Array.from({ length: 440 }, (__, i) => ((i + sid) * 7919) % 41),
      ),
    );
    const { head, data } = encodePack(1, lists);
    expect(data.length + head.length).toBeLessThan(100 * 340);
  });
});
