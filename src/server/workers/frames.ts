import { deserialize, serialize } from 'node:v8';
import { LIMITS } from '../../contract/limits.ts';
import { isOneOf } from '../../lib/is-one-of.ts';
import { errorMessage } from '../../lib/errors.ts';
import { isRecord } from '../../lib/is-record.ts';
import { FRAME_NAME_CHARS, STACK_FRAMES, type Report, type WorkerFrame } from '../../contract/worker-protocol.ts';
import { isRawNumber, parseJson } from '../../lib/json.ts';
import { JsonSource, JsonTexts, jsonTextOf } from '../../lib/packed-inputs.ts';
import type { FrameText, ListText } from '../offload/port.ts';
import type { TakenFrame } from '../state-machines/report.ts';

/** Most tasks that a worker may offer to hold; the same bound as the option `--capacity`. */
const CAPACITY_MAX = 10_000;
/** What a worker says of itself is kept for as long as it is known, and listed. */
const HELLO = {
  urlChars: 2000,
  versionChars: 100,
  labels: 64,
  labelChars: 256,
  handlers: 10_000,
  handlerChars: 200,
  allHandlerChars: 262_144,
} as const;
/** Levels of objects and arrays in a frame with outputs, and how many of them are the frame's own. */
const OUTPUT_DEPTH = 2000;
const FRAME_DEPTH = 3;
const [QUOTE, BACKSLASH, ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];
/** Characters of the kind of a frame in what is said of it. */
const KIND_CHARS = 40;
/** Characters of the ID of a task: what a worker names is looked up, and some of it kept. */
const ID_CHARS = 100;
/** Characters of the message of a progress. */
const PROGRESS_CHARS = 200;

export class InvalidFrame extends Error {}

/**
 * One frame of a worker, its shape checked; numbers in outputs are kept as they came. Throws `InvalidFrame`.
 *
 * @param most items of its list (leases, reports, points, progress)
 */
export function parseFrame(text: string, most: number = LIMITS.workerFrameItems): WorkerFrame {
  let frame: unknown;
  try {
    frame = parseJson(text);
  } catch (error) {
    throw new InvalidFrame(`a frame must be a JSON object: ${errorMessage(error)}`);
  }
  if (!isRecord(frame) || typeof frame['t'] !== 'string')
    throw new InvalidFrame('a frame must be a JSON object with a "t"');
  const fault = lengthFault(frame, most) ?? faultIn(frame);
  if (fault !== null) throw new InvalidFrame(`the frame "${frame['t'].slice(0, KIND_CHARS)}" is not valid: ${fault}`);
  // Nothing was found wrong with it.
  const found = frame as unknown as WorkerFrame;
  return found.t === 'report' && isDeep(text) ? { ...found, items: found.items.map(withoutDeepOutput) } : found;
}

/** True for a JSON text that is nested so deeply that no text could be made of it again. */
function isDeep(text: string): boolean {
  if (text.length < OUTPUT_DEPTH * 2) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i);
    if (sign === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++;
    } else if (sign === ARRAY || sign === OBJECT) {
      if (++depth > OUTPUT_DEPTH) return true;
    } else if (sign === ARRAY_END || sign === OBJECT_END) depth--;
  }
  return false;
}

/** What cannot be kept fails its task: the report would come again and again. */
function withoutDeepOutput(report: Report): Report {
  const value = report.e === 'done' ? report.output : report.e === 'items' ? report.items : null;
  if (!isDeepValue(value)) return report;
  const { id, attempt, at } = report;
  const message = `the output is nested deeper than ${OUTPUT_DEPTH} levels: return it flatter, or as a text`;
  const startedAt = 'startedAt' in report ? report.startedAt : null;
  return { e: 'fail', id, attempt, at, startedAt, error: { code: 'NON_RETRYABLE', message, retryable: false } };
}

/** Level by level, since a walk that calls itself has the same limit. */
function isDeepValue(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > OUTPUT_DEPTH - FRAME_DEPTH) return true;
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null && !isRawNumber(one)
        ? Object.values(one).filter((inner) => typeof inner === 'object' && inner !== null)
        : [],
    );
  }
  return false;
}

/**
 * The same in another thread: what is wrong comes as a text, and outputs as JSON texts, which are quick to copy. The list
 * comes in parts of bytes, so that the other side makes objects of one part at a time.
 */
export function parseFrameInThread(text: string, most?: number): FrameText {
  try {
    return inParts(parseFrame(text, most));
  } catch (error) {
    if (error instanceof InvalidFrame) return { fault: error.message };
    throw error;
  }
}

/** Of one part: its objects are made in about a millisecond. */
const PART = { items: 500, characters: 256 * 1024 } as const;

