import type { Claims } from './claims.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { LOG_LEVELS } from '../../../contract/vocabulary.ts';
import { instantOf } from './instant.ts';
import { partsOf } from './json-members.ts';

/** Whom lines come from. A line of the form `{"_assign":{"job_id":…}}` changes what is added to the lines behind it. */
export interface Sender {
  /** Source of lines that name none, such as `tcp:10.0.0.7`. */
  readonly address: string;
  readonly assigned: Map<OwnField, string>;
  /** Of a worker: what it says of its task, job, workflow, worker and source is held against what its workers run. Null: it may say what it wants. */
  claims: Claims | null;
}

/** An event as JSON text, or what makes it once the sender's claims are answered. */
export type LineEvent = string | (() => string);

export type OwnField = (typeof OWN)[number];
const OWN = ['job_id', 'task_id', 'worker_id', 'source', 'workflow_id'] as const;
const TIMES = ['_time', '@timestamp', 'timestamp', 'time', 'timeMillis', 'date', 'ts'] as const;
const MESSAGES = ['_msg', 'message', 'msg', 'log'] as const;
const LEVELS = ['level', 'severity', 'lvl'] as const;
const NAMES: Readonly<Record<string, string>> = {
  WARNING: 'WARN',
  ERR: 'ERROR',
  CRITICAL: 'FATAL',
  CRIT: 'FATAL',
  PANIC: 'FATAL',
  ALERT: 'FATAL',
  EMERG: 'FATAL',
  EMERGENCY: 'FATAL',
  INFORMATION: 'INFO',
  INFORMATIONAL: 'INFO',
  NOTICE: 'INFO',
  VERBOSE: 'DEBUG',
  SILLY: 'TRACE',
  HTTP: 'INFO',
};
/** Severities of syslog, 0 to 7. */
const SYSLOG = ['FATAL', 'FATAL', 'FATAL', 'ERROR', 'WARN', 'INFO', 'INFO', 'DEBUG'] as const;
/** Levels of nesting of a line's values; deeper ones are kept as text, so that no reader need go down. */
const DEPTH = 200;

/** One word behind `AUTH` that is long enough for a token. */
const LATE_AUTH = /^AUTH +\S{16,}$/;

export type Tag = '_jsonparsefailure' | '_timestampparsefailure' | '_linetoolong' | '_jsontoodeep';

/**
 * The events of one line, as JSON objects in text: one of an object, one for each element of an array, and of any other
 * text one whose message it is; those are counted. Values that are not normalised stay to the letter.
 */
export function eventsOf(line: string, sender: Sender, now: number, counts: { unparsed: number }): LineEvent[] {
  const text = line.trim();
  if (text === '') return [];
  const asText = (given: string, tag: Tag): LineEvent => {
    counts.unparsed++;
    return textEvent(given, sender, now, tag);
  };
  // The token of somebody who sends it too late, or again, is not for those who read logs.
  if (LATE_AUTH.test(text)) return [asText('AUTH [redacted]', '_jsonparsefailure')];
  if (!isJson(text)) return [asText(line.endsWith('\r') ? line.slice(0, -1) : line, '_jsonparsefailure')];
  const parts = partsOf(text);
  if (parts === null) return [asText(text, '_jsonparsefailure')];
  if (parts.depth > DEPTH) return [asText(text, '_jsontoodeep')];
  if (parts.keys !== null)
    return assigns(parts.keys, parts.values, sender) ? [] : [objectEvent(parts.keys, parts.values, sender, now)];
  return parts.values.map((value) => {
    const inner = value.startsWith('{') ? partsOf(value) : null;
    return inner?.keys ? objectEvent(inner.keys, inner.values, sender, now) : asText(value, '_jsonparsefailure');
  });
}

