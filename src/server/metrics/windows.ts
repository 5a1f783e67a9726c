/**
 * Merges points into windows aligned to the epoch (contract §9): counters are summed, gauges and other values averaged,
 * timers averaged with their 95th percentile beside as `<name>_p95`.
 */
export interface Windows {
  add(time: number, fields: Record<string, number>): void;
  /** Windows that hold something, in time order. */
  result(): { time: number; fields: Record<string, number> }[];
}

interface Sum {
  sum: number;
  count: number;
  /** Every value of a timer, for its percentile. */
  values: number[] | null;
}

export function createWindows(intervalMs: number): Windows {
  const windows = new Map<number, Map<string, Sum>>();
  return {
    add(time, fields) {
      const start = Math.floor(time / intervalMs) * intervalMs;
      let sums = windows.get(start);
      if (!sums) windows.set(start, (sums = new Map()));
      for (const name in fields) {
        const value = fields[name] as number;
        let sum = sums.get(name);
        if (!sum) sums.set(name, (sum = { sum: 0, count: 0, values: name.startsWith('timer_') ? [] : null }));
        sum.sum += value;
        sum.count++;
        sum.values?.push(value);
      }
    },
    result: () =>
      [...windows]
        .sort(([a], [b]) => a - b)
        .map(([time, sums]) => {
          const fields: Record<string, number> = {};
          for (const [name, { sum, count, values }] of sums) {
            fields[name] = name.startsWith('counter_') ? sum : sum / count;
            if (values) fields[`${name}_p95`] = percentile(values, 0.95);
          }
          return { time, fields };
        }),
  };
}

/** Nearest rank. */
function percentile(values: number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
}
