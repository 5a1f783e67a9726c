import { expect } from 'vitest';
import type { MetricSeries } from '../../../contract/metrics.ts';
import { done, failed, type FakeWorker } from '../../testing/worker.fake.ts';

/** Works as the inputs say: `again` fails once, `bad` for good. Each attempt takes some milliseconds of its own. */
export async function work(worker: FakeWorker): Promise<void> {
  for (let n = 0; ; n++) {
    const lease = await worker.lease();
    const { content } = lease.input as { content: string };
    const took = 1 + (n % 40);
    const end = Date.now();
    worker.report({ e: 'start', id: lease.id, attempt: lease.attempt, at: end - took });
    const outcome = content.split(' ')[0];
    const report =
      outcome === 'bad' || (outcome === 'again' && lease.attempt === 1)
        ? failed(lease, { retryable: outcome === 'again' }, end)
        : done(lease, content.toUpperCase(), undefined, end);
    worker.report({ ...report, startedAt: end - took } as typeof report);
  }
}

export const sumOf = ({ series }: MetricSeries): number =>
  series.flatMap(({ values }) => values).reduce((a, b) => a + b, 0);
export const byTag = ({ series }: MetricSeries, tag: string): Record<string, number> =>
  Object.fromEntries(series.map(({ tags, values }) => [tags[tag], values.reduce((a, b) => a + b, 0)]));
export const only = ({ series }: MetricSeries): number => series[0]?.values[0] as number;

export interface Attempt {
  node: string;
  workflow: string;
  worker: string;
  failed: boolean;
  runMs: number;
  waitMs: number;
  inputBytes: number;
  outputBytes: number;
}
interface TaskRow {
  readonly node: string;
  readonly workflow_id: string;
  readonly history: string;
  readonly input: string | null;
  readonly output: string | null;
}

/** All attempts at a task by its history: `<from><to> <time> <attempt> [@worker] …`. */
export function attemptsOf({ node, workflow_id: workflow, history, input, output }: TaskRow): Attempt[] {
  const found: Attempt[] = [];
  let [ready, scheduled, started, worker] = [0, 0, 0, ''];
  for (const line of history.split('\n').filter(Boolean)) {
    const [, state, time = '', who] = /^.(.) (\S+) \d+(?: @(\S+))?/.exec(line) ?? [];
    const at = Number.parseInt(time, 36);
    if (state === 'Q') ready = at;
    if (state === 'S') [scheduled, worker] = [at, who ?? worker];
    if (state === 'R') started = at;
    if (worker !== '' && (state === 'C' || state === 'F')) {
      found.push({
        node,
        workflow,
        worker,
        failed: state === 'F',
        runMs: at - started,
        waitMs: scheduled - ready,
        inputBytes: Buffer.byteLength(input ?? ''),
        outputBytes: state === 'C' ? Buffer.byteLength(output ?? '') : 0,
      });
      worker = '';
    }
  }
  return found;
}

export const counted = <T>(
  list: readonly T[],
  key: (one: T) => string,
  value: (one: T) => number = () => 1,
): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const one of list) sums[key(one)] = (sums[key(one)] ?? 0) + value(one);
  return sums;
};
/** Between which two values of the sorted list a quantile has to lie. */
export const around = (values: readonly number[], q: number): [number, number] => {
  const sorted = [...values].sort((a, b) => a - b);
  const at = q * (sorted.length - 1);
  return [
    sorted[Math.max(0, Math.floor(at) - 1)] as number,
    sorted[Math.min(sorted.length - 1, Math.ceil(at) + 1)] as number,
  ];
};
export const within = (value: number, [least, most]: [number, number]) => {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThanOrEqual(most);
};
