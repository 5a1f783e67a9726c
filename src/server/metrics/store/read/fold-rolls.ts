import type { Field } from '../files/catalog.ts';
import { PART_MS, wholePart } from '../files/partition.ts';
import { readRolls, TEN_MINUTES, type ReadRoll, type RollReader } from '../files/read-rolls.ts';
import { MINUTE, type RollPart } from '../files/roll-up.ts';
import type { Rows } from '../files/rows.ts';
import type { SeriesBlocks } from './settled.ts';
import type { SelectedSeries, SeriesSelection } from './select.ts';
import type { Folding } from './fold-range.ts';
import type { OpenPart, View } from './view.ts';

/** Lengths of the stretches that roll-ups are kept of. */
export const GRAINS = [MINUTE, TEN_MINUTES] as const;

/** The whole stretches of a range that are so long. */
export interface Within {
  readonly grain: number;
  readonly from: number;
  readonly to: number;
}

/** All fields of a series were taken by the minute. */
export const ALL_MINUTES = Symbol('all minutes');
/** By field, of how long stretches it was taken. */
export type Taken = typeof ALL_MINUTES | Map<number, number>;

/** Hands the roll-ups of the series that have them to their folds. Gives which series were taken. */
export function foldRolls(
  folding: Folding,
  part: OpenPart,
  rolled: SeriesBlocks,
  stretches: readonly Within[],
): Map<number, Taken> {
  const { view, guard, choice, range } = folding;
  const needs = range.needs as ReadonlySet<RollPart>;
  const usable = stretches.filter(
    ({ grain, from, to }) => from < to && (range.everyMs === null || range.everyMs % grain === 0),
  );
  const reader = new Folder(folding, part.start, [...needs], usable);
  for (const [id, wanted] of wantedByBlock(view, choice, part, rolled)) {
    guard.check();
    const block = part.rollBlock(id);
    if (!block) {
      view.damaged({
        ...wholePart(
          part.bucket,
          part.start,
          `roll-ups ${id} are damaged${part.raw ? ': points are read instead' : ', and their points were deleted before'}`,
          `roll-ups ${id}`,
        ),
        lost: part.raw ? 0 : null,
      });
      continue;
    }
    reader.wanted = wanted;
    readRolls(block, needs, reader);
  }
  return reader.done;
}

/** Hands what it reads to the folds of its series. */
class Folder implements RollReader {
  readonly done = new Map<number, Taken>();
  /** Those of the block that is read. */
  wanted: ReadonlyMap<number, SelectedSeries> = new Map();
  private one: SelectedSeries | undefined;
  private field: Field | undefined;
  private readonly folding: Folding;
  private readonly start: number;
  private readonly needed: readonly RollPart[];
  private readonly usable: readonly Within[];
  constructor(folding: Folding, start: number, needed: readonly RollPart[], usable: readonly Within[]) {
    this.folding = folding;
    this.start = start;
    this.needed = needed;
    this.usable = usable;
  }

  wants(series: number, field: number): boolean {
    this.one = this.wanted.get(series);
    this.field = this.one && fieldIn(this.one, field);
    return this.field !== undefined;
  }

  take(roll: ReadRoll): void {
    const { one, field, folding, needed } = this;
    if (!one || !field) return;
    for (const { grain, from, to } of this.usable) {
      const kept = grain === MINUTE ? roll : roll.coarse();
      if (!kept || !needed.every((need) => kept.parts[need])) continue;
      take(this.done, one, field, grain);
      const fold = folding.target(one, field, '');
      if (!fold) return;
      folding.guard.charge(kept.count / 8);
      fold.minutes(this.start, from, to, kept);
      return;
    }
  }
}

function take(done: Map<number, Taken>, { series, fields }: SelectedSeries, field: Field, grain: number): void {
  if (fields.length === 1 && grain === MINUTE) {
    done.set(series.id, ALL_MINUTES);
    return;
  }
  const taken = done.get(series.id);
  if (taken instanceof Map) taken.set(field.id, grain);
  else done.set(series.id, new Map([[field.id, grain]]));
}

function fieldIn({ fields }: SelectedSeries, id: number): Field | undefined {
  for (const field of fields) if (field.id === id) return field;
  return undefined;
}

/** The series that roll-ups say all of, by the block that has them. */
function wantedByBlock(
  view: View,
  { chosen }: SeriesSelection,
  part: OpenPart,
  rolled: SeriesBlocks,
): Map<number, Map<number, SelectedSeries>> {
  const blocks = new Map<number, Map<number, SelectedSeries>>();
  for (const one of chosen) {
    const block = rolled.get(one.series.id);
    if (block === undefined || (!part.ahead && hasUnsealed(view.unsealed(one.series.id), part.start))) continue;
    const wanted = blocks.get(block);
    if (wanted) wanted.set(one.series.id, one);
    else blocks.set(block, new Map([[one.series.id, one]]));
  }
  return blocks;
}

/** Whether some of the rows are of the partition that begins there. */
export function hasUnsealed(rows: Rows | null, start: number): boolean {
  for (let row = 0; rows && row < rows.count; row++)
    if ((rows.ms[row] ?? 0) >= start && (rows.ms[row] ?? 0) < start + PART_MS) return true;
  return false;
}
