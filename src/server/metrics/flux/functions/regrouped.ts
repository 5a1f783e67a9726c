import type { Context } from '../context.ts';
import { groupsByWindow } from '../pushdown/grouped.ts';
import { span } from '../pushdown/reading.ts';
import type { Bounds, Regrouped } from '../values/stream.ts';
import { columnOf, constant, keyText, numberAt } from '../values/table.ts';
import type { Cell, Column, ColumnType, Table } from '../values/table.ts';
import { NS_PER_MS } from '../values/time.ts';

/** Aggregates that need each row once, in the order in which the rows of a group come. */
export type AddedName = 'sum' | 'mean' | 'count';
export const isAdded = (name: string): name is AddedName => name === 'sum' || name === 'mean' || name === 'count';

/** Groups that differ in nothing but their time. */
interface Family {
  /** The columns of the group key. `_time` stands for any. */
  readonly columns: readonly Column[];
  /** By time the place of its sums. */
  readonly places: Map<number, number>;
  /** The times of the table that came last, and their places: most often the next table has the same. */
  times: Float64Array;
  found: Int32Array;
}

interface Added {
  readonly families: ReadonlyMap<string, Family>;
  /** In the order in which they appeared; `ms`: as `keyOf` gave it. */
  readonly groups: readonly { readonly family: Family; readonly ms: number }[];
  readonly type: ColumnType;
  /** What became of the rows of a group: null where none has a value. */
  cell(place: number): Cell;
}

/** One row for each group, without the rows of the groups. Null: a table is not as it would have to be for that. */
export function addedGroups(ctx: Context, { from, columns }: Regrouped, name: AddedName): Iterable<Table> | null {
  const byTime = columns.has('_time');
  if (from.fromStore) {
    const made = groupsByWindow(ctx, from.fromStore, columns, {
      type: name === 'count' ? 'int' : 'float',
      // Only a sum is -0 where all are.
      cell: (sum, count) => (name === 'sum' ? sum : name === 'mean' ? (sum + 0) / count : BigInt(count)),
    });
    if (made) return made;
  }
  const added = addUp(ctx, from.tables(), columns, name, byTime ? (ms) => ms : null);
  return added && rowsOf(added, byTime);
}

function* rowsOf({ groups, type, cell }: Added, byTime: boolean): Iterable<Table> {
  for (const [place, { family, ms }] of groups.entries()) {
    const time = byTime ? constant('_time', 'time', BigInt(ms) * NS_PER_MS) : null;
    const key = time ? family.columns.map((column) => (column.name === '_time' ? time : column)) : family.columns;
    yield {
      key: new Set(key.map((column) => column.name)),
      rows: 1,
      columns: [...key, constant('_value', type, cell(place))],
    };
  }
}

/** The windows of a group: those that have rows, in order, as Unix ms of their starts. */
export interface AddedWindows {
  readonly columns: readonly Column[];
  readonly starts: Float64Array;
  readonly type: ColumnType;
  readonly cells: readonly Cell[];
}

/** Windows of each group, whose rows of one window all have one time. Null as with `addedGroups`. */
export function addedWindows(
  ctx: Context,
  { from, columns }: Regrouped,
  bounds: Bounds,
  everyMs: number,
  name: AddedName,
): AddedWindows[] | null {
  const within = span(bounds);
  const added = addUp(ctx, from.tables(), columns, name, (ms) =>
    ms >= within.from && ms < within.to ? Math.floor(ms / everyMs) * everyMs : Number.NaN,
  );
  return (
    added &&
    [...added.families.values()].map((family) => {
      const starts = Float64Array.from(family.places.keys()).sort();
      const cells = Array.from(starts, (start) => added.cell(family.places.get(start) ?? 0));
      return { columns: family.columns, starts, type: added.type, cells };
    })
  );
}

