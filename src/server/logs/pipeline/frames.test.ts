import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endFrame, frameOf, readFrames } from './frames.ts';

/** Frames of some lines each; every line is `{"n":<number>}`, from 0 on. */
const counts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 });
function framesOf(sizes: readonly number[]): { frames: Buffer[]; lines: string[] } {
  const lines: string[] = [];
  const frames = sizes.map((size) => {
    const before = lines.length;
    for (let i = 0; i < size; i++) lines.push(`{"n":${lines.length}}\n`);
    return frameOf(Buffer.from(lines.slice(before).join('')), size, before);
  });
  return { frames: [...frames, endFrame(lines.length)], lines };
}
const linesOf = (ndjson: Buffer) =>
  ndjson
    .toString()
    .split(/(?<=\n)/)
    .filter((line) => line !== '');

/** What was read is right, and what is missing is said. */
function expectHonest(data: Buffer, lines: readonly string[]): void {
  const found = readFrames(data);
  const read = linesOf(found.ndjson);
  expect(read).toHaveLength(found.lines);
  expect(lines.filter((line) => read.includes(line))).toEqual(read);
  if (read.length === lines.length) return;
  expect(found.damaged + found.torn > 0 || !found.complete).toBe(true);
  if (found.complete && found.lost !== null) expect(found.lost).toBe(lines.length - read.length);
}

it('gives what was written, and says that it is complete', () => {
  const { frames, lines } = framesOf([2, 1, 3]);
  expect(readFrames(Buffer.concat(frames))).toEqual({
    ndjson: Buffer.from(lines.join('')),
    lines: 6,
    end: Buffer.concat(frames).length,
    complete: true,
    lost: 0,
    damaged: 0,
    torn: 0,
  });
});

it('loses of a damaged frame what it holds, counts that, and reads on', () => {
  const { frames, lines } = framesOf([2, 3, 1]);
  const data = Buffer.concat(frames);
  data.write('x', (frames[0]?.length ?? 0) + 30);
  const found = readFrames(data);
  expect(linesOf(found.ndjson)).toEqual([...lines.slice(0, 2), ...lines.slice(5)]);
  expect(found).toMatchObject({ lost: 3, complete: true });
});

it('finds the frames behind one whose header is damaged, and counts what lay in between', () => {
  const { frames, lines } = framesOf([2, 3, 1]);
  const data = Buffer.concat(frames);
  data.writeUInt32LE(0xffffffff, (frames[0]?.length ?? 0) + 4);
  const found = readFrames(data);
  expect(linesOf(found.ndjson)).toEqual([...lines.slice(0, 2), ...lines.slice(5)]);
  expect(found.lost).toBe(3);
});

it('takes a frame that a crash cut short for no damage', () => {
  const { frames, lines } = framesOf([2, 3]);
  const data = Buffer.concat(frames.slice(0, 2));
  for (let cut = 1; cut < (frames[1]?.length ?? 0); cut++) {
    const found = readFrames(data.subarray(0, data.length - cut));
    expect(linesOf(found.ndjson)).toEqual(lines.slice(0, 2));
    expect(found).toMatchObject({ lost: 0, damaged: 0, complete: false, torn: (frames[1]?.length ?? 0) - cut });
  }
});

describe('whatever happens to the bytes', () => {
  it('a flipped bit takes nothing but what is counted', () => {
    fc.assert(
      fc.property(counts, fc.nat(), (sizes, at) => {
        const { frames, lines } = framesOf(sizes);
        const data = Buffer.concat(frames);
        const bit = at % (data.length * 8);
        data[bit >> 3] = (data[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expectHonest(data, lines);
      }),
      { numRuns: 2000 },
    );
  });
  it('cut at any byte it gives what is whole, and does not say that it is complete', () => {
    fc.assert(
      fc.property(counts, fc.nat(), (sizes, at) => {
        const { frames, lines } = framesOf(sizes);
        const data = Buffer.concat(frames);
        const cut = data.subarray(0, at % data.length);
        expectHonest(cut, lines);
        if (cut.length > 0) expect(readFrames(cut).complete && readFrames(cut).torn === 0).toBe(false);
      }),
    );
  });
  it('frames that change places are read in their order', () => {
    fc.assert(
      fc.property(counts, fc.nat(), fc.nat(), (sizes, i, j) => {
        const { frames, lines } = framesOf(sizes);
        const [a, b] = [i % frames.length, j % frames.length];
        const swapped = frames.map((frame, at) => (at === a ? frames[b] : at === b ? frames[a] : frame) ?? frame);
        expect(linesOf(readFrames(Buffer.concat(swapped)).ndjson)).toEqual(lines);
      }),
    );
  });
  it('any bytes are read to their end', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void readFrames(Buffer.from(bytes))));
  });
});

describe('the first form', () => {
  const first = (text: string): Buffer => {
    const bytes = Buffer.from(text);
    const frame = Buffer.alloc(12 + bytes.length);
    frame.writeUInt32LE(bytes.length, 0);
    frame.writeUInt32LE(text.split('\n').length - 1, 4);
    frame.writeUInt32LE(crc32(bytes), 8);
    bytes.copy(frame, 12);
    return frame;
  };
  it('is read', () => {
    const data = Buffer.concat([first('{"n":1}\n{"n":2}\n'), first('{"n":3}\n')]);
    expect(readFrames(data)).toMatchObject({ lines: 3, lost: 0, complete: true, torn: 0 });
    expect(readFrames(data.subarray(0, data.length - 2))).toMatchObject({ lines: 2, lost: 0, torn: 18 });
  });
  it('goes on behind damage, and says that lines are missing', () => {
    const frames = [first('{"n":1}\n'), first('{"n":2}\n'), first('{"n":3}\n')];
    for (const at of [20, 24, 28, 34]) {
      const data = Buffer.concat(frames);
      data[at] = (data[at] ?? 0) ^ 4;
      const found = readFrames(data);
      if (found.lines === 3) continue;
      expect(linesOf(found.ndjson)).toEqual(['{"n":1}\n', '{"n":3}\n']);
      expect(found.lost).toBeNull();
    }
  });
});
