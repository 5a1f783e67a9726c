import type { Field } from '../files/catalog.ts';
import { PART_MS } from '../files/partition.ts';
import type { Pack } from '../files/pack.ts';
import { MINUTE, type RollPart } from '../files/roll-up.ts';
import { has, sortAndMerge, type Rows } from '../files/rows.ts';
import type { FieldType, SeriesSource } from '../port.ts';
import { foldPacked } from './fold-packs.ts';
import { ALL_MINUTES, foldRolls, GRAINS, hasUnsealed, type Within } from './fold-rolls.ts';
import type { Fold, ValueSink } from './fold.ts';
import { openRows, piecesOfPart, type Guard, type SelectedSeries, type SeriesSelection } from './select.ts';
import type { OpenPart, View } from './view.ts';

export type Aggregate = Parameters<SeriesSource['windows']>[4];

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
export type Target = (one: SelectedSeries, field: Field, who: string) => ValueSink | null;

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
 * and say enough, else from points: from packs as they lie there, where those have all of a series. Where the points have
 * gone, the roll-ups of the range's minutes are all there is.
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
  const settled = part.settled(
    choice.chosen.map(({ series }) => series.id),
    range.mergeOwners,
  );
  const rolled =
    range.needs && !choice.keepsWho && !choice.where && (range.everyMs === null || range.everyMs % MINUTE === 0)
      ? settled.rolled
      : null;
  const within = (grain: number): Omit<Within, 'grain'> =>
    part.raw
      ? { from: Math.ceil(from / grain) * grain, to: Math.floor(to / grain) * grain }
      : { from: Math.floor(from / grain) * grain, to };
  const stretches = GRAINS.map((grain) => ({ grain, ...within(grain) }));
  // Series that follow each other are most often in the same.
  let [packId, pack]: [number, Pack | null] = [0, null];
  const packOf = (series: number): Pack | null => {
    const id = settled.packed.get(series);
    if (id === undefined) return null;
    if (id !== packId) [packId, pack] = [id, part.pack(id)];
    return pack;
  };
  const byRoll = rolled ? foldRolls(folding, part, rolled, stretches) : null;
  // Where the points have gone, those of series without roll-ups have stayed.
  if (!part.raw && settled.packed.size === 0) return;
  for (const one of choice.chosen) {
    guard.check();
    const done = byRoll?.get(one.series.id);
    if (done === undefined) {
      foldPieces(one, one.fields, from, to);
      continue;
    }
    if (!part.raw) continue;
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
    const pack = choice.keepsWho ? null : packOf(series.id);
    if (pack && (part.ahead || !hasUnsealed(view.unsealed(series.id), part.start))) {
      if (foldPacked(folding, pack.of(series.id), { series, fields }, start, end)) return;
    }
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
    const owners = !range.mergeOwners && rows.who ? new Map<string, ValueSink | null>() : null;
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

/** Asks once where the values of a series, field and owner go: each partition asks again. */
export function onceForEach(target: Target): Target {
  const known = new Map<number, Map<number | string, ValueSink | null>>();
  return (one, field, who) => {
    let ofSeries = known.get(one.series.id);
    if (!ofSeries) known.set(one.series.id, (ofSeries = new Map()));
    const key = who === '' ? field.id : `${field.id}/${who}`;
    let fold = ofSeries.get(key);
    if (fold === undefined) ofSeries.set(key, (fold = target(one, field, who)));
    return fold;
  };
}

export const valueOf = (fold: Fold, i: number, aggregate: Aggregate): number =>
  aggregate === 'mean' ? fold.at(i, 'sum') / fold.at(i, 'count') : fold.at(i, aggregate);