/** `keyOf`: of the time of a row that of its group, NaN: it is in none; null: no time tells groups apart. */
function addUp(
  ctx: Context,
  tables: Iterable<Table>,
  names: ReadonlySet<string>,
  name: AddedName,
  keyOf: ((ms: number) => number) | null,
): Added | null {
  const families = new Map<string, Family>();
  const groups: { family: Family; ms: number }[] = [];
  const types = new Map<string, ColumnType>();
  let rows = new Float64Array(64);
  let counts = new Float64Array(64);
  let sums = new Float64Array(64);

  function placeIn(family: Family, ms: number): number {
    let place = family.places.get(ms);
    if (place === undefined) {
      ctx.budget.hold(8);
      place = groups.push({ family, ms }) - 1;
      family.places.set(ms, place);
      if (place === rows.length) [rows, counts, sums] = [doubled(rows), doubled(counts), doubled(sums)];
    }
    return place;
  }
  function placesOf(family: Family, times: Float64Array, key: (ms: number) => number): Int32Array {
    if (isSame(times, family.times)) return family.found;
    const found = new Int32Array(times.length);
    for (let i = 0; i < times.length; i++) {
      const at = key(times[i] ?? 0);
      found[i] = at === at ? placeIn(family, at) : -1;
    }
    family.times = times;
    family.found = found;
    return found;
  }

  for (const table of tables) {
    ctx.budget.tick(table.rows);
    const value = columnOf(table, '_value');
    const times = columnOf(table, '_time')?.ms ?? null;
    const text = familyText(table, names, types);
    if (text === null || table.rows === 0 || !value || (keyOf && !times)) return null;
    let family = families.get(text);
    if (!family) {
      const columns = table.columns.filter((column) => names.has(column.name));
      families.set(text, (family = { columns, places: new Map(), times: NO_TIMES, found: NO_PLACES }));
    }
    const places = keyOf && times ? placesOf(family, times, keyOf) : null;
    const only = places ? 0 : placeIn(family, 0);
    const floats = value.data instanceof Float64Array ? value.data : null;
    for (let i = 0; i < table.rows; i++) {
      const place = places ? (places[i] ?? 0) : only;
      if (place < 0) continue;
      rows[place] = (rows[place] ?? 0) + 1;
      const cell = floats ? (floats[i] ?? 0) : numberAt(value, i);
      if (cell === null) continue;
      const n = counts[place] ?? 0;
      // A sum of one is that very number, which may be -0.
      sums[place] = n === 0 && name === 'sum' ? Number(cell) : (sums[place] ?? 0) + Number(cell);
      counts[place] = n + 1;
      if (typeof cell === 'bigint' && name === 'sum' && !Number.isSafeInteger(sums[place])) return null;
    }
  }
  const type = types.get('_value') ?? 'float';
  return {
    families,
    groups,
    type: name === 'count' ? 'int' : name === 'mean' ? 'float' : type,
    cell(place) {
      if (name === 'count') return BigInt(rows[place] ?? 0);
      const n = counts[place] ?? 0;
      const sum = sums[place] ?? 0;
      if (n === 0) return null;
      return name === 'mean' ? sum / n : type === 'float' ? sum : BigInt(sum);
    },
  };
}

const NUMBERS: ReadonlySet<string> = new Set(['float', 'int', 'uint']);
const NO_TIMES = new Float64Array(0);
const NO_PLACES = new Int32Array(0);
/** Of what no time is: stands for all times in the text of a family. */
const ANY_TIME = constant('_time', 'time', '\u0003');

/** What tells a table's family from others; null: its rows are of several families, or columns meet others of their name. */
function familyText({ columns }: Table, names: ReadonlySet<string>, types: Map<string, ColumnType>): string | null {
  const key: Column[] = [];
  for (const column of columns) {
    const type = types.get(column.name);
    if (type === undefined) types.set(column.name, column.type);
    else if (type !== column.type) return null;
    if (column.name === '_value' && !NUMBERS.has(column.type)) return null;
    if (!names.has(column.name)) continue;
    const isTime = column.name === '_time' && column.ms !== undefined;
    if (column.name === '_value' || (!isTime && (column.name === '_time' || column.data !== null))) return null;
    key.push(isTime ? ANY_TIME : column);
  }
  return keyText(key);
}

function doubled(old: Float64Array): Float64Array<ArrayBuffer> {
  const all = new Float64Array(old.length * 2);
  all.set(old);
  return all;
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
