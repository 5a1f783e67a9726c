import type { LogRecord } from '../../../../contract/logs.ts';
import { fieldText } from '../../../../lib/log-line.ts';

/** What a line shows by itself, and what says nothing to a reader. */
const SHOWN: ReadonlySet<string> = new Set(['_time', '_msg', 'level', '_stream', '_stream_id']);
/** Ids say little: they come after what a line brought along, and only their ends are shown. */
const IDS: ReadonlySet<string> = new Set(['job_id', 'task_id', 'worker_id']);
const MAX_FIELDS = 4;
const MAX_CHARACTERS = 40;
const TAIL = 6;

/** Fields of a record that are other than those of the line before it (undefined: there is none), as `name=value …`; '' where none is. `columns`: fields that stand in columns of their own. */
export function differingFields(record: LogRecord, before: LogRecord | undefined, columns: readonly string[]): string {
  const own: string[] = [];
  const ids: string[] = [];
  for (const name in record) {
    const value = record[name];
    if (value === undefined || value === null || SHOWN.has(name) || columns.includes(name)) continue;
    if (before !== undefined && sameValue(before[name], value)) continue;
    if (IDS.has(name)) ids.push(`${name}=${idTail(fieldText(value))}`);
    else own.push(`${name}=${shorten(fieldText(value))}`);
  }
  return [...own, ...ids].slice(0, MAX_FIELDS).join('  ');
}

/** The same, remembered for each record: those that are drawn again are not compared again. `before`: null where no line is before it. */
export function createDifferingFields(): (
  record: LogRecord,
  before: (() => LogRecord) | null,
  columns: readonly string[],
) => string {
  const known = new WeakMap<LogRecord, { first: boolean; columns: readonly string[]; text: string }>();
  return (record, before, columns) => {
    const first = before === null;
    const last = known.get(record);
    if (last !== undefined && last.first === first && last.columns === columns) return last.text;
    const text = differingFields(record, before?.(), columns);
    known.set(record, { first, columns, text });
    return text;
  };
}

const sameValue = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

const idTail = (id: string): string => (id.length > TAIL + 2 ? `…${id.slice(-TAIL)}` : id);

function shorten(text: string): string {
  const flat = text.slice(0, MAX_CHARACTERS + 1).replaceAll(/\s+/g, ' ');
  return flat.length > MAX_CHARACTERS ? `${flat.slice(0, MAX_CHARACTERS)}…` : flat;
}
