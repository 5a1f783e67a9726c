import type { Filter, Pipe, Query } from '../../../lib/logsql/ast.ts';
import { type Frame, readerOf, rowsOf } from './frame.ts';
import type { Frames, Run } from './run-context.ts';

/**
 * Runs the subqueries in `in(…)` and the like of a run's filters, so that their values are there when the filters are made
 * ready. Like any other work it comes in slices, so that it can be stopped and others take their turns.
 */
export function* runSubqueries(run: Run): Generator<null> {
  for (const filter of [run.filter, ...run.pipes.flatMap(filtersOf)])
    for (const query of subqueriesOf(filter)) run.lists.set(query, yield* valuesOf(run.inner(query), run));
}

/** Whether filters, or those of pipes, have a subquery. */
export const hasSubqueries = (filters: readonly Filter[], pipes: readonly Pipe[]): boolean =>
  [...filters, ...pipes.flatMap(filtersOf)].some((filter) => subqueriesOf(filter).length > 0);

function filtersOf(pipe: Pipe): Filter[] {
  if (pipe.kind === 'filter') return [pipe.filter];
  if (pipe.kind === 'stats') return pipe.calls.flatMap(({ condition }) => condition ?? []);
  return 'condition' in pipe && pipe.condition !== null ? [pipe.condition] : [];
}

function subqueriesOf(filter: Filter): Query[] {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.parts.flatMap(subqueriesOf);
  if (filter.kind === 'not') return subqueriesOf(filter.part);
  return filter.kind === 'field' && filter.test.kind === 'in_query' ? [filter.test.query] : [];
}

function* valuesOf(frames: Frames, run: Run): Generator<null, ReadonlySet<string>> {
  const found = new Set<string>();
  const add = (value: string) => {
    if (found.has(value)) return;
    found.add(value);
    run.hold(value.length * 2 + 64);
  };
  for (const frame of frames) {
    yield null;
    if (frame === null) continue;
    run.check();
    eachValue(frame, add);
  }
  return found;
}

/** Gives the values of a frame's first column, those of a dictionary once. */
function eachValue(frame: Frame, give: (value: string) => void): void {
  const cells = frame.column(frame.names[0] ?? '');
  if (cells?.kind === 'dictionary') {
    const seen = new Uint8Array(cells.values.length);
    for (const row of rowsOf(frame)) {
      const code = cells.codes[row] ?? 0;
      if (seen[code] === 1) continue;
      seen[code] = 1;
      give(cells.values[code] ?? '');
    }
    return;
  }
  const read = readerOf(cells);
  for (const row of rowsOf(frame)) give(read(row));
}
