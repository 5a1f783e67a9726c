import type { Name, Pipe } from '../../../../lib/logsql/ast.ts';
import { Fault } from '../../../../lib/fault.ts';
import { compileFilter } from '../evaluate.ts';
import { countOf, everyRow, type Frame, withColumns } from '../frame.ts';
import { pick } from '../mask.ts';
import { needsOf } from '../needs.ts';
import type { Run, Stage } from '../run-context.ts';
import { statsStage } from '../stats/stats.ts';
import { facetsStage, fieldNamesStage } from './fields.ts';
import { sortStage } from './sort.ts';
import { fieldValuesStage, topStage, uniqStage } from './uniq.ts';

/** How a pipe does its work. `after`: the pipes that follow it. */
export function stageOf(pipe: Pipe, after: readonly Pipe[], run: Run): Stage {
  switch (pipe.kind) {
    case 'fields':
      return eachFrame((frame) => project(frame, pipe.names));
    case 'delete':
      return eachFrame((frame) => without(frame, frame.names.filter((name) => pipe.names.some((pattern) => fits(pattern, name)))));
    case 'rename':
      return eachFrame((frame) => pipe.pairs.reduce(renamed, frame));
    case 'copy':
      return eachFrame((frame) => pipe.pairs.reduce((out, [from, to]) => withColumns(out, new Map([[to, out.column(from)]])), frame));
    case 'limit':
      return limitStage(0, pipe.n);
    case 'offset':
      return limitStage(pipe.n, null);
    case 'filter': {
      const matcher = compileFilter(pipe.filter, run.moment);
      return eachFrame((frame) => ({ ...frame, picked: pick(matcher(frame, null), frame.rows, frame.picked) }));
    }
    case 'stats':
      return statsStage(pipe, run);
    case 'sort':
      return sortStage(pipe, needsOf(after), run);
    case 'uniq':
      return uniqStage(pipe, run);
    case 'top':
      return topStage(pipe, run);
    case 'field_names':
      return fieldNamesStage(pipe, run);
    case 'field_values':
      return fieldValuesStage(pipe, run);
    case 'facets':
      return facetsStage(pipe, run);
    default:
      throw new Fault('QUERY_INVALID', `the pipe ${pipe.kind} is not supported`, { extra: { position: 0 } });
  }
}

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

export const fits = (pattern: Name, name: string): boolean => (pattern.prefix ? name.startsWith(pattern.name) : name === pattern.name);

/** The columns that the patterns name, in their order. */
function project(frame: Frame, patterns: readonly Name[]): Frame {
  if (patterns.some(({ name, prefix }) => prefix && name === '')) return frame;
  const names = new Set(patterns.flatMap((pattern) => (pattern.prefix ? frame.names.filter((name) => fits(pattern, name)).toSorted() : [pattern.name])));
  return { ...frame, names: [...names], ordered: true, column: (name) => (names.has(name) ? frame.column(name) : null) };
}

function without(frame: Frame, names: readonly string[]): Frame {
  return withColumns(frame, new Map(names.map((name) => [name, null])));
}

/** The old value of `to` is lost; without a `from`, `to` is empty. */
function renamed(frame: Frame, [from, to]: readonly [string, string]): Frame {
  if (from === to) return frame;
  return withColumns(frame, new Map([[to, frame.column(from)], [from, null]]));
}
