import type { Name } from '../../../../lib/logsql/ast.ts';
import { countOf, everyRow, type Frame, readerOf, rowsOf, withColumns } from '../frame.ts';
import type { Stage } from '../run-context.ts';

/** A stage that makes one frame of each. */
export function eachFrame(change: (frame: Frame) => Frame): Stage {
  return function* (frames) {
    for (const frame of frames) {
      const out = frame === null ? null : change(frame);
      yield out === null || countOf(out) === 0 ? null : out;
    }
  };
}

/** Skips `offset` rows and lets `limit` through; null: all. */
export function limitStage(offset: number, limit: number | null): Stage {
  return function* (frames) {
    let skip = offset;
    let left = limit ?? Number.POSITIVE_INFINITY;
    if (left === 0) return;
    for (const frame of frames) {
      const count = frame === null ? 0 : countOf(frame);
      if (frame === null || count <= skip) {
        skip -= count;
        yield null;
        continue;
      }
      if (skip === 0 && count <= left) {
        yield frame;
        left -= count;
      } else {
        const end = Math.min(count, skip + left);
        left -= end - skip;
        yield { ...frame, picked: (frame.picked ?? everyRow(frame.rows)).subarray(skip, end) };
        skip = 0;
      }
      if (left <= 0) return;
    }
  };
}

export const fits = (pattern: Name, name: string): boolean =>
  pattern.prefix ? name.startsWith(pattern.name) : name === pattern.name;

/** The columns that the patterns name, in their order. */
export function project(frame: Frame, patterns: readonly Name[]): Frame {
  if (patterns.some(({ name, prefix }) => prefix && name === '')) return frame;
  const names = new Set(
    patterns.flatMap((pattern) =>
      pattern.prefix ? frame.names.filter((name) => fits(pattern, name)).toSorted() : [pattern.name],
    ),
  );
  return {
    ...frame,
    names: [...names],
    ordered: true,
    column: (name) => (names.has(name) ? frame.column(name) : null),
  };
}

export function withoutFields(frame: Frame, names: readonly string[]): Frame {
  return withColumns(frame, new Map(names.map((name) => [name, null])));
}

/**
 * Copies or renames fields. The old value of `to` is lost; without a `from` that is named in full, `to` is empty. Of
 * several fields that get one name, the last in the order of their names stays.
 */
export function copied(frame: Frame, [from, to]: readonly [Name, Name], rename: boolean): Frame {
  const sources = from.prefix ? frame.names.filter((name) => fits(from, name)).toSorted() : [from.name];
  const target = (name: string) => (to.prefix ? to.name + name.slice(from.name.length) : to.name) || '_msg';
  return withColumns(
    frame,
    new Map([
      ...(rename ? sources.map((name) => [name, null] as const) : []),
      ...sources.map((name) => [target(name), frame.column(name)] as const),
    ]),
  );
}

/** One row of `n`, at random: the gaps between rows are spread as those of chance are. */
export function sampleStage(n: number): Stage {
  const gap = () => Math.round(-Math.log(1 - Math.random()) * (n - 1));
  return function* (frames) {
    let skip = gap();
    for (const frame of frames) {
      const rows = frame === null ? [] : (frame.picked ?? everyRow(frame.rows));
      const kept: number[] = [];
      for (; skip < rows.length; skip += 1 + gap()) kept.push(rows[skip] ?? 0);
      skip -= rows.length;
      yield frame === null || kept.length === 0 ? null : { ...frame, picked: Uint32Array.from(kept) };
    }
  };
}

/** Rows with a value; fields that a row lacks are not written anyway. */
export function withoutEmptyRows(frame: Frame): Frame {
  const readers = frame.names.map((name) => readerOf(frame.column(name)));
  return {
    ...frame,
    picked: Uint32Array.from(rowsOf(frame)).filter((row) => readers.some((read) => read(row) !== '')),
  };
}
