import { randomInt } from 'node:crypto';
import type { ShapeBatch } from '../collector/port.ts';

/** Points as line protocol for two buckets. */
export interface EncodedPoints {
  /** Every point, without `job_id` and `task_id`: the number of its series stays small. */
  readonly all: string;
  /** Points of single jobs, with the tag `job_id` and the field `task_id`, for a bucket of short retention. */
  readonly jobs: string;
  readonly points: number;
  readonly jobPoints: number;
}

/** Measurements of runs: their points are in the bucket of jobs too, whether or not they name their job. */
export const RUN_MEASUREMENTS: readonly string[] = ['task_metrics', 'job_metrics', 'custom_metrics'];
const OF_RUNS = new Set(RUN_MEASUREMENTS);

const BETWEEN = '\u0000';
const NS_BELOW_MS = 1_000_000;
/** Digits of nanoseconds below the millisecond: 6. */
const digits = (n: number): string => String(n).padStart(6, '0');

/**
 * Without its job and task as tags, a point of one task would be the same as that of another which ended in the same
 * millisecond, and InfluxDB keeps one of such points alone. So points of runs get nanoseconds of their own. A batch is encoded
 * once and sent as it is however often: what comes twice is the same point again.
 */
export function createPointEncoder(first = randomInt(NS_BELOW_MS)): (batches: readonly ShapeBatch[]) => EncodedPoints {
  let next = first;

  return (batches) => {
    /** Fields of one task in one millisecond are one point. */
    const known = new Map<string, string>();
    let all = '';
    let jobs = '';
    let points = 0;
    let jobPoints = 0;
    for (const { measurement, tags, fields, count, texts, times, values } of batches) {
      const isOfRun = OF_RUNS.has(measurement);
      const name = escapeMeasurement(measurement);
      const job = tags.indexOf('job_id');
      const task = tags.indexOf('task_id');
      const keys = tags.map((tag, i) => (i === job || i === task ? null : `,${escapeKey(tag)}=`));
      const fieldKeys = fields.map((field) => `${escapeKey(field)}=`);
      const all_ = texts.split(BETWEEN);
      for (let row = 0; row < count; row++) {
        const ms = Math.trunc(times[row] ?? Number.NaN);
        if (!(ms >= 0 && ms < 9.2e12)) continue;
        let fieldText = '';
        for (let i = 0; i < fieldKeys.length; i++) {
          const value = values[row * fieldKeys.length + i] ?? Number.NaN;
          // Infinity cannot be written.
          if (Number.isFinite(value)) fieldText += `${fieldText === '' ? '' : ','}${fieldKeys[i]}${value}`;
        }
        if (fieldText === '') continue;
        let head = name;
        for (let i = 0; i < keys.length; i++) {
          const value = all_[row * tags.length + i];
          if (keys[i] !== null && value) head += keys[i] + escapeKey(value);
        }
        const jobId = job < 0 ? '' : (all_[row * tags.length + job] ?? '');
        const taskId = task < 0 ? '' : (all_[row * tags.length + task] ?? '');
        let below = '000000';
        if (isOfRun) {
          const owner = `${ms}${BETWEEN}${jobId}${BETWEEN}${taskId}`;
          let found = known.get(owner);
          if (found === undefined) {
            known.set(owner, (found = digits(next)));
            next = (next + 1) % NS_BELOW_MS;
          }
          below = found;
          jobs += `${head}${jobId === '' ? '' : `,job_id=${escapeKey(jobId)}`} ${fieldText}${taskId === '' ? '' : `,task_id=${quoted(taskId)}`} ${ms}${below}\n`;
          jobPoints++;
        }
        all += `${head} ${fieldText} ${ms}${below}\n`;
        points++;
      }
    }
    return { all, jobs, points, jobPoints };
  };
}

// A backslash at the end would escape what follows, and a line ends at a line feed whatever stands before it.
const plain = (text: string): string => text.replaceAll(/[\n\r]/g, ' ').replace(/\\+$/, '');
const escapeMeasurement = (text: string): string => plain(text).replaceAll(/[, ]/g, String.raw`\$&`);
const escapeKey = (text: string): string => plain(text).replaceAll(/[, =]/g, String.raw`\$&`);
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
