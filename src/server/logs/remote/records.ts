import { parseJson } from '../../../lib/json.ts';
import { LINE_ID } from '../line-ids.ts';
import { createTimeReader, type Instant } from '../store/time.ts';
import { isoOf } from '../store/read/records.ts';

/** A row of the store elsewhere as a record of the API. */
export interface RemoteRecord {
  /** JSON text. */
  readonly text: string;
  readonly time: Instant;
  /** Null: a line that came by another way than ours. */
  readonly id: string | null;
}

const FIRST = ['_msg', 'level', 'job_id', 'task_id', 'worker_id', 'source'];
const LEFT_OUT: ReadonlySet<string> = new Set(['_time', '_stream', '_stream_id', LINE_ID, ...FIRST]);
/** What VictoriaLogs puts in the place of a message that a line has not. */
const NO_MESSAGE = 'missing _msg field; see https://docs.victoriametrics.com/victorialogs/keyconcepts/#message-field';

const times = createTimeReader();

export function recordOf(line: string): RemoteRecord {
  const row = textsOf(parseJson<Record<string, unknown>>(line));
  const time = { ms: 0, ns: 0 };
  times.read(row['_time'] ?? '', time);
  const message = row['_msg'] === NO_MESSAGE ? '' : (row['_msg'] ?? '');
  let text = `{"_time":"${isoOf(time.ms, time.ns)}","_msg":${JSON.stringify(message)}`;
  for (const name of FIRST.slice(1)) if (row[name]) text += `,"${name}":${JSON.stringify(row[name])}`;
  for (const [name, value] of Object.entries(row))
    if (!LEFT_OUT.has(name) && value !== '') text += `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
  return { text: `${text}}`, time, id: row[LINE_ID] || null };
}

/** Values of VictoriaLogs are texts; another one is taken as its JSON. */
function textsOf(row: Record<string, unknown>): Record<string, string> {
  for (const [name, value] of Object.entries(row))
    if (typeof value !== 'string') row[name] = value === null ? '' : JSON.stringify(value);
  return row as Record<string, string>;
}

/** Forgets which lines were there before it has seen too many. */
export interface SeenLines {
  /** False the second time. */
  isNew(id: string): boolean;
}

/** @param most ids in each of two generations */
export function seenLines(most: number): SeenLines {
  let young = new Set<string>();
  let old = new Set<string>();
  return {
    isNew(id) {
      if (young.has(id) || old.has(id)) return false;
      if (young.size >= most) [old, young] = [young, new Set()];
      young.add(id);
      return true;
    },
  };
}
