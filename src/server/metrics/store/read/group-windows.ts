import { PART_MS, partOf } from '../files/partition.ts';
import { MINUTE } from '../files/roll-up.ts';
import type { SeriesSource, WindowGroup } from '../port.ts';
import { foldRange, NEEDS, onceForEach, type Aggregate } from './fold-range.ts';
import { createFold, type Fold } from './fold.ts';
import { keyOf, selectSeries, type Guard } from './select.ts';
import type { View } from './view.ts';
import { createSumsMemory, WindowSums } from './window-sums.ts';

/** What counts and sums of windows are enough for. */
const OF_SUMS: ReadonlySet<Aggregate> = new Set(['mean', 'sum', 'count']);

/** Windows of a group that lie in one partition, a place for each. */
interface Segment {
  readonly sums: Float64Array;
  readonly counts: Float64Array;
  readonly firsts: Int32Array;
}
type Windows = Omit<WindowGroup, 'group'>;
interface SummedGroup {
  /** Places of its series in the order in which they were met. */
  readonly places: number[];
  /** By the start of the partition: the windows that hold something, in time order. */
  readonly parts: Map<number, Windows>;
}

/** The windows of series are put together partition by partition, so that those of few are held. Null: windows lie across partitions, or are so short that most are empty. */
export function groupsOfWindows(
  view: View,
  guard: Guard,
  ...[filter, from, to, everyMs, aggregate, groupOf]: Parameters<SeriesSource['groupsOfWindows']>
): Generator<WindowGroup> | null {
  if (PART_MS % everyMs !== 0 || everyMs < MINUTE) return null;
  const many = PART_MS / everyMs;
  const { where, ...choice } = selectSeries(view, filter);
  const groups = new Map<string, SummedGroup>();
  /** Of what is put together of few numbers each window needs no looking up. */
  const memory = OF_SUMS.has(aggregate) ? createSumsMemory(everyMs, guard.charge) : null;
  const folds: (Fold | WindowSums)[] = [];
  const segments: Segment[] = [];

  function segmentOf(windows: Windows | undefined, start: number): Segment {
    const segment = segments.pop() ?? {
      sums: new Float64Array(many),
      counts: new Float64Array(many),
      firsts: new Int32Array(many),
    };
    segment.counts.fill(0);
    for (let i = 0; windows && i < windows.starts.length; i++) {
      const at = ((windows.starts[i] ?? 0) - start) / everyMs;
      segment.sums[at] = windows.sums[i] ?? 0;
      segment.counts[at] = windows.counts[i] ?? 0;
      segment.firsts[at] = windows.firsts[i] ?? 0;
    }
    return segment;
  }

  function addUp({ places, parts }: SummedGroup): void {
    const open = new Map<number, Segment>();
    for (const place of places) {
      const fold = folds[place];
      if (fold instanceof WindowSums) {
        fold.drain((part, counts, sums) => {
          const segment = open.get(part) ?? segmentOf(parts.get(part), part);
          open.set(part, segment);
          addWindows(segment, place, counts, aggregate === 'count' ? counts : sums, aggregate === 'mean');
        });
        continue;
      }
      if (!fold || fold.length === 0) continue;
      let [part, segment]: [number, Segment | undefined] = [Number.NaN, undefined];
      fold.drain(aggregate, (start, value) => {
        let at = (start - part) / everyMs;
        if (segment === undefined || !(at >= 0 && at < many)) {
          part = partOf(start);
          at = (start - part) / everyMs;
          segment = open.get(part) ?? segmentOf(parts.get(part), part);
          open.set(part, segment);
        }
        const { sums, counts, firsts } = segment;
        const n = counts[at] ?? 0;
        counts[at] = n + 1;
        // A sum of one is that very number, which may be -0.
        sums[at] = n === 0 ? value : (sums[at] ?? 0) + value;
        if (n === 0) firsts[at] = place;
      });
    }
    for (const [part, segment] of open) {
      const windows = filled(segment, part, everyMs);
      guard.charge(4 * (windows.starts.length - (parts.get(part)?.starts.length ?? 0)));
      parts.set(part, windows);
      segments.push(segment);
    }
  }

  function partDone(): void {
    for (const group of groups.values()) {
      guard.check();
      addUp(group);
    }
  }

  return (function* () {
    foldRange(
      view,
      guard,
      { ...choice, where: null },
      { from, to, everyMs, needs: new Set(NEEDS[aggregate]), mergeOwners: false, partDone },
      onceForEach((one, field, who) => {
        const key = keyOf(one.series, field, who);
        if (where && !where(key)) return null;
        const name = groupOf(key);
        let group = groups.get(name);
        if (!group) groups.set(name, (group = { places: [], parts: new Map() }));
        const fold = memory
          ? new WindowSums(memory)
          : createFold(from, to, everyMs, NEEDS[aggregate], false, guard.charge);
        group.places.push(folds.length);
        folds.push(fold);
        return fold;
      }),
    );
    for (const [group, { parts }] of groups) yield { group, ...joined(parts) };
  })();
}

/** Adds a series' windows that hold something, `values` or what is left of them for each point of a window. */
function addWindows(
  { sums, counts, firsts }: Segment,
  place: number,
  points: Float64Array,
  values: Float64Array,
  isMean: boolean,
): void {
  for (let at = 0; at < points.length; at++) {
    const n = points[at] ?? 0;
    if (n === 0) continue;
    const value = isMean ? (values[at] ?? 0) / n : (values[at] ?? 0);
    const before = counts[at] ?? 0;
    counts[at] = before + 1;
    // A sum of one is that very number, which may be -0.
    sums[at] = before === 0 ? value : (sums[at] ?? 0) + value;
    if (before === 0) firsts[at] = place;
  }
}

/** The windows of a segment that hold something. */
function filled({ sums, counts, firsts }: Segment, part: number, everyMs: number): Windows {
  let n = 0;
  for (const count of counts) if (count > 0) n++;
  const windows = {
    starts: new Float64Array(n),
    sums: new Float64Array(n),
    counts: new Float64Array(n),
    firsts: new Int32Array(n),
  };
  for (let at = 0, i = 0; i < n; at++) {
    if (counts[at] === 0) continue;
    windows.starts[i] = part + at * everyMs;
    windows.sums[i] = sums[at] ?? 0;
    windows.counts[i] = counts[at] ?? 0;
    windows.firsts[i++] = firsts[at] ?? 0;
  }
  return windows;
}

/** One after the other, in time order. */
function joined(parts: ReadonlyMap<number, Windows>): Windows {
  const all = [...parts.entries()].toSorted(([a], [b]) => a - b).map(([, windows]) => windows);
  const n = all.reduce((sum, { starts }) => sum + starts.length, 0);
  const whole = {
    starts: new Float64Array(n),
    sums: new Float64Array(n),
    counts: new Float64Array(n),
    firsts: new Int32Array(n),
  };
  let at = 0;
  for (const { starts, sums, counts, firsts } of all) {
    whole.starts.set(starts, at);
    whole.sums.set(sums, at);
    whole.counts.set(counts, at);
    whole.firsts.set(firsts, at);
    at += starts.length;
  }
  return whole;
}
