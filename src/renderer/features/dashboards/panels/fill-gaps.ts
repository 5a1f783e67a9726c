import type { PanelQuery } from '../../../../contract/dashboards.ts';
import type { Lines } from './panel-data.ts';

/** What is counted may be told so many seconds after it happened: until then a window without a value is not known to be empty. */
const LATE_S = 20;
/** A gauge that was told so many seconds ago is not told any more. */
const GAUGE_S = 30;
/** More windows than any panel asks for. */
const MOST = 2000;

/** True where a window without a value means that nothing came: log lines, counters, and what each job is measured by once, at its end. */
export const counts = (query: PanelQuery | undefined): boolean =>
  query?.source === 'logs' ||
  (query?.source === 'metrics' &&
    (query.aggregate === 'count' ||
      ((query.aggregate === 'sum' || query.aggregate === 'rate') &&
        (query.field.startsWith('counter_') || query.measurement === 'job_metrics'))));

/** Time without a value, in seconds, over which a line of measured values is broken. */
export const typicalGap = (stepSeconds: number): number => Math.max(GAUGE_S, 2.5 * stepSeconds);

/** Every window of the time: none in those where nothing was counted. `range` and `askedAt` in seconds since the epoch. */
export function fillGaps(
  { times, lines }: Pick<Lines, 'times' | 'lines'>,
  [from, to]: readonly [number, number],
  stepSeconds: number,
  askedAt: number,
): Pick<Lines, 'times' | 'lines'> {
  const [first] = times;
  const end = Math.min(to, askedAt - LATE_S);
  if (first === undefined || (to - from) / stepSeconds > MOST) return { times, lines };
  const all = new Set(times);
  // Windows lie where those of the answer lie.
  for (
    let at = first - Math.floor((first - from) / stepSeconds) * stepSeconds;
    at + stepSeconds <= end;
    at += stepSeconds
  )
    all.add(at);
  const axis = [...all].sort((a, b) => a - b);
  const place = new Map(times.map((time, i) => [time, i]));
  return {
    times: axis,
    lines: lines.map((line) => ({ ...line, values: axis.map((time) => line.values[place.get(time) ?? -1] ?? 0) })),
  };
}
