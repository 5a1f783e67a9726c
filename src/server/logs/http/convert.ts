import { partsOf } from '../pipeline/scan.ts';
import { Refusal } from './answer.ts';

/** Bodies of other protocols, as JSON lines. Pure functions of bytes: large bodies are converted in a thread. */

export interface Converted {
  readonly ndjson: Buffer<ArrayBuffer>;
  /** Fields that make the stream, where the protocol says so; null: as the arguments say. */
  readonly streamFields: readonly string[] | null;
}

export interface BulkConverted extends Converted {
  /** What each item was: `c` create, `i` index. */
  readonly actions: string;
}

const NEWLINE = 10;

/** Elasticsearch's `_bulk`: a line that says what to do, then the document. Throws a 400 `Refusal` at a bad action. */
export function bulkLines(body: Buffer): BulkConverted {
  const documents: Buffer[] = [];
  let actions = '';
  let line = 0;
  let action: string | null = null;
  for (let from = 0; from < body.length; ) {
    const found = body.indexOf(NEWLINE, from);
    const end = found < 0 ? body.length : found;
    const piece = body.subarray(from, end);
    from = end + 1;
    line++;
    if (action === null) {
      if (isBlank(piece)) continue;
      action = actionOf(piece, line);
    } else {
      if (isBlank(piece)) throw new Refusal(400, `cannot read the document of the action in line ${line - 1}: line ${line} is empty`);
      actions += action;
      documents.push(piece, LINE_END);
      action = null;
    }
  }
  if (action !== null) throw new Refusal(400, `missing log message after the "create" or "index" command in line ${line}`);
  return { ndjson: Buffer.concat(documents), streamFields: null, actions };
}

const LINE_END = Buffer.from('\n');
const isBlank = (piece: Buffer): boolean => piece.length === 0 || (piece.length < 64 && piece.toString('latin1').trim() === '');

function actionOf(piece: Buffer, line: number): 'c' | 'i' {
  // The two forms that shippers send, without parsing.
  const text = piece.toString().trim();
  if (text === '{"create":{}}') return 'c';
  if (text === '{"index":{}}') return 'i';
  let action: unknown;
  try {
    action = JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, `cannot parse JSON command in line ${line}: ${(error as Error).message}`);
  }
  if (typeof action === 'object' && action !== null) {
    if (Object.hasOwn(action, 'create')) return 'c';
    if (Object.hasOwn(action, 'index')) return 'i';
  }
  throw new Refusal(400, `unexpected command in line ${line}: expected "create" or "index", got ${text.slice(0, 100)}`);
}

/** Number of the first document that is no JSON object, from 0; -1: all are. */
export function badDocument(ndjson: Buffer): number {
  const lines = ndjson.toString().split('\n');
  return lines.findIndex((line) => {
    if (line.trim() === '') return false;
    try {
      const value: unknown = JSON.parse(line);
      return typeof value !== 'object' || value === null || Array.isArray(value);
    } catch {
      return true;
    }
  });
}

/**
 * Loki's push as JSON: streams with labels and lines. A line that is a JSON object becomes fields, unless `plain`.
 * Groups of streams with the same names of labels become one batch each, since these names make their stream.
 */
export function lokiLines(body: Buffer, plain: boolean): Converted[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch (error) {
    throw new Refusal(400, `cannot parse the JSON body: ${(error as Error).message}`);
  }
  const streams = (parsed as { streams?: unknown } | null)?.streams;
  if (!Array.isArray(streams)) throw new Refusal(400, '`streams` item in the JSON body must contain an array');
  const groups = new Map<string, { names: string[]; lines: string[] }>();
  for (const [i, stream] of (streams as unknown[]).entries()) {
    const { stream: labels = {}, values } = (stream ?? {}) as { stream?: unknown; values?: unknown };
    if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) throw new Refusal(400, `\`stream\` of the stream ${i} must be an object of labels`);
    if (!Array.isArray(values)) throw new Refusal(400, `missing \`values\` array in the stream ${i}`);
    const entries = Object.entries(labels as Record<string, unknown>);
    const bad = entries.find(([, value]) => typeof value !== 'string');
    if (bad) throw new Refusal(400, `unexpected label value type for ${JSON.stringify(bad[0].slice(0, 100))}: expected a string`);
    const names = entries.map(([name]) => name).toSorted();
    const key = JSON.stringify(names);
    const group = groups.get(key) ?? { names, lines: [] };
    groups.set(key, group);
    const head = entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',');
    for (const value of values as unknown[]) group.lines.push(`${lokiLine(value, head, plain)}\n`);
  }
  return [...groups.values()].map(({ names, lines }) => ({ ndjson: Buffer.from(lines.join('')), streamFields: names }));
}

function lokiLine(value: unknown, head: string, plain: boolean): string {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) throw new Refusal(400, 'a value must be [timestamp, line] or [timestamp, line, structured metadata]');
  const [time, line, metadata = {}] = value as [unknown, unknown, unknown];
  if (typeof time !== 'string' || !/^\d{1,19}$/.test(time)) throw new Refusal(400, `cannot parse the timestamp ${JSON.stringify(time)?.slice(0, 100)}: expected nanoseconds as text`);
  if (typeof line !== 'string') throw new Refusal(400, 'a line must be text');
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) throw new Refusal(400, 'structured metadata must be an object');
  const members = [`"_time":"${time}"`, ...(head === '' ? [] : [head])];
  for (const [name, one] of Object.entries(metadata as Record<string, unknown>)) members.push(`${JSON.stringify(name)}:${JSON.stringify(one)}`);
  const fields = plain ? null : fieldsOf(line);
  if (fields === null) members.push(`"_msg":${JSON.stringify(line)}`);
  else for (const [name, raw] of fields) if (name !== '_time') members.push(`${JSON.stringify(name)}:${raw}`);
  return `{${members.join(',')}}`;
}

/** Members of a text that is a JSON object, as they were written. */
function fieldsOf(line: string): [string, string][] | null {
  const text = line.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return null;
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const parts = partsOf(text);
  return parts?.keys?.map((key, i) => [key, parts.values[i] as string]) ?? null;
}
