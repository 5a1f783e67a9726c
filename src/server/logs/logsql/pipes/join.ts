import type { PipeOf } from '../../../../lib/logsql/ast.ts';
import { type Frame, readerOf, rowsOf } from '../frame.ts';
import { framesOfRows, type Row, createRowReader, rowBytes } from '../rows.ts';
import type { Frames, Run, Stage } from '../run-context.ts';

const CHUNK = 1024;

/** `union (query)`: the rows, and then those of the other query. */
export function unionStage({ query }: PipeOf<'union'>, run: Run): Stage {
  return function* (frames) {
    yield* frames;
    yield* run.inner(query);
  };
}

/**
 * `join by (f) (query)`: each row with each row of the other query that has the same values in the fields. One without any
 * stays as it is; with `inner` it goes. The other query's rows are held; a value of theirs takes the place of one that is there.
 */
export function joinStage({ by, query, inner, prefix }: PipeOf<'join'>, run: Run): Stage {
  return function* (frames) {
    const others = yield* held(run.inner(query), by, prefix, run);
    for (const frame of frames) {
      yield null;
      if (frame === null) continue;
      run.check();
      const keyOf = keyReader(frame, by);
      const take = createRowReader(frame, null);
      let out: Row[] = [];
      for (const number of rowsOf(frame)) {
        const matches = others.get(keyOf(number));
        if (matches === undefined && inner) continue;
        const row = take(number);
        for (const other of matches ?? [EMPTY]) {
          out.push(joined(row, other));
          if (out.length < CHUNK) continue;
          run.check();
          yield* framesOfRows(out);
          yield null;
          out = [];
        }
      }
      yield* framesOfRows(out);
    }
  };
}

const EMPTY: Row = { names: [], values: [] };

/** Rows of the other query by their key, without the fields of the key. */
function* held(frames: Frames, by: readonly string[], prefix: string, run: Run): Generator<null, Map<string, Row[]>> {
  const rows = new Map<string, Row[]>();
  for (const frame of frames) {
    yield null;
    if (frame === null) continue;
    run.check();
    const keyOf = keyReader(frame, by);
    const take = createRowReader({ ...frame, names: frame.names.filter((name) => !by.includes(name)) }, null);
    for (const number of rowsOf(frame)) {
      const { names, values } = take(number);
      const row = {
        names: names.map((name) => prefix + name).filter((_, i) => values[i] !== ''),
        values: values.filter((value) => value !== ''),
      };
      const key = keyOf(number);
      run.hold(rowBytes(row) + key.length * 2 + row.names.length * 8);
      const known = rows.get(key);
      if (known === undefined) rows.set(key, [row]);
      else known.push(row);
    }
  }
  return rows;
}

function keyReader(frame: Frame, by: readonly string[]): (row: number) => string {
  const readers = by.map((name) => readerOf(frame.column(name)));
  const [only] = readers;
  return only !== undefined && readers.length === 1 ? only : (row) => JSON.stringify(readers.map((read) => read(row)));
}

function joined(row: Row, other: Row): Row {
  if (other.names.length === 0) return row;
  const places = new Map(other.names.map((name, i) => [name, i]));
  const names = [...row.names, ...other.names.filter((name) => !row.names.includes(name))];
  return { names, values: names.map((name, i) => other.values[places.get(name) ?? -1] ?? row.values[i] ?? '') };
}