function inParts(frame: WorkerFrame): FrameText {
  switch (frame.t) {
    case 'hello':
      return { frame: { ...frame, running: [] }, parts: partsOf(frame.running) };
    case 'report':
      return { frame: { ...frame, items: [] }, parts: partsOf(frame.items.map(packed), charactersOf) };
    case 'metrics':
      return { frame: { ...frame, points: [] }, parts: partsOf(frame.points) };
    case 'progress':
      return { frame: { ...frame, items: [] }, parts: partsOf(frame.items) };
    case 'gone':
      return { frame: { ...frame, leases: [] }, parts: partsOf(frame.leases) };
    default:
      return { frame, parts: [] };
  }
}

function partsOf<T>(list: readonly T[], charactersOf?: (item: T) => number): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < list.length;) {
    let to = from;
    for (let characters = 0; to < list.length && to - from < PART.items && characters < PART.characters; to++)
      characters += charactersOf?.(list[to] as T) ?? 0;
    parts.push(serialize(list.slice(from, to)));
    from = to;
  }
  return parts;
}

const packed = (report: Report): Report<ListText> =>
  withValues(report, jsonTextOf, (items) => ({ length: items.length, texts: JSON.stringify(items.map(jsonTextOf)) }));
const charactersOf = (report: Report<ListText>): number =>
  report.e === 'done' ? String(report.output).length : report.e === 'items' ? report.items.texts.length : 0;

/**
 * What the other thread made of a frame, as frames of a part of its list each, which are taken one after the other. A hello
 * is taken as a whole; null while there is more of it to come. Throws `InvalidFrame`.
 */
export function* framesFromParts(made: FrameText): Generator<TakenFrame | null> {
  if ('fault' in made) throw new InvalidFrame(made.fault);
  const { frame, parts } = made;
  if (frame.t === 'hello') {
    const running: typeof frame.running = [];
    for (const part of parts) {
      const some: typeof frame.running = deserialize(part);
      running.push(...some);
      yield null;
    }
    yield { ...frame, running };
  } else if (parts.length === 0) yield withPart(frame, serialize([]));
  else for (const part of parts) yield withPart(frame, part);
}

function withPart(frame: Exclude<WorkerFrame<ListText>, { t: 'hello' }>, part: Uint8Array): TakenFrame {
  switch (frame.t) {
    case 'report': {
      const items: typeof frame.items = deserialize(part);
      return { ...frame, items: items.map(unpacked) };
    }
    case 'metrics':
      return { ...frame, points: deserialize(part) };
    case 'progress':
      return { ...frame, items: deserialize(part) };
    case 'gone':
      return { ...frame, leases: deserialize(part) };
    default:
      return frame;
  }
}

const unpacked = (report: Report<ListText>): Report<JsonTexts> =>
  withValues(
    report,
    // The frame keeps outputs as text.
    (text) => new JsonSource(text as string),
    ({ length, texts }) => new JsonTexts(length, texts),
  );

function withValues<A, B>(report: Report<A>, output: (value: unknown) => unknown, items: (list: A) => B): Report<B> {
  if (report.e === 'done') return { ...report, output: output(report.output) };
  return report.e === 'items' ? { ...report, items: items(report.items) } : report;
}

/** The lists of frames, by their `t`. */
const LISTS: Readonly<Record<string, string>> = {
  hello: 'running',
  report: 'items',
  metrics: 'points',
  progress: 'items',
  gone: 'leases',
};

function lengthFault(frame: Record<string, unknown>, most: number): string | null {
  const name = LISTS[String(frame['t'])];
  const list = name === undefined ? undefined : frame[name];
  return Array.isArray(list) && list.length > most
    ? `${name} has ${list.length} items; the limit workerFrameItems is ${most}`
    : null;
}

function faultIn(frame: Record<string, unknown>): string | null {
  switch (frame['t']) {
    case 'hello':
      return helloFault(frame);
    case 'beat':
      return ['cpu', 'memory', 'memoryTotal', 'running'].every((key) => isFinite(frame[key]))
        ? null
        : 'cpu, memory, memoryTotal and running must be numbers';
    case 'report':
      return Array.isArray(frame['items']) && frame['items'].every(isReport) ? null : 'items must be a list of reports';
    case 'metrics':
      return Array.isArray(frame['points']) && frame['points'].every(isPoint)
        ? null
        : 'points must be a list of metric points';
    case 'progress':
      return Array.isArray(frame['items']) && frame['items'].every(isProgress)
        ? null
        : 'items must be a list of {id, attempt, fraction, message}';
    case 'gone':
      return isLeases(frame['leases']) ? null : 'leases must be a list of {id, attempt}';
    case 'drain':
    case 'bye':
      return null;
    default:
      return 'this "t" is not known';
  }
}

