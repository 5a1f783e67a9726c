import { itemAt } from '../../../../lib/item-at.ts';
import type { PipeOf } from '../../../../lib/logsql/ast.ts';
import { readerOf, rowsOf } from '../frame.ts';
import type { Needs } from '../needs.ts';
import { framesOfRows, type Row, createRowReader, rowBytes } from '../rows.ts';
import type { Run, Stage } from '../run-context.ts';
import { createSmallestN, type SmallestN } from './heap.ts';
import { compareKey, compareKeys, type Key, keyReaders } from './sort-keys.ts';

interface Entry {
  readonly keys: readonly Key[];
  readonly row: Row;
  /** Rows with equal keys keep the order in which they came. */
  readonly n: number;
}

/** `sort by (…)`: all rows, or with a limit only as many as it keeps; of each partition. */
export function sortStage(pipe: PipeOf<'sort'>, after: Needs, run: Run): Stage {
  const { by, offset, partition, rank } = pipe;
  const keep = pipe.limit === null ? null : pipe.limit + offset;
  const compare = (a: Entry, b: Entry) => compareKeys(a.keys, b.keys, by) || a.n - b.n;
  const sign = by[0]?.desc === true ? -1 : 1;
  const needs = after === null ? null : new Set([...after, ...partition]);
  return function* (frames) {
    const parts = new Map<string, SmallestN<Entry>>();
    let n = 0;
    for (const frame of frames) {
      yield null;
      if (frame === null) continue;
      run.check();
      const readers = keyReaders(frame, by);
      const first = itemAt(readers, 0);
      const take = createRowReader(frame, needs);
      const partOf = partition.map((field) => readerOf(frame.column(field)));
      for (const row of rowsOf(frame)) {
        const name = partOf.length === 0 ? '' : JSON.stringify(partOf.map((read) => read(row)));
        let part = parts.get(name);
        if (part === undefined) {
          run.hold(200 + name.length * 2);
          parts.set(name, (part = keep === null ? createList(compare) : createSmallestN(keep, compare)));
        }
        const worst = part.worst();
        // Most rows are beaten by their first key alone.
        if (worst !== undefined && compareKey(first(row), itemAt(worst.keys, 0)) * sign > 0) continue;
        const keys = readers.map((read) => read(row));
        if (worst !== undefined && compareKeys(keys, worst.keys, by) >= 0) continue;
        const entry = { keys, row: take(row), n: n++ };
        run.hold(rowBytes(entry.row) + 48 * keys.length);
        const gone = part.put(entry);
        if (gone !== undefined) run.hold(-rowBytes(gone.row) - 48 * keys.length);
      }
    }
    for (const part of parts.values()) {
      run.check();
      const rows = part.sorted().slice(offset);
      yield* framesOfRows(
        rows.map(({ row }) => row),
        rank === null ? undefined : { name: rank, values: rows.map((_, i) => String(offset + i + 1)) },
      );
    }
  };
}

/** Keeps all. */
function createList(compare: (a: Entry, b: Entry) => number): SmallestN<Entry> {
  const all: Entry[] = [];
  return {
    worst: () => undefined,
    put(entry) {
      all.push(entry);
      return undefined;
    },
    sorted: () => all.sort(compare),
  };
}
