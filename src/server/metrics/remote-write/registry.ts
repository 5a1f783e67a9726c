import type { ShapeBatch } from '../collector/port.ts';
import { fieldName, labelName, type FieldName } from './series-names.ts';
import { encodeSeries, type EncodedSeries } from './write-request.ts';

export interface RegistryOptions {
  /** Labels that each series gets. */
  readonly labels: Readonly<Record<string, string>>;
  /** Series, above which further ones are left out; read at each new one. */
  mostSeries(): number;
}

/** The state of all series: counters and histograms add up what points say, gauges keep the last value. */
export interface Registry {
  take(batch: ShapeBatch, now: number): void;
  /** A value that is measured elsewhere, under its own name; these are few, and not limited. */
  set(name: string, value: number, now: number): void;
  /** What all series are now. Those that nothing was heard of for long are forgotten. */
  samples(now: number): { readonly series: EncodedSeries; readonly value: number }[];
  readonly series: number;
  /** Points that were left out because of the limit of series. */
  readonly leftOut: number;
}

/** Upper bounds in seconds; above the last is `+Inf`. */
export const BUCKETS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];
/** As long as Prometheus itself shows the last value of a gauge. */
const GAUGE_MS = 300_000;
const COUNTER_MS = 86_400_000;
const BETWEEN = '\u0000';

interface Known {
  readonly series: readonly EncodedSeries[];
  /** One for each series. */
  readonly values: Float64Array;
  readonly isGauge: boolean;
  heardAt: number;
}

export function createRegistry({ labels, mostSeries }: RegistryOptions): Registry {
  const known = new Map<string, Known>();
  let count = 0;
  let leftOut = 0;

  /** Null: there would be too many. */
  function find(
    key: string,
    kind: FieldName['kind'],
    name: string,
    own: readonly (readonly [string, string])[],
    isLimited = true,
  ): Known | null {
    const found = known.get(key);
    if (found) return found;
    const all = kind === 'histogram' ? histogram(name) : [[name, null] as const];
    if (isLimited && count + all.length > mostSeries()) return null;
    const made: Known = {
      series: all.map(([full, le]) => encodeSeries({ labels: sorted(full, le === null ? own : [...own, ['le', le]]) })),
      values: new Float64Array(all.length),
      isGauge: kind === 'gauge',
      heardAt: 0,
    };
    known.set(key, made);
    count += all.length;
    return made;
  }

  function sorted(name: string, own: readonly (readonly [string, string])[]): (readonly [string, string])[] {
    const all = new Map([['__name__', name], ...Object.entries(labels), ...own]);
    return [...all].filter(([, value]) => value !== '').sort(([a], [b]) => (a < b ? -1 : 1));
  }

  return {
    take({ measurement, tags, fields, count: rows, texts, values }, now) {
      const names = tags.map((tag) => labelName(measurement, tag));
      const kinds = fields.map((field) => fieldName(measurement, field));
      const all = texts.split(BETWEEN);
      for (let row = 0; row < rows; row++) {
        const own: [string, string][] = [];
        for (const [i, name] of names.entries()) {
          const value = all[row * tags.length + i];
          if (name !== null && value) own.push([name, value]);
        }
        const key = own.map((pair) => pair.join(BETWEEN)).join(BETWEEN);
        for (const [i, { kind, name, factor }] of kinds.entries()) {
          const value = (values[row * fields.length + i] ?? Number.NaN) * factor;
          if (Number.isNaN(value)) continue;
          const one = find(`${name}${BETWEEN}${key}`, kind, name, own);
          if (one === null) leftOut++;
          else add(one, kind, value, now);
        }
      }
    },
    set(name, value, now) {
      const one = find(name, 'gauge', name, [], false);
      if (one) add(one, 'gauge', value, now);
    },
    samples(now) {
      const samples: { series: EncodedSeries; value: number }[] = [];
      for (const [key, { series, values, isGauge, heardAt }] of known) {
        if (now - heardAt > (isGauge ? GAUGE_MS : COUNTER_MS)) {
          known.delete(key);
          count -= series.length;
        } else for (const [i, one] of series.entries()) samples.push({ series: one, value: values[i] ?? 0 });
      }
      return samples;
    },
    get series() {
      return count;
    },
    get leftOut() {
      return leftOut;
    },
  };
}

function add(known: Known, kind: FieldName['kind'], value: number, now: number): void {
  const { values } = known;
  known.heardAt = now;
  if (kind === 'gauge') values[0] = value;
  else if (kind === 'counter') values[0] = (values[0] ?? 0) + value;
  else {
    // Buckets hold all that is not greater; the last two are the count and the sum.
    for (let i = 0; i < BUCKETS.length; i++) if (value <= (BUCKETS[i] ?? 0)) values[i] = (values[i] ?? 0) + 1;
    const last = BUCKETS.length;
    values[last] = (values[last] ?? 0) + 1;
    values[last + 1] = (values[last + 1] ?? 0) + 1;
    values[last + 2] = (values[last + 2] ?? 0) + value;
  }
}

const histogram = (name: string): (readonly [name: string, le: string | null])[] => [
  ...BUCKETS.map((bound) => [`${name}_bucket`, String(bound)] as const),
  [`${name}_bucket`, '+Inf'],
  [`${name}_count`, null],
  [`${name}_sum`, null],
];
