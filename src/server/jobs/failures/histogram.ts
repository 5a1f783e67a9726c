/** Counts of failures over time, from the first to the last, in at most so many bars: they widen with the time that they span. */
export interface Histogram {
  /** Start of the first bar, in milliseconds since the epoch. */
  readonly from: number;
  /** Width of a bar, in milliseconds. */
  readonly step: number;
  readonly counts: readonly number[];
}

const BARS = 48;
const FIRST_STEP_MS = 60_000;

const aligned = (at: number, step: number): number => Math.floor(at / step) * step;

/** Adds failures. What is older than the first bar counts in it. */
export function addToHistogram(before: Histogram | null, times: readonly number[]): Histogram {
  if (times.length === 0 && before) return before;
  let { from, step, counts }: Histogram = before ?? {
    from: aligned(Math.min(...times), FIRST_STEP_MS),
    step: FIRST_STEP_MS,
    counts: [],
  };
  const last = Math.max(from, ...times);
  while ((last - from) / step >= BARS) {
    const wider = step * 2;
    const start = aligned(from, wider);
    // Bars of before, two in one; the first stands alone where it is the second half of a wider one.
    const shifted = start === from ? counts : [0, ...counts];
    counts = Array.from(
      { length: Math.ceil(shifted.length / 2) },
      (_, i) => (shifted[2 * i] ?? 0) + (shifted[2 * i + 1] ?? 0),
    );
    [from, step] = [start, wider];
  }
  const next = Array.from(
    { length: Math.max(counts.length, Math.floor((last - from) / step) + 1) },
    (_, i) => counts[i] ?? 0,
  );
  for (const at of times) {
    const bar = Math.max(0, Math.floor((at - from) / step));
    next[bar] = (next[bar] ?? 0) + 1;
  }
  return { from, step, counts: next };
}
