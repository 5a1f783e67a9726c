import type { Field, Series } from '../files/catalog.ts';
import { createFold, type Fold } from './fold.ts';
import { ALL_MINUTES, foldRolls, GRAINS, type Within } from './fold-rolls.ts';
import { PART_MS, partOf } from '../files/partition.ts';
import type { FieldType, GroupData, SeriesFilter, SeriesSource, WindowData, WindowGroup } from '../port.ts';
import { MINUTE, type RollPart } from '../files/roll-up.ts';
import { has, sortAndMerge, type Rows } from '../files/rows.ts';
import {
  selectSeries,
  keyOf,
  openRows,
  piecesOfPart,
  type SeriesSelection,
  type SelectedSeries,
  type Guard,
} from './select.ts';
import type { OpenPart, View } from './view.ts';

type Aggregate = Parameters<SeriesSource['windows']>[4];

/** What of a roll-up an aggregate needs beside the count. */
export const NEEDS: Readonly<Record<Aggregate, readonly RollPart[]>> = {
  sum: ['count', 'sum'],
  mean: ['count', 'sum'],
  count: ['count'],
  min: ['count', 'min'],
  max: ['count', 'max'],
  first: ['count', 'first'],
  last: ['count', 'last'],
};

/** Where the values of a series go; null: they are not wanted. `who` is '' where owners are put together. */
export type Target = (one: SelectedSeries, field: Field, who: string) => Fold | null;

export interface FoldRange {
  readonly from: number;
  readonly to: number;
  /** Null: one window for the whole range. */
  readonly everyMs: number | null;
  /** What roll-ups must have; null: only points will do. */
  readonly needs: ReadonlySet<RollPart> | null;
  /** Rows of different owners (`owner-key.ts`) are one series. */
  readonly mergeOwners: boolean;
  /** All points of a partition, or the unsealed ones of those that are not on disk yet, were handed over. */
  partDone?(): void;
}

/** What series are folded, of what range, and where to. */
export interface Folding {
  readonly view: View;
  readonly guard: Guard;
  readonly choice: SeriesSelection;
  readonly range: FoldRange;
  readonly target: Target;
}

/**
 * Hands every value of the chosen series to its fold, partition by partition: from the roll-ups where they are whole
 * and say enough, else from points. Where the points have gone, the roll-ups of the range's minutes are all there is.
 */
export function foldRange(view: View, guard: Guard, choice: SeriesSelection, range: FoldRange, target: Target): void {
  if (choice.bucket === null || choice.chosen.length === 0) return;
  const { from, to } = range;
  const folding: Folding = { view, guard, choice, range, target };
  const taken: number[] = [];
  for (const part of view.parts(choice.bucket, from, to)) {
    taken.push(part.start);
    part.db.transaction(() => foldPart(folding, part))();
    range.partDone?.();
  }
  // Unsealed rows beside sealed ones of the same partition were taken together with them.
  for (const one of choice.chosen) {
    if (!view.unsealed(one.series.id)) continue;
    const rows = openRows(view, choice, one.series.id, new Set(one.fields.map(({ id }) => id)), from, to, taken);
    if (rows) foldRows(folding, one, rows, from, to);
  }
  range.partDone?.();
}

function foldPart(folding: Folding, part: OpenPart): void {
  const { view, guard, choice, range } = folding;
  const typeOf = (field: number): FieldType => view.catalog.fields.get(field)?.type ?? 'float';
  const from = Math.max(range.from, part.start);
  const to = Math.min(range.to, part.start + PART_MS);
  const rolled =
    range.needs && !choice.keepsWho && !choice.where && (range.everyMs === null || range.everyMs % MINUTE === 0)
      ? part.rolled(
          choice.chosen.map(({ series }) => series.id),
          range.mergeOwners,
        )
      : null;
  const within = (grain: number): Omit<Within, 'grain'> =>
    part.raw
      ? { from: Math.ceil(from / grain) * grain, to: Math.floor(to / grain) * grain }
      : { from: Math.floor(from / grain) * grain, to };
  const stretches = GRAINS.map((grain) => ({ grain, ...within(grain) }));
  const byRoll = rolled ? foldRolls(folding, part, rolled, stretches) : null;
  if (!part.raw) return;
  for (const one of choice.chosen) {
    guard.check();
    const done = byRoll?.get(one.series.id);
    if (done === undefined) {
      foldPieces(one, one.fields, from, to);
      continue;
    }
    // Of most partitions all of it is whole minutes.
    if (done === ALL_MINUTES && stretches[0]?.from === from && stretches[0].to === to) continue;
    const grainOf = ({ id }: Field) => (done === ALL_MINUTES ? MINUTE : done.get(id));
    const left = one.fields.filter((field) => grainOf(field) === undefined);
    if (left.length > 0) foldPieces(one, left, from, to);
    for (const inner of stretches) {
      const fields = one.fields.filter((field) => grainOf(field) === inner.grain);
      if (fields.length === 0) continue;
      if (from < inner.from) foldPieces(one, fields, from, inner.from);
      if (inner.to < to) foldPieces(one, fields, inner.to, to);
    }
  }

  function foldPieces({ series }: SelectedSeries, fields: readonly Field[], start: number, end: number): void {
    const wanted = new Set(fields.map(({ id }) => id));
    const pieces = [...piecesOfPart(view, part, choice, series.id, wanted, start, end, guard, typeOf)];
    const open = part.ahead ? null : openRows(view, choice, series.id, wanted, start, end, []);
    if (open) pieces.push(open);
    if (pieces.length === 0) return;
    foldRows(folding, { series, fields }, sortAndMerge(pieces), start, end);
  }
}

