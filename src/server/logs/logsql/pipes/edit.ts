import type { Filter } from '../../../../lib/logsql/ast.ts';
import { Fault } from '../../../../lib/fault.ts';
import { compileFilter } from '../filter/evaluate.ts';
import { type Cells, countOf, type Frame, readerOf, rowsOf, withColumns } from '../frame.ts';
import type { Run, Stage } from '../run-context.ts';

/** Characters of a value that a pipe makes. */
export const VALUE_CHARS = 4 * 1024 * 1024;
/** Throws QUERY_TOO_LARGE; also while a value is made, of which the last one would not fit into the memory. */
export function refuseLonger(length: number, name: string): void {
  if (length > VALUE_CHARS)
    throw new Fault(
      'QUERY_TOO_LARGE',
      `a pipe creates a value of more than ${VALUE_CHARS} characters in the field ${JSON.stringify(name)}`,
    );
}

/** Texts as one value of this field. Throws QUERY_TOO_LARGE. */
export function joinValue(texts: Iterable<string>, between: string, name: string): string {
  const parts: string[] = [];
  let length = 0;
  for (const text of texts) {
    refuseLonger((length += text.length + between.length), name);
    parts.push(text);
  }
  return parts.join(between);
}

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

/**
 * A stage that changes fields row by row, where the condition holds. `prepare` is called once for each frame. What it made is held
 * until the stages behind it are done with the frame: each of many may add to it.
 */
export function editStage(options: EditOptions, run: Run, prepare: (frame: Frame) => (row: RowEdit) => void): Stage {
  const matcher = options.condition === null ? null : compileFilter(options.condition, run.moment);
  return function* (frames) {
    for (const frame of frames) {
      const [out, held] = frame === null ? [null, 0] : edited(frame);
      try {
        yield out === null || countOf(out) === 0 ? null : out;
      } finally {
        run.hold(-held);
      }
    }
  };

  function edited(frame: Frame): [out: Frame, held: number] {
    const mask = matcher === null ? true : matcher(frame, null);
    if (mask === false) return [frame, 0];
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
        refuseLonger(value.length, name);
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
    const made = new Map([...columns].map(([name, values]) => [name, merged(frame, name, values)]));
    return [withColumns(frame, made), held];
  }
}

/** Rows that were not changed keep their value. */
function merged(frame: Frame, name: string, values: string[]): Cells {
  const read = readerOf(frame.column(name));
  for (const row of rowsOf(frame)) values[row] ??= read(row);
  for (let row = 0; row < values.length; row++) values[row] ??= '';
  return { kind: 'strings', values };
}
