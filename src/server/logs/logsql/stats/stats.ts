import type { Filter, PipeOf, StatsCall } from '../../../../lib/logsql/ast.ts';
import { compileFilter, type Matcher } from '../filter/evaluate.ts';
import { countOf, everyRow, type Frame, stringsFrame } from '../frame.ts';
import type { Run, Stage } from '../run-context.ts';
import { boundsOf } from '../filter/time-bounds.ts';
import type { Accumulator, AccumulatorContext } from './accumulator.ts';
import { createGroups } from './groups.ts';
import { stepNs } from './keys.ts';
import { createCount, createSum, createSumLen } from './numbers.ts';
import { createCountUniq, createEdge, createQuantile, createRow, createValues } from './values.ts';

/** Groups that leave at once. */
const CHUNK = 4096;

/** `stats by (…) f(…) as n`. */
export function statsStage(pipe: PipeOf<'stats'>, run: Run): Stage {
  return function* (frames) {
    const groups = createGroups(pipe.by, run.hold);
    const seconds = secondsOf(pipe, run);
    const calls = pipe.calls.map((call) => ({
      call,
      at: accumulator({ call, hold: run.hold, seconds }),
      condition: call.condition === null ? null : compileFilter(call.condition, run.moment),
    }));
    const tallies = calls.map(({ at, condition }) => (condition === null ? at.tally : undefined));
    for (const frame of frames) {
      yield null;
      if (frame === null) continue;
      run.check();
      if (tallies.every((tally) => tally !== undefined)) {
        groups.tally(frame, (group, rows) => {
          for (const tally of tallies) tally(group, rows);
        });
        continue;
      }
      const assigned = groups.assign(frame);
      for (const { at, condition } of calls) feed(at, condition, frame, assigned, groups.keys.length);
    }
    const total = pipe.by.length === 0 ? 1 : groups.keys.length;
    for (let from = 0; from < total; from += CHUNK) {
      run.check();
      const numbers = Array.from({ length: Math.min(CHUNK, total - from) }, (_, i) => from + i);
      const columns = new Map<string, string[]>();
      pipe.by.forEach(({ field }, k) =>
        columns.set(
          field,
          numbers.map((group) => groups.keys[group]?.[k] ?? ''),
        ),
      );
      for (const { call, at } of calls)
        columns.set(
          call.as,
          numbers.map((group) => at.result(group)),
        );
      yield stringsFrame(numbers.length, columns, true);
    }
  };
}

function feed(at: Accumulator, condition: Matcher | null, frame: Frame, groups: Int32Array, total: number): void {
  const mask = condition === null ? true : condition(frame, null);
  if (mask === true) {
    at.add({ frame, rows: frame.picked, groups, total });
  } else if (mask !== false) {
    const rows = frame.picked ?? everyRow(frame.rows);
    const places = everyRow(countOf(frame)).filter((i) => mask[rows[i] ?? 0] === 1);
    at.add({
      frame,
      rows: places.map((i) => rows[i] ?? 0),
      groups: Int32Array.from(places, (i) => groups[i] ?? 0),
      total,
    });
  }
}

function accumulator(context: AccumulatorContext): Accumulator {
  // The parser knows these alone.
  switch (context.call.name as StatsCall['name']) {
    case 'count':
    case 'count_empty':
    case 'rate':
      return createCount(context);
    case 'sum':
    case 'avg':
    case 'stddev':
    case 'rate_sum':
      return createSum(context);
    case 'sum_len':
      return createSumLen(context);
    case 'min':
    case 'max':
    case 'any':
      return createEdge(context);
    case 'median':
    case 'quantile':
      return createQuantile(context);
    case 'uniq_values':
    case 'values':
      return createValues(context);
    case 'count_uniq':
      return createCountUniq(context);
    case 'row_any':
    case 'row_min':
    case 'row_max':
      return createRow(context);
  }
}

/** What a rate is divided by: the step of the time, else the span that the query asks for, else one second. */
function secondsOf(pipe: PipeOf<'stats'>, run: Run): number {
  const step = pipe.by.find(({ field }) => field === '_time')?.step;
  const ns = step ? stepNs(step) : null;
  if (ns !== null) return Number(ns) / 1e9;
  const { from, to } = spanOf(run.filter, run.moment.now);
  return from === null ? 1 : Math.max(Number((to ?? run.moment.now) - from) / 1e9, 1e-9);
}

function spanOf(filter: Filter, now: bigint): { from: bigint | null; to: bigint | null } {
  if (filter.kind === 'time') return boundsOf(filter, now);
  if (filter.kind !== 'and') return { from: null, to: null };
  return filter.parts
    .map((part) => spanOf(part, now))
    .reduce((a, b) => ({
      from: a.from === null ? b.from : b.from === null ? a.from : a.from > b.from ? a.from : b.from,
      to: a.to === null ? b.to : b.to === null ? a.to : a.to < b.to ? a.to : b.to,
    }));
}
