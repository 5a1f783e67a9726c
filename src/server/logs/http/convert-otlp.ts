import { errorMessage } from '../../../lib/errors.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { int64Of } from '../../../lib/protobuf.ts';
import { Refusal } from './answer.ts';
import type { Converted } from './convert.ts';
import { createGrowth } from './growth.ts';
import { badProtobuf, fieldsOf } from './protobuf.ts';

/** A value of OTLP: a scalar as text, a list as what its JSON is made of, or named values. */
type Value = string | { readonly list: unknown[] } | { readonly named: readonly Named[] };
type Named = readonly [name: string, value: Value];

interface Line {
  readonly nanos: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body: Value | null;
  readonly attributes: readonly Named[];
  readonly traceId: string;
  readonly spanId: string;
  readonly eventName: string;
}
interface Scope {
  readonly name: string;
  readonly version: string;
  readonly attributes: readonly Named[];
}

/** How deep values may lie in one another. */
const DEPTH = 32;
const ZERO = /^0*$/;

/** An export request of OTLP logs in protocol buffers; `most` characters of lines. Throws a 400 `Refusal`, and `TooLong`. */
export function otlpProtobuf(body: Buffer, most = Infinity): Converted[] {
  const groups = createGroups(most);
  for (const resourceLogs of messages(body, 1)) {
    const resource = [...messages(resourceLogs, 1)].flatMap((message) => namedOf(message, 1, 0));
    for (const scopeLogs of messages(resourceLogs, 2)) {
      const [scope] = messages(scopeLogs, 1);
      const add = groups.of(resource, scope === undefined ? null : scopeOf(scope));
      for (const record of messages(scopeLogs, 2)) add(lineOf(record));
    }
  }
  return groups.done();
}

/** The same in JSON, where IDs are hexadecimal digits. Throws a 400 `Refusal`, and `TooLong`. */
export function otlpJson(body: Buffer, most = Infinity): Converted[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch (error) {
    throw new Refusal(400, `cannot parse the JSON body: ${errorMessage(error)}`);
  }
  if (!isRecord(parsed) || !Array.isArray(parsed['resourceLogs']))
    throw new Refusal(400, '`resourceLogs` in the JSON body must be an array, as OTLP has it');
  const groups = createGroups(most);
  for (const one of listOf(parsed['resourceLogs'])) {
    const resource = namedJson(recordOf(one['resource'])['attributes'], 0);
    for (const scoped of listOf(one['scopeLogs'])) {
      const scope = isRecord(scoped['scope']) ? scoped['scope'] : null;
      const add = groups.of(
        resource,
        scope && {
          name: textOf(scope['name']),
          version: textOf(scope['version']),
          attributes: namedJson(scope['attributes'], 0),
        },
      );
      for (const record of listOf(scoped['logRecords'])) add(lineOfJson(record));
    }
  }
  return groups.done();
}

function* messages(message: Buffer, number: number): Generator<Buffer> {
  for (const field of fieldsOf(message)) if (field.number === number && field.bytes !== null) yield field.bytes;
}

function scopeOf(message: Buffer): Scope {
  const text = (number: number) => [...messages(message, number)].at(-1)?.toString() ?? '';
  return { name: text(1), version: text(2), attributes: namedOf(message, 3, 0) };
}

const namedOf = (message: Buffer, number: number, depth: number): Named[] =>
  [...messages(message, number)].flatMap((pair): Named[] => {
    const [key] = messages(pair, 1);
    const [bytes] = messages(pair, 2);
    const value = key === undefined || bytes === undefined ? null : valueOf(bytes, depth);
    return key === undefined || value === null ? [] : [[key.toString(), value]];
  });

function valueOf(message: Buffer, depth: number): Value | null {
  if (depth > DEPTH) throw badProtobuf(`values are nested more than ${DEPTH} deep`);
  for (const { number, bytes, varint, fixed } of fieldsOf(message)) {
    if (number === 1 && bytes) return bytes.toString();
    if (number === 2 && varint) return String(int64Of(varint) !== 0n);
    if (number === 3 && varint) return String(int64Of(varint));
    if (number === 4 && fixed?.length === 8) return String(fixed.readDoubleLE());
    if (number === 5 && bytes) return { list: [...messages(bytes, 1)].map((one) => plainOf(valueOf(one, depth + 1))) };
    if (number === 6 && bytes) return { named: namedOf(bytes, 1, depth + 1) };
    if (number === 7 && bytes) return bytes.toString('base64');
  }
  return null;
}

function lineOf(message: Buffer): Line {
  const line = {
    time: '0',
    observed: '0',
    severityNumber: 0,
    severityText: '',
    traceId: '',
    spanId: '',
    eventName: '',
  };
  let body: Value | null = null;
  for (const { number, bytes, value, fixed } of fieldsOf(message)) {
    if (number === 1 && fixed?.length === 8) line.time = String(fixed.readBigUInt64LE());
    else if (number === 11 && fixed?.length === 8) line.observed = String(fixed.readBigUInt64LE());
    else if (number === 2) line.severityNumber = value;
    else if (bytes === null) continue;
    else if (number === 3) line.severityText = bytes.toString();
    else if (number === 5) body = valueOf(bytes, 0);
    else if (number === 9) line.traceId = bytes.toString('hex');
    else if (number === 10) line.spanId = bytes.toString('hex');
    else if (number === 12) line.eventName = bytes.toString();
  }
  return { ...line, nanos: line.time === '0' ? line.observed : line.time, body, attributes: namedOf(message, 6, 0) };
}

