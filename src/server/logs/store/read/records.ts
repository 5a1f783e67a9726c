import { readerOf } from '../../logsql/frame.ts';
import type { StoredBlock } from '../blocks/block.ts';

/** RFC 3339 in UTC with milliseconds, and finer where there is something. */
export function isoOf(ms: number, ns: number): string {
  const text = new Date(ms).toISOString();
  if (ns === 0) return text;
  const fine = String(ns).padStart(6, '0');
  return `${text.slice(0, -1)}${fine.endsWith('000') ? fine.slice(0, 3) : fine}Z`;
}

/** The fields that come first, where a record has them. */
const FIRST = ['_msg', 'level', 'job_id', 'task_id', 'worker_id', 'source'];
const LEFT_OUT: ReadonlySet<string> = new Set(['_stream', '_stream_id']);

/** Writes rows of a block as records of the API: values that came as JSON numbers, booleans or arrays are such again. */
export function recordWriter(block: StoredBlock): (row: number) => string {
  const names = [
    ...FIRST.filter((name) => block.names.includes(name)),
    ...block.names.filter((name) => !FIRST.includes(name) && !LEFT_OUT.has(name)),
  ];
  const cells = names.map((name) => ({
    name,
    key: `,${JSON.stringify(name)}:`,
    read: readerOf(block.column(name)),
    isBare: block.bareOf(name),
  }));
  const { ms, ns } = block;
  return (row) => {
    let text = `{"_time":"${isoOf(ms[row] ?? 0, ns === null ? 0 : (ns[row] ?? 0))}"`;
    let message = false;
    for (const { name, key, read, isBare } of cells) {
      const value = read(row);
      if (name === '_msg') {
        text += key + JSON.stringify(value);
        message = true;
      } else if (value !== '') text += key + (isBare(row) ? value : JSON.stringify(value));
    }
    return message ? `${text}}` : `${text},"_msg":""}`;
  };
}
