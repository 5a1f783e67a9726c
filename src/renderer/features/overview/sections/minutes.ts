import type { DataPoint } from '../../../../contract/metrics.ts';

export interface Minutes {
  /** Seconds since the epoch, one a minute. */
  times: number[];
  events: number[];
  errors: number[];
}

/** A row for each of the last `count` minutes up to `now` (milliseconds); windows without points come as 0, as nothing happened then. */
export function countByMinute(points: readonly DataPoint[], count: number, now: number): Minutes {
  const last = Math.floor(now / 60_000) * 60;
  const times = Array.from({ length: count }, (_, i) => last - (count - 1 - i) * 60);
  const place = new Map(times.map((time, i) => [time, i]));
  const events = times.map(() => 0);
  const errors = times.map(() => 0);
  for (const point of points) {
    const at = place.get(Math.floor(new Date(point.timestamp).getTime() / 60_000) * 60);
    if (at === undefined) continue;
    events[at] = (events[at] ?? 0) + numberIn(point, 'counter_input_event_count');
    errors[at] = (errors[at] ?? 0) + numberIn(point, 'counter_error_count');
  }
  return { times, events, errors };
}

const numberIn = (point: DataPoint, name: string): number => (typeof point[name] === 'number' ? point[name] : 0);
