import { keysOf } from '../../../../contract/tables.ts';

/** Ranges that end now, in milliseconds. */
export const RANGES = {
  '15m': 900_000,
  '1h': 3_600_000,
  '6h': 21_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
} as const;
export type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = keysOf(RANGES);

/** What is shown: the last so many milliseconds, or between two times (ms). */
export type Span = { readonly last: number } | { readonly from: number; readonly to: number };

export const rangeLength = (span: Span): number => ('last' in span ? span.last : span.to - span.from);

/** The span's ends now, on whole windows, so that windows do not change with every second that passes. */
export function rangeEnds(span: Span, stepMs: number, now: number): { from: number; to: number } {
  if (!('last' in span)) return span;
  const to = Math.ceil(now / stepMs) * stepMs;
  return { from: to - Math.ceil(span.last / stepMs) * stepMs, to };
}

const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];
const MAX_WINDOWS = 180;

/** Width of the windows of a chart over so long a time, in seconds. */
export function stepForLength(lengthMs: number): number {
  return (
    STEPS_S.find((step) => lengthMs / (step * 1000) <= MAX_WINDOWS) ??
    Math.ceil(lengthMs / MAX_WINDOWS / 86_400_000) * 86_400
  );
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** `90s`, `15m`, `1h`, `7d`; null for another text. */
export function parseDuration(text: string): number | null {
  const found = /^([1-9][0-9]{0,5})([smhd])$/.exec(text);
  return found ? Number(found[1]) * (UNITS[found[2] ?? ''] ?? 0) : null;
}
