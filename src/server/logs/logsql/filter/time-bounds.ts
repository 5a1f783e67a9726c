import type { Filter, TimeSpec } from '../../../../lib/logsql/ast.ts';
import { durationOf } from '../../../../lib/logsql/durations.ts';
import { type Span, spanOf } from '../../../../lib/logsql/times.ts';

type TimeFilter = Extract<Filter, { kind: 'time' }>;
/** Nanoseconds; the lower end in, the upper end out; null: open. */
export interface Bounds {
  readonly from: bigint | null;
  readonly to: bigint | null;
}

const OPEN: Bounds = { from: null, to: null };

/** The span of a `_time:` filter; of `day_range` and `week_range` it is open. */
export function boundsOf({ spec, offset }: TimeFilter, now: bigint): Bounds {
  const shift = offset === null ? 0n : (durationOf(offset) ?? 0n);
  if (spec.kind === 'ever') return offset === null ? OPEN : { from: null, to: now - shift };
  const { from, to } = specBounds(spec, now);
  return { from: from === null ? null : from - shift, to: to === null ? null : to - shift };
}

function specBounds(spec: TimeSpec, now: bigint): Bounds {
  switch (spec.kind) {
    case 'at': {
      const ago = durationOf(spec.text);
      return ago === null ? span(spec.text, now) : { from: now - (ago < 0n ? -ago : ago), to: now };
    }
    case 'compare': {
      const ago = durationOf(spec.text);
      // A duration counts back from now, so that more of it is older.
      if (ago !== null)
        return spec.op === '>' || spec.op === '>=' ? { from: null, to: now - ago } : { from: now - ago, to: now };
      const { from, to } = span(spec.text, now);
      if (spec.op === '=') return { from, to };
      if (spec.op === '>') return { from: from + 1n, to: null };
      if (spec.op === '>=') return { from, to: null };
      return { from: null, to: spec.op === '<' ? from : to };
    }
    case 'range': {
      const low = span(spec.low, now);
      const high = span(spec.high, now);
      return { from: spec.lowIn ? low.from : low.from + 1n, to: spec.highIn ? high.to : high.from };
    }
    default:
      return OPEN;
  }
}

function span(text: string, now: bigint): Span {
  const found = spanOf(text, now);
  // The parser took only texts that name a time.
  if (found === null) throw new Error(`not a time: ${text}`);
  return found;
}