function lineOfJson(record: Readonly<Record<string, unknown>>): Line {
  const time = nanosOf(record['timeUnixNano']);
  return {
    nanos: time === '0' ? nanosOf(record['observedTimeUnixNano']) : time,
    severityNumber: Number(textOf(record['severityNumber'])) || 0,
    severityText: textOf(record['severityText']),
    body: valueJson(record['body'], 0),
    attributes: namedJson(record['attributes'], 0),
    traceId: textOf(record['traceId']).toLowerCase(),
    spanId: textOf(record['spanId']).toLowerCase(),
    eventName: textOf(record['eventName']),
  };
}

const namedJson = (list: unknown, depth: number): Named[] =>
  listOf(list).flatMap((pair): Named[] => {
    const value = valueJson(pair['value'], depth);
    return typeof pair['key'] === 'string' && value !== null ? [[pair['key'], value]] : [];
  });

function valueJson(value: unknown, depth: number): Value | null {
  if (!isRecord(value)) return null;
  if (depth > DEPTH) throw new Refusal(400, `values in the JSON body are nested more than ${DEPTH} deep`);
  for (const [kind, inner] of Object.entries(value)) {
    if (kind === 'arrayValue')
      return { list: listOf(recordOf(inner)['values']).map((one) => plainOf(valueJson(one, depth + 1))) };
    if (kind === 'kvlistValue') return { named: namedJson(recordOf(inner)['values'], depth + 1) };
    if (/^(string|bool|int|double|bytes)Value$/.test(kind) && (inner === null || typeof inner !== 'object'))
      return textOf(inner);
  }
  return null;
}

/** What a list is written as in JSON. */
function plainOf(value: Value | null): unknown {
  if (value === null || typeof value === 'string') return value;
  return 'list' in value ? value.list : Object.fromEntries(value.named.map(([name, one]) => [name, plainOf(one)]));
}

const listOf = (value: unknown): Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];
const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
/** Of a scalar; of anything else nothing: who writes a list as text goes as deep as it is nested. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
const nanosOf = (value: unknown): string => {
  const text = textOf(value);
  return /^\d{1,20}$/.test(text) ? text : '0';
};

/** Levels by OpenTelemetry's ranges of numbers. */
const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];
const levelOf = ({ severityText, severityNumber }: Line): string =>
  severityText !== '' ? severityText.toUpperCase() : (LEVELS[Math.ceil(severityNumber / 4) - 1] ?? '');

/** Lines by the names of the attributes of their resources, which make their streams. */
function createGroups(most: number): {
  of(resource: readonly Named[], scope: Scope | null): (line: Line) => void;
  done(): Converted[];
} {
  const groups = new Map<string, { names: string[]; lines: string[] }>();
  const grow = createGrowth(most);
  return {
    of(resource, scope) {
      const common = new Map<string, string>();
      for (const [name, value] of resource) put(common, name, value, grow);
      const streams = [...common.keys()];
      if (scope) {
        common.set('scope.name', scope.name || 'unknown');
        common.set('scope.version', scope.version || 'unknown');
        for (const [name, value] of scope.attributes) put(common, `scope.attributes.${name}`, value, grow);
      }
      return (line) => {
        const names = (line.eventName === '' ? streams : [...streams, 'event_name']).toSorted();
        const key = JSON.stringify(names);
        const group = groups.get(key) ?? { names, lines: [] };
        groups.set(key, group);
        const text = `${JSON.stringify(Object.fromEntries(fieldsOfLine(common, line, grow)))}\n`;
        grow(text.length);
        group.lines.push(text);
      };
    },
    done: () =>
      [...groups.values()].map(({ names, lines }) => ({ ndjson: Buffer.from(lines.join('')), streamFields: names })),
  };
}

function fieldsOfLine(common: ReadonlyMap<string, string>, line: Line, grow: Grow): Map<string, string> {
  const fields = new Map(common);
  if (line.nanos !== '0') fields.set('_time', line.nanos);
  if (line.eventName !== '') fields.set('event_name', line.eventName);
  if (line.severityNumber !== 0) fields.set('severity_number', String(line.severityNumber));
  if (line.severityText !== '') fields.set('severity_text', line.severityText);
  if (line.body !== null) put(fields, '', line.body, grow);
  for (const [name, value] of line.attributes) put(fields, name, value, grow);
  if (!ZERO.test(line.traceId)) fields.set('trace_id', line.traceId);
  if (!ZERO.test(line.spanId)) fields.set('span_id', line.spanId);
  // What the console filters by.
  const level = levelOf(line);
  if (level !== '' && !fields.has('level')) fields.set('level', level);
  return fields;
}

type Grow = ReturnType<typeof createGrowth>;

/** Named values become fields of their own (`a.b`), each with the names of all above it; without a name it is the message. */
function put(fields: Map<string, string>, name: string, value: Value, grow: Grow): void {
  grow(name.length + 1);
  if (typeof value === 'string') fields.set(name || '_msg', value);
  else if ('list' in value) fields.set(name || '_msg', JSON.stringify(value.list));
  else for (const [key, one] of value.named) put(fields, name === '' ? key : `${name}.${key}`, one, grow);
}
