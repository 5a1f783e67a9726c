import { itemAt } from '../../lib/item-at.ts';
import type { Preview, PreviewBody } from '../../contract/alert-rules.ts';
import type { Reducer } from '../../contract/vocabulary.ts';
import { iso } from '../../lib/clock.ts';
import { invalidAt } from '../../lib/fault.ts';
import { nextAlert, isFiring, type AlertFacts } from '../state-machines/alert.ts';
import { meetsThreshold, reduceSeries } from './reduce.ts';
import { isStats, querySamples, type AlertSources, type Sample } from './sources.ts';

/** Instants that a preview shows, and series. */
const MAX_TIMES = 500;
const MAX_SERIES = 20;
const MIN_STEP_MS = 1000;

/**
 * What a rule would have seen and done from `from` to `to` (default: the last hour). The query is asked once, in windows
 * of one step; each instant then joins the windows of the range before it. A mean of windows is near the mean of the points; all else is as the evaluation would find it. What a LogsQL `stats` gives cannot be put together from windows: it
 * is shown for the last instant alone.
 */
export async function previewRule(
  sources: AlertSources,
  body: PreviewBody,
  now: number,
  signal: AbortSignal,
): Promise<Preview> {
  const {
    query,
    threshold,
    reducer = query.source === 'logs' ? 'sum' : 'last',
    rangeSeconds = 300,
    intervalSeconds = 60,
    forSeconds = 0,
  } = body;
  const to = body.to === undefined ? now : Date.parse(body.to);
  const from = body.from === undefined ? to - 3_600_000 : Date.parse(body.from);
  if (!(from < to)) throw invalidAt('/from', 'from must be before to', 'must be before to');
  const rangeMs = rangeSeconds * 1000;
  const stepMs = Math.max(MIN_STEP_MS, intervalSeconds * 1000, Math.ceil((to - from) / MAX_TIMES / 1000) * 1000);
  const own = query.source === 'engine' ? undefined : query.stepSeconds;
  // Without windows of its own the range is one window, which is put together here from smaller ones.
  const windowMs = own === undefined ? stepMs : own * 1000;
  const fold = own === undefined ? joined(query) : reducer;
  const first = Math.ceil(from / stepMs) * stepMs;
  const times: number[] = [];
  for (let at = first; at < to; at += stepMs) times.push(at);
  // The present moment too: that is what people look at.
  times.push(to);
  const range = isStats(query)
    ? { from: to - rangeMs, to, stepMs: null }
    : { from: first - rangeMs, to, stepMs: windowMs };
  // A rate is no sum of the rates of its windows: each of them looks back on the whole range by itself.
  const lookMs = query.source === 'engine' ? stepMs : rangeMs;
  const { samples, total } = await querySamples(
    sources,
    query,
    { ...range, limit: MAX_SERIES, ...(query.source === 'engine' ? { backMs: rangeMs } : {}) },
    signal,
    body.project,
  );
  const anyFiring = new Set<number>();
  const series = samples.slice(0, MAX_SERIES).map((sample) => {
    let facts: AlertFacts | null = null;
    let firings = 0;
    const values = times.map((at) => {
      const value = reduceSeries(fold, valuesIn(sample, at - lookMs, at));
      const fired = facts !== null && isFiring(facts);
      facts = nextAlert(
        facts?.state === 'Normal' ? null : facts,
        { on: 'value', at, value, holds: meetsThreshold(threshold, value) },
        { forMs: forSeconds * 1000, keepFiringMs: 0, firing: 'Alerting' },
      );
      if (facts && isFiring(facts)) {
        anyFiring.add(at);
        if (!fired) firings++;
      }
      return value;
    });
    return { labels: { ...sample.labels }, values, firings };
  });
  return {
    from: iso(from),
    to: iso(to),
    stepSeconds: stepMs / 1000,
    times: times.map(iso),
    series,
    totalSeries: total,
    firing: anyFiring.size,
  };
}

/** How the aggregate of a whole comes of those of its parts; percentiles and means nearly. */
function joined(query: PreviewBody['query']): Reducer {
  if (query.source === 'logs') return 'sum';
  if (query.source === 'engine') return 'mean';
  const { aggregate } = query;
  if (aggregate === 'sum' || aggregate === 'count') return 'sum';
  if (aggregate === 'min' || aggregate === 'max' || aggregate === 'last') return aggregate;
  return aggregate === 'mean' || aggregate === 'rate' ? 'mean' : 'max';
}

/** Values of the windows that begin in the range; the times are in order. */
function valuesIn({ times, values }: Sample, from: number, to: number): readonly number[] {
  return values.slice(lowerBound(times, from), lowerBound(times, to));
}

function lowerBound(times: readonly number[], at: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(times, middle) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