/** A text that is no JSON object, kept as a message. */
export function textEvent(text: string, sender: Sender, now: number, tag: Tag): LineEvent {
  const head = `{"_time":"${new Date(now).toISOString()}","_msg":${JSON.stringify(text)}`;
  return withOwn(head, new Map(), sender, () => `,"tags":["${tag}"]}`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function assigns(keys: readonly string[], values: readonly string[], sender: Sender): boolean {
  if (keys.length !== 1 || keys[0] !== '_assign') return false;
  const given: unknown = JSON.parse(values[0] ?? '');
  if (!isRecord(given)) return false;
  for (const field of OWN) {
    const value = given[field];
    if (typeof value === 'string' && value !== '') sender.assigned.set(field, value);
    else if (value === null) sender.assigned.delete(field);
  }
  return true;
}

function objectEvent(keys: readonly string[], values: readonly string[], sender: Sender, now: number): LineEvent {
  const members = new Map<string, string>();
  keys.forEach((key, i) => members.set(key, values[i] ?? ''));
  let tag: Tag | null = null;

  let time: string | undefined;
  const timeKey = TIMES.find((key) => isGiven(members.get(key)));
  if (timeKey !== undefined) {
    const raw = members.get(timeKey) ?? '';
    time = instantOf(asText(raw));
    members.delete(timeKey);
    if (time === undefined) {
      tag = '_timestampparsefailure';
      // What it was stays to be seen, yet not under the name of the time.
      members.set(timeKey === '_time' ? 'time' : timeKey, raw);
    }
  }
  const message = take(members, MESSAGES);
  const level = take(members, LEVELS);
  let text = `{"_time":"${time ?? new Date(now).toISOString()}","_msg":${message === undefined ? '""' : asStringToken(message)}`;
  if (level !== undefined) text += `,"level":${JSON.stringify(levelOf(level))}`;
  const own = new Map<OwnField, string>();
  for (const field of OWN) {
    const raw = members.get(field);
    members.delete(field);
    if (isGiven(raw)) own.set(field, asStringToken(raw));
  }
  members.delete('_time');
  members.delete('_msg');
  if (tag !== null) members.set('tags', withTag(members.get('tags'), tag));
  return withOwn(text, own, sender, (taken) => {
    let rest = '';
    for (const [key, value] of members) if (!taken?.has(key)) rest += `,${JSON.stringify(key)}:${value}`;
    return `${rest}}`;
  });
}

/** The event with these fields between `head` and what `rest` gives, which leaves out the names that are taken. */
function withOwn(
  head: string,
  own: Map<OwnField, string>,
  sender: Sender,
  rest: (taken: ReadonlyMap<string, string> | null) => string,
): LineEvent {
  const { claims, assigned, address } = sender;
  if (claims === null) return `${head}${added(own, sender)}${rest(null)}`;
  const fields = new Map<string, string>(own);
  for (const [field, value] of assigned) if (!fields.has(field)) fields.set(field, JSON.stringify(value));
  const settled = () => {
    claims.settle(fields, address);
    let text = head;
    for (const [field, token] of fields) text += `,"${field}":${token}`;
    return text + rest(fields);
  };
  return claims.knows(fields) ? settled() : settled;
}

/** The fields that every record of a task should have: the line's own, else the sender's. `own` holds JSON tokens. */
function added(own: ReadonlyMap<OwnField, string>, sender: Sender): string {
  let text = '';
  for (const field of OWN) {
    const token = own.get(field);
    if (token !== undefined) {
      text += `,"${field}":${token}`;
      continue;
    }
    const value = sender.assigned.get(field) ?? (field === 'source' ? sender.address : undefined);
    if (value !== undefined) text += `,"${field}":${JSON.stringify(value)}`;
  }
  return text;
}

function take(members: Map<string, string>, names: readonly string[]): string | undefined {
  const name = names.find((one) => isGiven(members.get(one)));
  if (name === undefined) return undefined;
  const raw = members.get(name);
  members.delete(name);
  return raw;
}

const isGiven = (raw: string | undefined): raw is string => raw !== undefined && raw !== 'null' && raw !== '""';
const asText = (raw: string): string => (raw.startsWith('"') ? JSON.parse(raw) : raw);
const asStringToken = (raw: string): string => (raw.startsWith('"') ? raw : JSON.stringify(raw));

function withTag(raw: string | undefined, tag: Tag): string {
  if (!isGiven(raw)) return `["${tag}"]`;
  if (!raw.startsWith('[')) return `[${raw},"${tag}"]`;
  const inner = raw.slice(1, -1).trim();
  return inner === '' ? `["${tag}"]` : `[${inner},"${tag}"]`;
}

function levelOf(raw: string): string {
  const text = asText(raw).trim();
  if (/^\d{1,3}$/.test(text)) {
    const number = Number(text);
    // Syslog counts from 0 to 7; pino and bunyan from 10 (trace) to 60 (fatal).
    const level = number < 8 ? SYSLOG[number] : LOG_LEVELS[Math.min(5, Math.max(0, Math.round(number / 10) - 1))];
    return level ?? text;
  }
  const upper = text.toUpperCase();
  return NAMES[upper] ?? upper;
}
