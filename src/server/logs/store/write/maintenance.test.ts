import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { batch, mergeIn, writerOf } from '../store.fixture.ts';
import { openWriter } from './writer.ts';
import { temporaryFolder } from '../../../../lib/temporary-folder.fixture.ts';

const folder = temporaryFolder('wide');
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('lines of ever new fields', () => {
  it('are not merged into blocks of ever more columns, and the upkeep comes to an end', () => {
    let now = Date.parse('2026-03-01T12:00:00Z');
    const writer = openWriter({
      folder,
      limits: { lineBytes: 1 << 20, fields: 1000, nameBytes: 128 },
      storeBytes: 1e9,
      retentionDays: 0,
      reserveBytes: 0,
      durable: false,
      merge: mergeIn(folder),
      oldestQuery: () => Infinity,
      now: () => now,
      log() {},
    });
    const options = {
      timeFields: ['_time'],
      messageFields: ['_msg'],
      streamFields: [],
      ignoreFields: [],
      extraFields: {},
    };
    for (let batch = 0; batch < 8; batch++) {
      const line = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`field_${batch}_${i}`, String(i)]));
      writer.insert([{ id: null, ndjson: Buffer.from(`${JSON.stringify(line)}\n`), options }]);
    }
    now += 3_600_000;
    let steps = 0;
    while (writer.work(true) && steps < 200) steps++;
    expect(steps).toBeLessThan(200);
    // Two lines have more than 1,500 fields, so no block takes a third.
    expect(writer.stats()).toMatchObject({ rows: 8, blocks: 4, damaged: 0 });
    writer.close();
  });

  it('get blocks of few rows: each column has a place for each of them', () => {
    const writer = writerOf(folder);
    const line = (n: number) => ({ _msg: `line ${n}`, [`a${n}`]: 'x', [`b${n}`]: 'y' });
    writer.insert([batch(Array.from({ length: 5000 }, (_, n) => line(n)))]);
    expect(writer.stats()).toMatchObject({ rows: 5000, skipped: 0 });
    expect(writer.stats().blocks).toBeGreaterThan(30);
    // Many names that the lines share are no reason.
    const before = writer.stats().blocks;
    const shared = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`shared_${n}`, 'x']));
    writer.insert([batch(Array.from({ length: 2000 }, () => shared))]);
    expect(writer.stats().blocks).toBe(before + 1);
    writer.close();
  });
});
