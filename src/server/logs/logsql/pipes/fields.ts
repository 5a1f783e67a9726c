import type { PipeOf } from '../../../../lib/logsql/ast.ts';
import { compareNatural } from '../../../../lib/logsql/natural.ts';
import { type Cells, countOf, type Frame, readerOf, rowsOf, stringsFrame } from '../frame.ts';
import type { Run, Stage } from '../run-context.ts';

/** `field_names`: the fields that rows have, and in how many of them, the most frequent first. */
export function fieldNamesStage({ as }: PipeOf<'field_names'>, run: Run): Stage {
  return function* (frames) {
    const hits = new Map<string, number>();
    for (const frame of frames) {
      yield null;
      if (frame === null) continue;
      run.check();
      for (const name of frame.names) {
        const count = present(frame, frame.column(name));
        if (count === 0) continue;
        if (!hits.has(name)) run.hold(100 + name.length * 2);
        hits.set(name, (hits.get(name) ?? 0) + count);
      }
    }
    const order = [...hits].sort((a, b) => b[1] - a[1] || compareNatural(a[0], b[0]));
    yield stringsFrame(
      order.length,
      new Map([
        [as, order.map(([name]) => name)],
        ['hits', order.map(([, count]) => String(count))],
      ]),
      true,
    );
  };
}

function present(frame: Frame, cells: Cells | null): number {
  if (cells === null) return 0;
  if (cells.kind === 'time') return countOf(frame);
  if (cells.kind === 'constant') return cells.value === '' ? 0 : countOf(frame);
  let count = 0;
  if (cells.kind === 'text') {
    for (const row of rowsOf(frame)) if ((cells.ends[row] ?? 0) > (row === 0 ? 0 : (cells.ends[row - 1] ?? 0))) count++;
    return count;
  }
  if (cells.kind === 'decimal') {
    for (const row of rowsOf(frame)) if (!Number.isNaN(cells.values[row])) count++;
    return count;
  }
  if (cells.kind === 'dictionary' || cells.kind === 'template') {
    const empty = (cells.kind === 'template' ? cells.templates : cells.values).indexOf('');
    if (empty < 0) return countOf(frame);
    for (const row of rowsOf(frame)) if (cells.codes[row] !== empty) count++;
    return count;
  }
  const read = readerOf(cells);
  for (const row of rowsOf(frame)) if (read(row) !== '') count++;
  return count;
}

/** `facets`: the most frequent values of each field; fields with too many, too long or only one value are left out. */
export function facetsStage(pipe: PipeOf<'facets'>, run: Run): Stage {
  const { n, maxValues, maxLength, keepConst } = pipe;
  return function* (frames) {
    /** Values of a field by how often they are there; null: it has too many. */
    const fields = new Map<string, Map<string, number> | null>();
    let rows = 0;
    for (const frame of frames) {
      yield null;
      if (frame === null) continue;
      run.check();
      rows += countOf(frame);
      for (const name of frame.names) {
        let values = fields.get(name);
        if (values === null || name === '_time' || name === '_stream_id') continue;
        if (values === undefined) fields.set(name, (values = new Map()));
        const before = values.size;
        if (!addHits(values, frame, frame.column(name), maxValues, maxLength)) fields.set(name, null);
        else run.hold((values.size - before) * (100 + maxLength));
      }
    }
    const out: [field: string, value: string, hits: number][] = [];
    for (const name of [...fields.keys()].sort(compareNatural)) {
      const values = fields.get(name);
      if (!values) continue;
      const first = [...values][0];
      if (first === undefined || (!keepConst && values.size === 1 && first[1] === rows)) continue;
      for (const [value, hits] of [...values].sort((a, b) => b[1] - a[1] || compareNatural(a[0], b[0])).slice(0, n))
        out.push([name, value, hits]);
    }
    yield stringsFrame(
      out.length,
      new Map([
        ['field_name', out.map(([name]) => name)],
        ['field_value', out.map(([, value]) => value)],
        ['hits', out.map(([, , hits]) => String(hits))],
      ]),
      true,
    );
  };
}

/** False where the field has too many values, or one that is too long. */
function addHits(
  values: Map<string, number>,
  frame: Frame,
  cells: Cells | null,
  maxValues: number,
  maxLength: number,
): boolean {
  const put = (value: string, hits: number): boolean => {
    if (value === '' || hits === 0) return true;
    if (value.length > maxLength) return false;
    values.set(value, (values.get(value) ?? 0) + hits);
    return values.size <= maxValues;
  };
  if (cells === null) return true;
  if (cells.kind === 'constant') return put(cells.value, countOf(frame));
  if (cells.kind === 'dictionary') {
    const hits = new Uint32Array(cells.values.length);
    for (const row of rowsOf(frame)) {
      const code = cells.codes[row] ?? 0;
      hits[code] = (hits[code] ?? 0) + 1;
    }
    return cells.values.every((value, code) => put(value, hits[code] ?? 0));
  }
  const read = readerOf(cells);
  for (const row of rowsOf(frame)) if (!put(read(row), 1)) return false;
  return true;
}