function foldRows(
  { guard, choice: { keepsWho }, range, target }: Folding,
  one: SelectedSeries,
  rows: Rows,
  from: number,
  to: number,
): void {
  for (const field of one.fields) {
    const column = rows.columns.get(field.id);
    if (!column || column.texts) continue;
    guard.check();
    const owners = !range.mergeOwners && rows.who ? new Map<string, Fold | null>() : null;
    const all = owners ? null : target(one, field, '');
    for (let row = 0; row < rows.count; row++) {
      const ms = rows.ms[row] ?? 0;
      if (ms < from || ms >= to || !has(column, row)) continue;
      const who = rows.who?.[row] ?? '';
      if (keepsWho && !keepsWho(who)) continue;
      let fold = all;
      if (owners) {
        fold = owners.get(who) ?? null;
        if (!owners.has(who)) owners.set(who, (fold = target(one, field, who)));
      }
      fold?.point(ms, column.numbers[row] ?? 0);
    }
  }
}

export function* windowsOf(
  view: View,
  guard: Guard,
  filter: SeriesFilter,
  from: number,
  to: number,
  everyMs: number,
  aggregate: Aggregate,
): Generator<WindowData> {
  // Whose tags decide is known only with the rows: then `where` is asked of each owner.
  const choice = selectSeries(view, filter);
  const folds: { series: Series; field: Field; who: string; fold: Fold }[] = [];
  foldRange(
    view,
    guard,
    { ...choice, where: null, chosen: choice.chosen },
    { from, to, everyMs, needs: new Set(NEEDS[aggregate]), mergeOwners: false },
    onceForEach(({ series }, field, who) => {
      if (choice.where && !choice.where(keyOf(series, field, who))) return null;
      const fold = createFold(from, to, everyMs, NEEDS[aggregate], false, guard.charge);
      folds.push({ series, field, who, fold });
      return fold;
    }),
  );
  for (const { series, field, who, fold } of folds) {
    guard.check();
    const order = fold.order();
    yield {
      ...keyOf(series, field, who),
      starts: fold.inOrder(order, 'starts'),
      values: valuesOf(fold, order, aggregate),
    };
  }
}

/** Windows of groups are folded at once, without those of each series. */
export function* groupsOf(
  view: View,
  guard: Guard,
  ...[filter, from, to, everyMs, needs, groupOf]: Parameters<SeriesSource['groups']>
): Generator<GroupData> {
  const choice = selectSeries(view, filter);
  const folds = new Map<string, Fold>();
  foldRange(
    view,
    guard,
    { ...choice, where: null },
    { from, to, everyMs, needs: new Set<RollPart>(['count', ...needs]), mergeOwners: false },
    onceForEach(({ series }, field, who) => {
      const key = keyOf(series, field, who);
      if (choice.where && !choice.where(key)) return null;
      const group = groupOf(key);
      let fold = folds.get(group);
      if (!fold) folds.set(group, (fold = createFold(from, to, everyMs, ['count', ...needs], false, guard.charge)));
      return fold;
    }),
  );
  for (const [group, fold] of folds) {
    guard.check();
    const order = fold.order();
    if (order.length > 0)
      yield {
        group,
        starts: fold.inOrder(order, 'starts'),
        sums: fold.inOrder(order, 'sum'),
        counts: fold.inOrder(order, 'count'),
      };
  }
}

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
  const folds: Fold[] = [];
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
        const fold = createFold(from, to, everyMs, NEEDS[aggregate], false, guard.charge);
        group.places.push(folds.length);
        folds.push(fold);
        return fold;
      }),
    );
    for (const [group, { parts }] of groups) yield { group, ...joined(parts) };
  })();
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

/** Asks once where the values of a series, field and owner go: each partition asks again. */
function onceForEach(target: Target): Target {
  const known = new Map<number, Map<number | string, Fold | null>>();
  return (one, field, who) => {
    let ofSeries = known.get(one.series.id);
    if (!ofSeries) known.set(one.series.id, (ofSeries = new Map()));
    const key = who === '' ? field.id : `${field.id}/${who}`;
    let fold = ofSeries.get(key);
    if (fold === undefined) ofSeries.set(key, (fold = target(one, field, who)));
    return fold;
  };
}

function valuesOf(fold: Fold, order: Int32Array, aggregate: Aggregate): Float64Array {
  const values = fold.inOrder(order, aggregate === 'mean' ? 'sum' : aggregate);
  if (aggregate !== 'mean') return values;
  const counts = fold.inOrder(order, 'count');
  for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) / (counts[i] ?? 0);
  return values;
}

export const valueOf = (fold: Fold, i: number, aggregate: Aggregate): number =>
  aggregate === 'mean' ? fold.at(i, 'sum') / fold.at(i, 'count') : fold.at(i, aggregate);
