import type { PipeOf } from '../../../../lib/logsql/ast.ts';
import { rowsOf } from '../frame.ts';
import { framesOfRows, type Row, createRowReader } from '../rows.ts';
import type { Run, Stage } from '../run-context.ts';

const CHUNK = 1024;

/** `unroll by (f)`: a row for each item of the JSON array in the field; several arrays are walked side by side. */
export function unrollStage({ by }: PipeOf<'unroll'>, run: Run): Stage {
  return function* (frames) {
    for (const frame of frames) {
      yield null;
      if (frame === null) continue;
      run.check();
      const take = createRowReader(frame, null);
      let out: Row[] = [];
      for (const number of rowsOf(frame)) {
        const row = take(number);
        const names = [...new Set([...row.names, ...by])];
        const lists = by.map((field) => itemsOf(row.values[row.names.indexOf(field)] ?? ''));
        const length = lists.reduce((most, list) => Math.max(most, list.length), 1);
        for (let i = 0; i < length; i++) {
          const values = names.map((name, k) => {
            const list = lists[by.indexOf(name)];
            return list === undefined ? (row.values[k] ?? '') : (list[i] ?? '');
          });
          out.push({ names, values });
          if (out.length < CHUNK) continue;
          run.check();
          yield* framesOfRows(out);
          out = [];
        }
      }
      yield* framesOfRows(out);
    }
  };
}

/** The items of a JSON array as texts; none where it is no array. */
export function itemsOf(text: string): readonly string[] {
  if (!text.startsWith('[')) return [];
  try {
    const items: unknown = JSON.parse(text);
    return Array.isArray(items) ? items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))) : [];
  } catch {
    return [];
  }
}
