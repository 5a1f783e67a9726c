import { isRecord } from '../../../lib/is-record.ts';
import { tokensOf } from '../../../lib/logsql/tokens.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { partsOf } from '../pipeline/json-members.ts';
import { Refusal } from './answer.ts';
import type { Converted } from './convert.ts';
import { createGrowth } from './growth.ts';
import { badProtobuf, fieldsOf } from './protobuf.ts';

type Pairs = readonly (readonly [name: string, value: string])[];

/**
 * Loki's push as JSON: streams with labels and lines. A line that is a JSON object becomes fields, unless `plain`.
 * Groups of streams with the same names of labels become one batch each, since these names make their stream.
 * `most` characters of lines. Throws a 400 `Refusal`, and `TooLong`.
 */
export function lokiLines(body: Buffer, plain: boolean, most = Infinity): Converted[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch (error) {
    throw new Refusal(400, `cannot parse the JSON body: ${errorMessage(error)}`);
  }
  const streams: unknown = isRecord(parsed) ? parsed['streams'] : undefined;
  if (!Array.isArray(streams)) throw new Refusal(400, '`streams` item in the JSON body must contain an array');
  const groups = createGroups(plain, most);
  for (const [i, stream] of streams.entries()) {
    const { stream: labels = {}, values }: { stream?: unknown; values?: unknown } = stream ?? {};
    if (!isRecord(labels)) throw new Refusal(400, `\`stream\` of the stream ${i} must be an object of labels`);
    if (!Array.isArray(values)) throw new Refusal(400, `missing \`values\` array in the stream ${i}`);
    const entries = Object.entries(labels).map(([name, value]): [string, string] => {
      if (typeof value === 'string') return [name, value];
      throw new Refusal(
        400,
        `unexpected label value type for ${JSON.stringify(name.slice(0, 100))}: expected a string`,
      );
    });
    const add = groups.of(entries);
    for (const value of values) add(...entryOf(value));
  }
  return groups.done();
}

/** The parser takes in what lies deeper than can be written again. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Refusal(400, 'the JSON body is nested too deeply');
  }
}

function entryOf(value: unknown): [time: string, line: string, metadata: [string, unknown][]] {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3)
    throw new Refusal(400, 'a value must be [timestamp, line] or [timestamp, line, structured metadata]');
  const [time, line, metadata = {}]: unknown[] = value;
  if (typeof time !== 'string' || !/^\d{1,19}$/.test(time))
    throw new Refusal(400, `cannot parse the timestamp ${jsonOf(time).slice(0, 100)}: expected nanoseconds as text`);
  if (typeof line !== 'string') throw new Refusal(400, 'a line must be text');
  if (!isRecord(metadata)) throw new Refusal(400, 'structured metadata must be an object');
  return [time, line, Object.entries(metadata)];
}

/**
 * The same as protobuf (`logproto.PushRequest`): what Promtail, Alloy and Loki's own clients send.
 * PushRequest { 1: streams } · Stream { 1: labels as text, 2: entries } · Entry { 1: Timestamp { 1: s, 2: ns }, 2: line,
 * 3: structured metadata { 1: name, 2: value } }
 */
export function lokiProtobuf(body: Buffer, plain: boolean, most = Infinity): Converted[] {
  const groups = createGroups(plain, most);
  for (const { number, bytes: stream } of fieldsOf(body)) {
    if (number !== 1 || stream === null) continue;
    let labels = '{}';
    const entries: Buffer[] = [];
    for (const { number: of, bytes } of fieldsOf(stream)) {
      if (of === 1 && bytes) labels = bytes.toString();
      else if (of === 2 && bytes) entries.push(bytes);
    }
    const add = groups.of(labelsOf(labels));
    for (const entry of entries) addEntry(entry, add);
  }
  return groups.done();
}

function addEntry(entry: Buffer, add: Add): void {
  let time = '0';
  let line = '';
  const metadata: [string, string][] = [];
  for (const { number, bytes } of fieldsOf(entry)) {
    if (bytes === null) continue;
    if (number === 1) {
      const fields = new Map(Array.from(fieldsOf(bytes), (field) => [field.number, field.value]));
      const [seconds, nanos] = [fields.get(1) ?? 0, fields.get(2) ?? 0];
      // Without a time it is now, which 0 stands for.
      time = seconds === 0 ? String(nanos) : `${seconds}${String(nanos).padStart(9, '0')}`;
    } else if (number === 2) line = bytes.toString();
    else if (number === 3) {
      const texts = new Map(Array.from(fieldsOf(bytes), (field) => [field.number, field.bytes?.toString() ?? '']));
      metadata.push([texts.get(1) ?? '', texts.get(2) ?? '']);
    }
  }
  add(time, line, metadata);
}

/** The labels of `{a="1", b="2"}`, with texts as Go writes them. */
function labelsOf(text: string): Pairs {
  try {
    const tokens = tokensOf(text);
    let at = 0;
    const sign = (one: string) => tokens[at]?.kind === 'sign' && tokens[at]?.text === one && ++at > 0;
    const labels: [string, string][] = [];
    if (!sign('{')) throw badProtobuf('labels must begin with {');
    while (!sign('}')) {
      if (labels.length > 0 && !sign(',')) throw badProtobuf('a comma is missing between two labels');
      const name = tokens[at++];
      if (name?.kind !== 'word' || !sign('=') || tokens[at]?.kind !== 'quoted')
        throw badProtobuf('a label must be name="value"');
      labels.push([name.text, tokens[at++]?.text ?? '']);
    }
    return labels;
  } catch (error) {
    throw new Refusal(400, `cannot read the labels ${JSON.stringify(text.slice(0, 200))}: ${errorMessage(error)}`);
  }
}

type Add = (time: string, line: string, metadata: readonly (readonly [string, unknown])[]) => void;

/** Lines by the names of their labels. */
function createGroups(plain: boolean, most: number): { of(labels: Pairs): Add; done(): Converted[] } {
  const groups = new Map<string, { names: string[]; lines: string[] }>();
  const grow = createGrowth(most);
  return {
    of(labels) {
      const names = labels.map(([name]) => name).toSorted();
      const key = JSON.stringify(names);
      const group = groups.get(key) ?? { names, lines: [] };
      groups.set(key, group);
      const head = labels.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join('');
      return (time, line, metadata) => {
        let text = `{"_time":"${time}"${head}`;
        for (const [name, one] of metadata) text += `,${JSON.stringify(name)}:${jsonOf(one)}`;
        const members = plain ? null : membersOf(line);
        if (members === null) text += `,"_msg":${JSON.stringify(line)}`;
        else for (const [name, raw] of members) if (name !== '_time') text += `,${JSON.stringify(name)}:${raw}`;
        grow(text.length);
        group.lines.push(`${text}}\n`);
      };
    },
    done: () =>
      [...groups.values()].map(({ names, lines }) => ({ ndjson: Buffer.from(lines.join('')), streamFields: names })),
  };
}

/** Members of a text that is a JSON object, as they were written. */
function membersOf(line: string): [string, string][] | null {
  const text = line.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return null;
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const parts = partsOf(text);
  return parts?.keys?.map((key, i) => [key, parts.values[i] ?? '']) ?? null;
}
