import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../../contract/logs.ts';
import { createLogBuffer, type LogBuffer } from './buffer.ts';
import { CHUNK_RECORDS, createChunkBuilder, parseInstant, recordIn, timeText } from './chunk.ts';
import { removeKnownRecords } from './remove-known-records.ts';

const line = (n: number): LogRecord => ({ _time: new Date(n).toISOString(), _msg: `line ${n}` });
const lines = (from: number, to: number): LogRecord[] =>
  Array.from({ length: to - from + 1 }, (_, i) => line(from + i));
const held = (buffer: LogBuffer): number[] => {
  const { first, end } = buffer.bounds();
  return Array.from({ length: end - first }, (_, i) => Number(buffer.message(first + i).slice(5)));
};

let frames: (() => void)[];
const frame = () => frames.splice(0).forEach((run) => run());
const make = (records = 100_000, characters = 1e9) =>
  createLogBuffer({ records, characters, schedule: (run) => frames.push(run) });
beforeEach(() => {
  frames = [];
});

describe('the lines of a log view', () => {
  it('are in order: live ones behind, older pages before, each with a number of its own for good', () => {
    const buffer = make();
    buffer.addOlder([line(3), line(2)]);
    const number = buffer.bounds().first;
    expect(buffer.record(number)).toEqual(line(2));
    buffer.push([line(4), line(5)]);
    buffer.addOlder([line(1)]);
    expect(held(buffer)).toEqual([1, 2, 3, 4, 5]);
    expect(buffer.record(number)).toEqual(line(2));
  });
  it('tell of one change a frame', () => {
    const buffer = make();
    let told = 0;
    buffer.subscribe(() => told++);
    buffer.push([line(1)]);
    buffer.push([line(2)]);
    frame();
    expect(told).toBe(1);
    buffer.push([line(3)]);
    frame();
    expect([told, buffer.snapshot().end]).toEqual([2, 3]);
  });
  it('stay within their number: the oldest go, and are counted', () => {
    const buffer = make(3 * CHUNK_RECORDS);
    buffer.push(lines(1, 10 * CHUNK_RECORDS));
    frame();
    const all = held(buffer);
    expect(all.length).toBeLessThanOrEqual(3 * CHUNK_RECORDS);
    expect(all.at(-1)).toBe(10 * CHUNK_RECORDS);
    expect(all[0]).toBe(buffer.snapshot().dropped + 1);
    expect(buffer.addOlder(lines(1, CHUNK_RECORDS).reverse())).toBe(false);
  });
  it('stay within their characters', () => {
    const buffer = make(1e6, 5_000_000);
    for (let i = 0; i < 20; i++) buffer.push([{ ...line(i), _msg: 'x'.repeat(900_000) }]);
    const { first, end } = buffer.bounds();
    expect([end, end - first <= 7]).toEqual([20, true]);
  });
  it('do not go while they are read; what comes then is counted instead', () => {
    const buffer = make(2 * CHUNK_RECORDS);
    buffer.push(lines(1, 2 * CHUNK_RECORDS));
    buffer.hold(10);
    buffer.push(lines(1, 500));
    frame();
    expect(buffer.bounds().first).toBe(0);
    expect(buffer.snapshot().missed).toBe(500);
    buffer.hold(null);
    buffer.push([line(7)]);
    expect(buffer.bounds().first).toBe(CHUNK_RECORDS);
  });
  it('come out as they went in, whatever is pushed and loaded', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ older: fc.boolean(), size: fc.integer({ min: 0, max: 3000 }) }), { maxLength: 8 }),
        (steps) => {
          const buffer = make();
          const expected: number[] = [];
          let low = 0;
          let high = 0;
          for (const { older, size } of steps) {
            const some = older ? lines(low - size, low - 1) : lines(high, high + size - 1);
            if (size === 0) continue;
            if (older) {
              buffer.addOlder(some.toReversed());
              low -= size;
              expected.unshift(...some.map(({ _msg }) => Number(_msg.slice(5))));
            } else {
              buffer.push(some);
              high += size;
              expected.push(...some.map(({ _msg }) => Number(_msg.slice(5))));
            }
          }
          expect(held(buffer)).toEqual(expected);
          let count = 0;
          for (const chunk of buffer.chunks()) count += chunk.count;
          expect(count).toBe(expected.length);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('a chunk', () => {
  const json = fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null);
  const record = fc.record(
    {
      _time: fc
        .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString()),
      _msg: fc.string({ unit: 'grapheme' }),
      level: fc.constantFrom('INFO', 'ERROR'),
      job_id: fc.constantFrom('a', 'b'),
      custom: json,
    },
    { requiredKeys: ['_time', '_msg'] },
  );
  it('gives every record back as it came', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 20 }), (records) => {
        const before = createChunkBuilder(0);
        for (const one of records.slice(0, 5)) before.add(one as LogRecord);
        const builder = createChunkBuilder(5, before);
        for (const one of records) builder.add(one as LogRecord);
        const chunk = builder.sealed();
        for (const [i, one] of records.entries()) {
          const expected = JSON.parse(JSON.stringify(one));
          expect(JSON.parse(JSON.stringify(recordIn(chunk, i)))).toEqual(expected);
          expect(JSON.parse(JSON.stringify(builder.record(i)))).toEqual(expected);
        }
      }),
    );
  });
  it('holds each level and id once, and counts it so: however the records mix them, here 4,000 ways', () => {
    const builder = createChunkBuilder(0);
    for (let i = 0; i < CHUNK_RECORDS; i++)
      builder.add({ ...line(1), job_id: `job ${i % 40}`, task_id: `task ${i % 100}`, worker_id: `w ${i % 7}` });
    const { shared, characters } = builder.sealed();
    expect([shared.job_id, shared.task_id, shared.worker_id].map((column) => column?.values.length)).toEqual([
      40, 100, 7,
    ]);
    expect(characters - CHUNK_RECORDS * (line(1)._msg as string).length).toBeLessThan(2000);
    const next = createChunkBuilder(CHUNK_RECORDS, builder);
    next.add({ ...line(1), job_id: 'job 3' });
    expect(next.characters).toBe((line(1)._msg as string).length);
  });
  it('keeps times to the nanosecond and numbers to the letter', () => {
    for (const text of ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678901Z', '2026-01-02T03:04:05.678901234Z'])
      expect(timeText(...parseInstant(text))).toBe(text);
    expect(timeText(...parseInstant('2026-01-02T03:04:05.6789Z'))).toBe('2026-01-02T03:04:05.678900Z');
    const builder = createChunkBuilder(0);
    builder.add({
      ...line(1),
      n: (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('12345678901234567890'),
    });
    expect(JSON.stringify(recordIn(builder.sealed(), 0))).toContain('"n":12345678901234567890');
  });
});

describe('what was seen already', () => {
  it('is found by time, message and fields, however the time is written', () => {
    const known = [{ _time: '2026-01-01T00:00:00.5Z', _msg: 'a', n: 1 }] as LogRecord[];
    expect(removeKnownRecords([{ n: 1, _msg: 'a', _time: '2026-01-01T00:00:00.500Z', _stream: '{}' }], known)).toEqual(
      [],
    );
    expect(removeKnownRecords([{ _time: '2026-01-01T00:00:00.500Z', _msg: 'a', n: 2 }], known)).toHaveLength(1);
  });
  it('is taken away as often as it was seen: a line that was written twice shows twice', () => {
    const twice = [line(1), line(1), line(2)];
    expect(removeKnownRecords(twice, [line(1)])).toEqual([line(1), line(2)]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 })), fc.array(fc.integer({ min: 0, max: 4 })), (all, some) => {
        const left = removeKnownRecords(all.map(line), some.map(line));
        for (let n = 0; n <= 4; n++) {
          const count = (list: readonly number[]) => list.filter((one) => one === n).length;
          expect(left.filter(({ _msg }) => _msg === `line ${n}`)).toHaveLength(Math.max(0, count(all) - count(some)));
        }
      }),
    );
  });
});