function helloFault(frame: Record<string, unknown>): string | null {
  const { protocol, workerId, version, url, capacity, labels, handlers, only, ahead, running } = frame;
  if (!Number.isInteger(protocol)) return 'protocol must be a whole number';
  if (workerId !== null && !(typeof workerId === 'string' && /^[0-9a-f-]{36}$/.test(workerId)))
    return 'workerId must be null or a lower-case UUID';
  if (!isText(version, HELLO.versionChars) || !isText(url, HELLO.urlChars))
    return `version and url must be strings of at most ${HELLO.versionChars} and ${HELLO.urlChars} characters`;
  if (!isInteger(capacity) || capacity < 1 || capacity > CAPACITY_MAX)
    return `capacity must be a whole number from 1 to ${CAPACITY_MAX}`;
  if (
    !isRecord(labels) ||
    Object.keys(labels).length > HELLO.labels ||
    !Object.entries(labels)
      .flat()
      .every((text) => isText(text, HELLO.labelChars))
  )
    return `labels must be an object of at most ${HELLO.labels} strings of ${HELLO.labelChars} characters`;
  if (
    !Array.isArray(handlers) ||
    handlers.length > HELLO.handlers ||
    !handlers.every((name): name is string => isText(name, HELLO.handlerChars)) ||
    handlers.reduce((sum, name) => sum + name.length, 0) > HELLO.allHandlerChars
  )
    return `handlers must be a list of at most ${HELLO.handlers} names of ${HELLO.handlerChars} characters, and ${HELLO.allHandlerChars} in all`;
  if (only !== undefined && only !== 'handlers') return 'only must be "handlers", or absent';
  if (ahead !== undefined && typeof ahead !== 'boolean') return 'ahead must be true, false or absent';
  if (!isLeases(running)) return 'running must be a list of {id, attempt}';
  return null;
}

function isReport(value: unknown): value is Report {
  if (
    !isRecord(value) ||
    !isText(value['id'], ID_CHARS) ||
    !Number.isInteger(value['attempt']) ||
    !isFinite(value['at'])
  )
    return false;
  switch (value['e']) {
    case 'start':
      return true;
    case 'done':
      return isFinite(value['startedAt']) && (value['port'] === undefined || isOneOf(['true', 'false'], value['port']));
    case 'items':
      return (
        isFinite(value['startedAt']) &&
        Number.isInteger(value['first']) &&
        Array.isArray(value['items']) &&
        typeof value['more'] === 'boolean'
      );
    case 'fail':
      return (value['startedAt'] === null || isFinite(value['startedAt'])) && isFailure(value['error']);
    default:
      return false;
  }
}

function isFailure(value: unknown): boolean {
  if (
    !isRecord(value) ||
    typeof value['code'] !== 'string' ||
    typeof value['message'] !== 'string' ||
    typeof value['retryable'] !== 'boolean'
  )
    return false;
  if (value['stack'] !== undefined && !isStack(value['stack'])) return false;
  return (
    value['retryAfterSeconds'] === undefined ||
    (isFinite(value['retryAfterSeconds']) && value['retryAfterSeconds'] >= 0)
  );
}

const isStack = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= STACK_FRAMES && value.every(isStackFrame);

const isStackFrame = (frame: unknown): boolean =>
  isRecord(frame) &&
  [frame['line'], frame['column']].every((place) => Number.isSafeInteger(place) && Number(place) > 0) &&
  (frame['function'] === null || isText(frame['function'], FRAME_NAME_CHARS)) &&
  Object.keys(frame).length === 3;

function isPoint(value: unknown): boolean {
  if (
    !isRecord(value) ||
    !isFinite(value['time']) ||
    typeof value['measurement'] !== 'string' ||
    !isRecord(value['tags']) ||
    !isRecord(value['fields'])
  )
    return false;
  return (
    Object.values(value['tags']).every((tag) => typeof tag === 'string') &&
    Object.values(value['fields']).every(isFinite)
  );
}

function isProgress(value: unknown): boolean {
  if (
    !isRecord(value) ||
    !isText(value['id'], ID_CHARS) ||
    !Number.isInteger(value['attempt']) ||
    !isFinite(value['fraction'])
  )
    return false;
  return (
    value['message'] === null || (typeof value['message'] === 'string' && value['message'].length <= PROGRESS_CHARS)
  );
}

const isLeases = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((lease) => isRecord(lease) && isText(lease['id'], ID_CHARS) && Number.isInteger(lease['attempt']));
const isText = (value: unknown, most: number): boolean => typeof value === 'string' && value.length <= most;
const isInteger = (value: unknown): value is number => Number.isInteger(value);
const isFinite = (value: unknown): value is number => Number.isFinite(value);
