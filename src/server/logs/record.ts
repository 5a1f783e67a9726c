import type { LogRecord } from '../../contract/api.ts';
import { LOG_LEVELS } from '../../contract/vocabulary.ts';
import { isRawNumber, parseJson } from '../../lib/json.ts';

/** A log record as the store keeps it. Times are microseconds since the epoch. */
export interface StoredRecord {
  time: number;
  msg: string;
  level: string | null;
  job_id: string | null;
  task_id: string | null;
  worker_id: string | null;
  source: string | null;
  /** Custom fields as a JSON object; null where there are none. */
  fields: string | null;
}

const TIME_KEYS = ['_time', '@timestamp', 'timestamp', 'time', 'timeMillis', 'date', 'ts'] as const;
const MESSAGE_KEYS = ['_msg', 'message', 'msg', 'log'] as const;
const LEVEL_KEYS = ['level', 'severity', 'lvl'] as const;
const OWN_KEYS = ['job_id', 'task_id', 'worker_id', 'source'] as const;
const LEVEL_NAMES: Readonly<Record<string, string>> = { WARNING: 'WARN', ERR: 'ERROR', CRITICAL: 'FATAL', CRIT: 'FATAL', PANIC: 'FATAL', INFORMATION: 'INFO', NOTICE: 'INFO', VERBOSE: 'DEBUG' };

/** Levels of a line's values, as of the body of a request (`jsonDepth`). */
const DEPTH = 200;

/** The records of one line: one of a JSON object, several of an array, and any other text as a message with a tag. */
export function recordsOfLine(line: string, sender: string, now: number): StoredRecord[] {
  if (line.trim() === '') return [];
  let value: unknown;
  try {
    value = parseJson(line);
  } catch {
    value = undefined;
  }
  if (isTooDeep(value, DEPTH)) return [unparsed(line.replace(/\r$/, ''), sender, now, '_jsontoodeep')];
  if (Array.isArray(value)) return value.map((one) => (isObject(one) ? recordOf(one, sender, now) : unparsed(JSON.stringify(one), sender, now)));
  return [isObject(value) ? recordOf(value, sender, now) : unparsed(line.replace(/\r$/, ''), sender, now)];
}

/** True where a value holds others more than `left` levels down; what walks it later does so by recursion. */
function isTooDeep(value: unknown, left: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (left === 0) return true;
  for (const key in value) if (isTooDeep((value as Record<string, unknown>)[key], left - 1)) return true;
  return false;
}

/** A text that is no JSON object, kept as a message. */
export function unparsed(text: string, sender: string, now: number, tag = '_jsonparsefailure'): StoredRecord {
  return { time: now * 1000, msg: text, level: null, job_id: null, task_id: null, worker_id: null, source: sender, fields: JSON.stringify({ tags: [tag] }) };
}

/** Normalises time, message and level from the names that shippers use; all else stays as a custom field. */
export function recordOf(line: Record<string, unknown>, sender: string, now: number): StoredRecord {
  const custom: Record<string, unknown> = Object.assign(Object.create(null), line);
  const take = (keys: readonly string[]): unknown => {
    const key = keys.find((k) => custom[k] !== undefined && custom[k] !== null && custom[k] !== '');
    if (key === undefined) return undefined;
    const value = custom[key];
    delete custom[key];
    return value;
  };
  const own = (key: (typeof OWN_KEYS)[number]) => {
    const value = take([key]);
    return value === undefined ? null : asText(value);
  };
  const given = take(TIME_KEYS);
  const time = given === undefined ? undefined : timeOf(given);
  if (given !== undefined && time === undefined) custom['tags'] = [...(Array.isArray(custom['tags']) ? custom['tags'] : []), '_timestampparsefailure'];
  const message = take(MESSAGE_KEYS);
  const level = take(LEVEL_KEYS);
  const record: StoredRecord = {
    time: time ?? now * 1000,
    msg: message === undefined ? '' : asText(message),
    level: level === undefined ? null : levelOf(level),
    job_id: own('job_id'),
    task_id: own('task_id'),
    worker_id: own('worker_id'),
    source: own('source') ?? sender,
    fields: null,
  };
  // What stays under a name that was read already would come out twice.
  for (const key of [...OWN_KEYS, '_time', '_msg']) delete custom[key];
  for (const _ in custom) {
    record.fields = JSON.stringify(custom);
    break;
  }
  return record;
}

/** The record as the API gives it. */
export function presented(record: StoredRecord): LogRecord {
  const out: Record<string, unknown> = { _time: isoOf(record.time), _msg: record.msg };
  for (const key of ['level', ...OWN_KEYS] as const) if (record[key] !== null) out[key] = record[key];
  if (record.fields !== null) for (const [key, value] of Object.entries(parseJson(record.fields) as object)) if (!Object.hasOwn(out, key)) out[key] = value;
  return out as LogRecord;
}

export function isoOf(micros: number): string {
  const text = new Date(Math.floor(micros / 1000)).toISOString();
  const rest = micros % 1000;
  return rest === 0 ? text : `${text.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

const LATEST = 253_402_300_799_999_000;

/** Microseconds of a time as text (RFC 3339, a space for the T allowed) or as a number of s, ms, µs or ns by its size. */
export function timeOf(value: unknown): number | undefined {
  const number = isRawNumber(value) ? Number(value.rawJSON) : typeof value === 'string' && /^\d{9,20}(\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number === 'number') {
    const micros = number < 1e11 ? number * 1e6 : number < 1e14 ? number * 1e3 : number < 1e17 ? number : number / 1e3;
    return number > 0 && micros <= LATEST ? Math.round(micros) : undefined;
  }
  if (typeof number !== 'string') return undefined;
  const [, day, clock, fraction = '', zone = 'Z'] = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?\s*([Zz]|[+-]\d\d:?\d\d)?$/.exec(number) ?? [];
  if (day === undefined) return undefined;
  const ms = Date.parse(`${day}T${clock}${zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(ms) ? undefined : ms * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

function levelOf(value: unknown): string {
  // The numbers of pino and bunyan: 10 TRACE to 60 FATAL.
  if (typeof value === 'number') return LOG_LEVELS[Math.min(5, Math.max(0, Math.round(value / 10) - 1))] as string;
  const upper = asText(value).trim().toUpperCase();
  return LEVEL_NAMES[upper] ?? upper;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
