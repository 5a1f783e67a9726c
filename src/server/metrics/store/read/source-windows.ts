import { isRoll } from '../files/sums.ts';
import { valueAt } from '../../../../lib/item-at.ts';
import type { Field, Series } from '../files/catalog.ts';
import { createFold, type Fold } from './fold.ts';
import { PART_MS, wholePart } from '../files/partition.ts';
import type { FieldType, GroupData, SeriesFilter, SeriesSource, WindowData } from '../port.ts';
import { TEN_MINUTES, decodeRolls, MINUTE, type RollPart } from '../files/roll-up.ts';
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
}

/**
 * Hands every value of the chosen series to its fold, partition by partition: from the roll-ups where they are whole
 * and say enough, else from points. Where the points have gone, the roll-ups of the range's minutes are all there is.
 */
export function foldRange(view: View, guard: Guard, choice: SeriesSelection, range: FoldRange, target: Target): void {
  if (choice.bucket === null || choice.chosen.length === 0) return;
  const { from, to } = range;
  const ahead: number[] = [];
  for (const part of view.parts(choice.bucket, from, to)) {
    if (part.ahead) ahead.push(part.start);
    part.db.transaction(() => foldPart(view, guard, choice, range, target, part))();
  }
  for (const one of choice.chosen) {
    // Unsealed rows beside sealed ones of the same partition were taken together with them.
    if (!view.unsealed(one.series.id)) continue;
    const rows = openRows(view, choice, one.series.id, new Set(one.fields.map(({ id }) => id)), from, to, [
      ...ahead,
      ...takenWith(view, choice, from, to),
    ]);
    if (rows) foldRows(guard, one, rows, from, to, range, target);
  }
}

/** Partitions that are there: their unsealed rows were merged with the sealed ones. */
function takenWith(view: View, choice: SeriesSelection, from: number, to: number): number[] {
  return [...view.parts(choice.bucket as number, from, to)].map(({ start }) => start);
}

/** Lengths of the stretches that roll-ups are kept of. */
const GRAINS = [MINUTE, TEN_MINUTES] as const;
/** The whole stretches of a range. */
interface Within {
  readonly from: number;
  readonly to: number;
}

