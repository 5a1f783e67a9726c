import type { Filter } from '../../../../lib/logsql/ast.ts';
import { Fault } from '../../../../lib/fault.ts';
import { compileFilter } from '../filter/evaluate.ts';
import { type Cells, type Frame, readerOf, rowsOf, withColumns } from '../frame.ts';
import type { Run, Stage } from '../run-context.ts';
import { eachFrame } from './simple.ts';

/** Characters of a value that a pipe makes. */
const VALUE_CHARS = 4 * 1024 * 1024;

/** Changes fields of the row that it is given. */
export interface RowEdit {
  get(name: string): string;
  set(name: string, value: string): void;
}

export interface EditOptions {
  readonly condition: Filter | null;
  /** Values that are there stay. */
  readonly keep?: boolean;
  /** Empty results change nothing. */
  readonly skipEmpty?: boolean;
}

/** A stage that changes fields row by row, where the condition holds. `prepare` is called once for each frame. */
export function editStage(options: EditOptions, run: Run, prepare: (frame: Frame) => (row: RowEdit) => void): Stage {
  const matcher = options.condition === null ? null : compileFilter(options.condition, run.moment);
  return eachFrame((frame) => {
    const mask = matcher === null ? true : matcher(frame, null);
    if (mask === false) return frame;
    const change = prepare(frame);
    const readers = new Map<string, (row: number) => string>();
    const columns = new Map<string, string[]>();
    let at = 0;
    let held = 0;
    const edit: RowEdit = {
      get(name) {
        const made = columns.get(name)?.[at];
        if (made !== undefined) return made;
        let read = readers.get(name);
        if (read === undefined) readers.set(name, (read = readerOf(frame.column(name))));
        return read(at);
      },
      set(name, value) {
        if (options.skipEmpty === true && value === '') return;
        if (options.keep === true && edit.get(name) !== '') return;
        if (value.length > VALUE_CHARS)
          throw new Fault(
            'QUERY_TOO_LARGE',
            `a pipe creates a value of more than ${VALUE_CHARS} characters in the field ${JSON.stringify(name)}`,
          );
        let column = columns.get(name);
        if (column === undefined) {
          columns.set(name, (column = new Array<string>(frame.rows)));
          held += frame.rows * 8;
          run.hold(frame.rows * 8);
        }
        column[at] = value;
        held += value.length * 2;
        run.hold(value.length * 2);
      },
    };
    run.check();
    for (const row of rowsOf(frame)) {
      if (mask !== true && mask[row] !== 1) continue;
      at = row;
      change(edit);
    }
    // The frame leaves; what it holds goes with it.
    run.hold(-held);
    return withColumns(frame, new Map([...columns].map(([name, values]) => [name, merged(frame, name, values)])));
  });
}

/** Rows that were not changed keep their value. */
function merged(frame: Frame, name: string, values: string[]): Cells {
  const read = readerOf(frame.column(name));
  for (const row of rowsOf(frame)) values[row] ??= read(row);
  for (let row = 0; row < values.length; row++) values[row] ??= '';
  return { kind: 'strings', values };
}
