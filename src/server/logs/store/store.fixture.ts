import { join } from 'node:path';
import { openForReading } from './files/schema.ts';
import { mergeBlocks, type Merge } from './merge/merge.ts';
import type { LogBatch, StoreDamage } from './port.ts';
import { Rows } from './blocks/rows.ts';
import { createLineReader } from './write/ingest.ts';
import { openSource, type Snapshot } from './read/source.ts';
import { openWriter, type LogWriter, type WriterOptions } from './write/writer.ts';
import { recordWriter } from './read/records.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

/** What tests of the store share. */
export const PLAIN: LogBatch['options'] = {
  timeFields: ['_time'],
  messageFields: ['_msg'],
  streamFields: ['source'],
  ignoreFields: [],
  extraFields: {},
};
export const LINE_LIMITS = { lineBytes: 1024 * 1024, fields: 1000, nameBytes: 128 };

export const emptyFolder = (): string => temporaryFolder('log-store');

/** Merges at once, as the thread does. */
export const mergeIn =
  (folder: string): Merge =>
  (file, ids, rows, done) => {
    let db: ReturnType<typeof openForReading> | undefined;
    try {
      db = openForReading(join(folder, file));
      done(mergeBlocks(db, ids, rows));
    } catch (error) {
      done(error as Error);
    } finally {
      db?.close();
    }
  };

export function writerOf(folder: string, more: Partial<WriterOptions> = {}): LogWriter {
  return openWriter({
    folder,
    limits: LINE_LIMITS,
    storeBytes: 1e9,
    retentionDays: 0,
    reserveBytes: 0,
    durable: false,
    merge: mergeIn(folder),
    oldestQuery: () => Infinity,
    now: Date.now,
    log: () => {},
    ...more,
  });
}

export const batch = (
  lines: readonly (object | string)[],
  id: string | null = null,
  options: Partial<LogBatch['options']> = {},
): LogBatch => ({
  id,
  ndjson: new TextEncoder().encode(
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  ),
  options: { ...PLAIN, ...options },
});

/** Reads lines into rows. */
export function rowsOf(
  lines: readonly (object | string)[],
  options: Partial<LogBatch['options']> = {},
  now = 0,
): { rows: Rows; stored: number; skipped: number } {
  const rows = new Rows(4);
  let arrival = 0;
  const reader = createLineReader({ ...PLAIN, ...options }, LINE_LIMITS, () => ++arrival, null);
  reader.read(Buffer.from(batch(lines).ndjson), 0, rows, now, () => false);
  return { rows, stored: reader.stored, skipped: reader.skipped };
}

/** All records of a folder in the order of their times, as objects; and what was said about damage. */
export function recordsIn(folder: string): {
  records: Record<string, unknown>[];
  said: string[];
  damages: StoreDamage[];
} {
  const damages: StoreDamage[] = [];
  const source = openSource(folder, 1e6, (damage) => damages.push(damage));
  for (;;) {
    try {
      const records = recordsOf(source.snapshot());
      source.close();
      return { records, damages, said: damages.map(({ file, what }) => `${file}: ${what}`) };
    } catch (error) {
      if (!source.leavesOut(error)) throw error;
    }
  }
}

/** The same of a snapshot, which is given back. */
export function recordsOf(snapshot: Snapshot): Record<string, unknown>[] {
  const found: { ms: number; ns: number; arrival: number; text: string }[] = [];
  for (const block of snapshot.blocks({ from: null, to: null, equal: [], words: [] }, 'asc')) {
    const write = recordWriter(block);
    for (let row = 0; row < block.rows; row++)
      found.push({
        ms: block.ms[row] as number,
        ns: block.ns?.[row] ?? 0,
        arrival: block.arrivals[row] as number,
        text: write(row),
      });
  }
  snapshot.release();
  found.sort((a, b) => a.ms - b.ms || a.ns - b.ns || a.arrival - b.arrival);
  return found.map(({ text }) => JSON.parse(text) as Record<string, unknown>);
}

/** Works until nothing is left to do. */
export function settle(writer: LogWriter): void {
  while (writer.work(true));
}