function foldPart(
  view: View,
  guard: Guard,
  choice: SeriesSelection,
  range: FoldRange,
  target: Target,
  part: OpenPart,
): void {
  const typeOf = (field: number): FieldType => view.catalog.fields.get(field)?.type ?? 'float';
  const from = Math.max(range.from, part.start);
  const to = Math.min(range.to, part.start + PART_MS);
  const rolled =
    range.needs && !choice.keepsWho && !choice.where && (range.everyMs === null || range.everyMs % MINUTE === 0)
      ? rolledOf(part, range.mergeOwners)
      : null;
  const within = (grain: number): Within =>
    part.raw
      ? { from: Math.ceil(from / grain) * grain, to: Math.floor(to / grain) * grain }
      : { from: Math.floor(from / grain) * grain, to };
  const byRoll = rolled
    ? foldRolls(view, guard, choice, range, target, part, rolled, within)
    : new Map<number, Map<number, number>>();
  if (!part.raw) return;
  for (const one of choice.chosen) {
    guard.check();
    const done = byRoll.get(one.series.id);
    const left = done ? one.fields.filter(({ id }) => !done.has(id)) : one.fields;
    if (left.length > 0) foldPieces(one, left, from, to);
    for (const grain of GRAINS) {
      const fields = done ? one.fields.filter(({ id }) => done.get(id) === grain) : [];
      if (fields.length === 0) continue;
      const inner = within(grain);
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
    foldRows(guard, { series, fields }, sortAndMerge(pieces), start, end, range, target, choice.keepsWho);
  }
}

/** By series the block that has its roll-ups. Where owners are kept apart, series that have owners have none. */
function rolledOf({ db }: OpenPart, mergeOwners: boolean): Map<number, number> {
  const rolled = new Map(
    db
      .prepare<[], { sid: number; rolled: number }>('SELECT sid, rolled FROM series WHERE rolled > 0')
      .all()
      .map(({ sid, rolled: block }) => [sid, block]),
  );
  if (!mergeOwners)
    for (const sid of db.prepare<[], number>('SELECT DISTINCT sid FROM chunk WHERE job0 IS NOT NULL').pluck().all())
      rolled.delete(sid);
  return rolled;
}

/** Gives the fields of which series were taken, and of how long stretches. */
function foldRolls(
  view: View,
  guard: Guard,
  choice: SeriesSelection,
  range: FoldRange,
  target: Target,
  part: OpenPart,
  rolled: ReadonlyMap<number, number>,
  within: (grain: number) => Within,
): Map<number, Map<number, number>> {
  const needs = range.needs as ReadonlySet<RollPart>;
  const done = new Map<number, Map<number, number>>();
  const wanted = new Map<number, SelectedSeries>();
  const blocks = new Set<number>();
  for (const one of choice.chosen) {
    const block = rolled.get(one.series.id);
    if (block === undefined || (!part.ahead && hasUnsealed(view.unsealed(one.series.id), part.start))) continue;
    wanted.set(one.series.id, one);
    blocks.add(block);
  }
  const blockOf = part.db.prepare<[number], { crc: number; data: Uint8Array }>(
    'SELECT crc, data FROM roll WHERE id = ?',
  );
  for (const block of blocks) {
    guard.check();
    const row = blockOf.get(block);
    if (!row || !isRoll(block, row.data, row.crc)) {
      view.damaged({
        ...wholePart(
          part.bucket,
          part.start,
          `roll-ups ${block} are damaged${part.raw ? ': points are read instead' : ', and their points were deleted before'}`,
          `roll-ups ${block}`,
        ),
        lost: part.raw ? 0 : null,
      });
      continue;
    }
    const rolls = decodeRolls(
      row.data,
      (series, field) =>
        rolled.get(series) === block && (wanted.get(series)?.fields.some(({ id }) => id === field) ?? false),
      needs,
    );
    for (const { series, field, coarse, ...fine } of rolls) {
      const grain = GRAINS.find((length) => {
        const kept = length === MINUTE ? fine : coarse;
        const { from, to } = within(length);
        return (
          kept &&
          from < to &&
          (range.everyMs === null || range.everyMs % length === 0) &&
          [...needs].every((need) => kept.parts[need])
        );
      });
      if (grain === undefined) continue;
      const { minutes, parts } = grain === MINUTE ? fine : (coarse as typeof fine);
      const { from, to } = within(grain);
      const one = valueAt(wanted, series);
      const taken = done.get(series);
      if (taken) taken.set(field, grain);
      else done.set(series, new Map([[field, grain]]));
      const fold = target(one, one.fields.find(({ id }) => id === field) as Field, '');
      if (!fold) continue;
      guard.charge(minutes.length / 8);
      fold.minutes(part.start, from, to, minutes, parts);
    }
  }
  return done;
}

function hasUnsealed(rows: Rows | null, start: number): boolean {
  for (let row = 0; rows && row < rows.count; row++)
    if ((rows.ms[row] ?? 0) >= start && (rows.ms[row] ?? 0) < start + PART_MS) return true;
  return false;
}

function foldRows(
  guard: Guard,
  one: SelectedSeries,
  rows: Rows,
  from: number,
  to: number,
  range: FoldRange,
  target: Target,
  keepsWho: SeriesSelection['keepsWho'] = null,
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
  const folds = new Map<string, { series: Series; field: Field; who: string; fold: Fold }>();
  foldRange(
    view,
    guard,
    { ...choice, where: null, chosen: choice.chosen },
    { from, to, everyMs, needs: new Set(NEEDS[aggregate]), mergeOwners: false },
    ({ series }, field, who) => {
      const key = `${series.id}/${field.id}/${who}`;
      const known = folds.get(key);
      if (known) return known.fold;
      if (choice.where && !choice.where(keyOf(series, field, who))) return null;
      const fold = createFold(from, to, everyMs, false, guard.charge);
      folds.set(key, { series, field, who, fold });
      return fold;
    },
  );
  for (const { series, field, who, fold } of folds.values()) {
    guard.check();
    const order = fold.order();
    yield {
      ...keyOf(series, field, who),
      starts: Float64Array.from(order, (i) => fold.starts[i] ?? 0),
      values: Float64Array.from(order, (i) => valueOf(fold, i, aggregate)),
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
    ({ series }, field, who) => {
      const key = keyOf(series, field, who);
      if (choice.where && !choice.where(key)) return null;
      const group = groupOf(key);
      let fold = folds.get(group);
      if (!fold) folds.set(group, (fold = createFold(from, to, everyMs, false, guard.charge)));
      return fold;
    },
  );
  for (const [group, fold] of folds) {
    guard.check();
    const order = fold.order();
    const inOrder = (values: readonly number[]) => Float64Array.from(order, (i) => values[i] ?? 0);
    if (order.length > 0)
      yield { group, starts: inOrder(fold.starts), sums: inOrder(fold.sum), counts: inOrder(fold.count) };
  }
}

export function valueOf(fold: Fold, i: number, aggregate: Aggregate): number {
  if (aggregate === 'mean') return (fold.sum[i] ?? 0) / (fold.count[i] ?? 0);
  return fold[aggregate][i] ?? 0;
}
