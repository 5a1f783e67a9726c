import type { Name } from '../../../../lib/logsql/ast.ts';
import { countOf, everyRow, type Frame, withColumns } from '../frame.ts';
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

/** The old value of `to` is lost; without a `from`, `to` is empty. */
export function renamed(frame: Frame, [from, to]: readonly [string, string]): Frame {
  if (from === to) return frame;
  return withColumns(
    frame,
    new Map([
      [to, frame.column(from)],
      [from, null],
    ]),
  );
}
