import type { Filter, Pipe, StatsCall } from '../../../lib/logsql/ast.ts';
import { compareNatural } from '../../../lib/logsql/natural.ts';
import { numberOf } from '../../../lib/logsql/numbers.ts';

export type PlainRow = Readonly<Record<string, string>>;
export type Passes = (filter: Filter, row: PlainRow) => boolean;

const get = (row: PlainRow, name: string): string => (Object.hasOwn(row, name) ? (row[name] as string) : '');
const pickKeys = (row: PlainRow, keep: (name: string) => boolean): PlainRow =>
  Object.fromEntries(Object.entries(row).filter(([name]) => keep(name)));

/** A pipe over rows as objects, without any cleverness. */
export function naivePipe(pipe: Pipe, rows: readonly PlainRow[], passes: Passes): PlainRow[] {
  switch (pipe.kind) {
    case 'fields':
    case 'delete': {
      const named = (name: string) =>
        pipe.names.some((pattern) => (pattern.prefix ? name.startsWith(pattern.name) : name === pattern.name));
      return rows.map((row) => pickKeys(row, (name) => named(name) === (pipe.kind === 'fields')));
    }
    case 'rename':
    case 'copy':
      return rows.map((row) =>
        pipe.pairs.reduce((out, [{ name: from }, { name: to }]) => {
          const value = get(out, from);
          return from === to
            ? out
            : { ...(pipe.kind === 'rename' ? pickKeys(out, (name) => name !== from) : out), [to]: value };
        }, row),
      );
    case 'limit':
      return rows.slice(0, pipe.n);
    case 'offset':
      return rows.slice(pipe.n);
    case 'filter':
      return rows.filter((row) => passes(pipe.filter, row));
    case 'sort': {
      const sorted = rows.toSorted(
        (a, b) =>
          pipe.by
            .map(({ field, desc }) => compareNatural(get(a, field), get(b, field)) * (desc ? -1 : 1))
            .find((order) => order !== 0) ?? 0,
      );
      const parts = [...new Set(rows.map((row) => JSON.stringify(pipe.partition.map((name) => get(row, name)))))];
      return parts.flatMap((part) => {
        const of = sorted
          .filter((row) => JSON.stringify(pipe.partition.map((name) => get(row, name))) === part)
          .slice(pipe.offset, pipe.limit === null ? undefined : pipe.offset + pipe.limit);
        return pipe.rank === null
          ? of
          : of.map((row, i) => ({ ...row, [pipe.rank as string]: String(pipe.offset + i + 1) }));
      });
    }
    case 'uniq':
      return groupsOf(pipe.by, rows)
        .filter(({ keys }) => pipe.hits !== null || keys.some((key) => key !== ''))
        .map(({ keys, of }) => ({
          ...named(pipe.by, keys),
          ...(pipe.hits === null ? {} : { [pipe.hits]: String(of.length) }),
        }));
    case 'top': {
      const keysOrder = (a: readonly string[], b: readonly string[]) =>
        a.map((key, i) => compareNatural(key, b[i] as string)).find((order) => order !== 0) ?? 0;
      return groupsOf(pipe.by, rows)
        .toSorted((a, b) => b.of.length - a.of.length || keysOrder(a.keys, b.keys))
        .slice(0, pipe.n)
        .map(({ keys, of }, i) => ({
          ...named(pipe.by, keys),
          [pipe.hits]: String(of.length),
          ...(pipe.rank === null ? {} : { [pipe.rank]: String(i + 1) }),
        }));
    }
    case 'stats': {
      const names = pipe.by.map(({ field }) => field);
      const cut = rows.map((row) => ({ row, key: pipe.by.map(({ field, step }) => bucket(get(row, field), step)) }));
      const groups = groupsOf(
        names,
        cut.map(({ key }) => named(names, key)),
      );
      if (names.length === 0 && groups.length === 0) groups.push({ keys: [], of: [] });
      return groups.map(({ keys }) => {
        const of = cut.filter(({ key }) => JSON.stringify(key) === JSON.stringify(keys)).map(({ row }) => row);
        return {
          ...named(names, keys),
          ...Object.fromEntries(
            pipe.calls.map((call) => [
              call.as,
              result(
                call,
                of.filter((row) => call.condition === null || passes(call.condition, row)),
              ),
            ]),
          ),
        };
      });
    }
    default:
      throw new Error(`not here: ${pipe.kind}`);
  }
}

const named = (names: readonly string[], values: readonly string[]): PlainRow =>
  Object.fromEntries(names.map((name, i) => [name, values[i] as string]));

function groupsOf(by: readonly string[], rows: readonly PlainRow[]): { keys: string[]; of: PlainRow[] }[] {
  const groups = new Map<string, { keys: string[]; of: PlainRow[] }>();
  for (const row of rows) {
    const keys = by.map((name) => get(row, name));
    const group = groups.get(JSON.stringify(keys)) ?? { keys, of: [] };
    groups.set(JSON.stringify(keys), group);
    group.of.push(row);
  }
  return [...groups.values()];
}

function bucket(value: string, step: string | null): string {
  const number = step === null ? null : numberOf(value);
  return number === null ? value : String(Math.floor(Number(number) / Number(step)) * Number(step));
}

function result({ name, fields }: StatsCall, rows: readonly PlainRow[]): string {
  const values = rows.flatMap((row) => fields.map((field) => get(row, field)));
  const numbers = values
    .map(numberOf)
    .filter((value) => value !== null)
    .map(Number);
  const sum = numbers.reduce((a, b) => a + b, 0);
  const sorted = values.toSorted(compareNatural);
  switch (name) {
    case 'count':
      return String(rows.filter((row) => fields.some((field) => get(row, field) !== '')).length);
    case 'count_uniq':
      return String(
        new Set(
          rows
            .filter((row) => fields.some((field) => get(row, field) !== ''))
            .map((row) => JSON.stringify(fields.map((field) => get(row, field)))),
        ).size,
      );
    case 'sum':
      return numbers.length === 0 ? 'NaN' : String(sum);
    case 'avg':
      return numbers.length === 0 ? 'NaN' : String(sum / numbers.length);
    case 'min':
      return sorted[0] ?? '';
    case 'max':
      return sorted.at(-1) ?? '';
    case 'uniq_values':
      return JSON.stringify([...new Set(sorted)].filter((value) => value !== ''));
    default:
      throw new Error(`not here: ${name}`);
  }
}
