import { parseStored } from '../../../lib/json.ts';
import type { ReadHandle } from '../../store/port.ts';
import type { OverviewCounts } from './port.ts';

interface Minute {
  created: number;
  failed: number;
  finished: number;
  /** Jobs by step of their duration; under `LONGEST` the longest duration itself. */
  durations: Map<number, number>;
}

const MINUTE_MS = 60_000;
const KEPT_MINUTES = 60;
const THROUGHPUT_MINUTES = 5;
const STEP = Math.log(1.1);
const LONGEST = -1;

export function openOverviewCounts(db: ReadHandle, now: number): OverviewCounts {
  const minutes = new Map<number, Minute>();
  const dirty = new Set<number>();
  const minuteOf = (at: number) => Math.floor(at / MINUTE_MS);
  for (const row of db
    .query<{ minute: number; created: number; failed: number; finished: number; durations: string }>(
      'SELECT * FROM job_minute WHERE minute > ?',
    )
    .all(minuteOf(now) - KEPT_MINUTES))
    minutes.set(row.minute, {
      created: row.created,
      failed: row.failed,
      finished: row.finished,
      durations: new Map(parseStored<[number, number][]>(row.durations)),
    });

  function at(time: number): Minute {
    const key = minuteOf(time);
    dirty.add(key);
    let minute = minutes.get(key);
    if (!minute) minutes.set(key, (minute = { created: 0, failed: 0, finished: 0, durations: new Map() }));
    return minute;
  }

  return {
    created(time) {
      at(time).created++;
    },
    finished({ createdAt, at: time, durationMs, failed }) {
      const minute = at(time);
      minute.finished++;
      const bucket = Math.round(Math.log(durationMs + 1) / STEP);
      minute.durations.set(bucket, (minute.durations.get(bucket) ?? 0) + 1);
      if (durationMs > (minute.durations.get(LONGEST) ?? 0)) minute.durations.set(LONGEST, durationMs);
      if (failed) at(createdAt).failed++;
    },
    recovered(createdAt) {
      const minute = at(createdAt);
      minute.failed = Math.max(0, minute.failed - 1);
    },
    read(time) {
      const newest = minuteOf(time);
      const within = (count: number) =>
        [...minutes].filter(([key]) => key > newest - count && key <= newest).map(([, minute]) => minute);
      const hour = within(KEPT_MINUTES);
      const sum = (of: Minute[], what: 'created' | 'failed' | 'finished') =>
        of.reduce((total, minute) => total + minute[what], 0);
      return {
        failedLastHour: sum(hour, 'failed'),
        createdLastHour: sum(hour, 'created'),
        throughputPerMinute: sum(within(THROUGHPUT_MINUTES), 'finished') / THROUGHPUT_MINUTES,
        p95Ms: percentile(hour, 0.95),
      };
    },
    async save(store, time) {
      const oldest = minuteOf(time) - KEPT_MINUTES;
      for (const key of [...minutes.keys()]) if (key <= oldest) minutes.delete(key);
      if (dirty.size === 0) return;
      const rows = [...dirty].map((key) => ({ key, minute: minutes.get(key) }));
      dirty.clear();
      await store.write((db) => {
        for (const { key, minute } of rows) {
          if (minute)
            db.statement(
              'INSERT OR REPLACE INTO job_minute (minute, created, failed, finished, durations) VALUES (?, ?, ?, ?, ?)',
            ).run(key, minute.created, minute.failed, minute.finished, JSON.stringify([...minute.durations]));
        }
        db.statement('DELETE FROM job_minute WHERE minute <= ?').run(oldest);
      });
    },
  };
}

function percentile(minutes: readonly Minute[], share: number): number | null {
  const all = new Map<number, number>();
  let total = 0;
  let longest = 0;
  for (const { durations } of minutes) {
    for (const [bucket, count] of durations) {
      if (bucket === LONGEST) {
        longest = Math.max(longest, count);
        continue;
      }
      all.set(bucket, (all.get(bucket) ?? 0) + count);
      total += count;
    }
  }
  let seen = 0;
  for (const [bucket, count] of [...all].sort(([a], [b]) => a - b)) {
    seen += count;
    // The middle of a step may lie above all that fell into it.
    if (seen >= total * share) return Math.min(Math.round(Math.exp(bucket * STEP) - 1), longest || Infinity);
  }
  return null;
}
