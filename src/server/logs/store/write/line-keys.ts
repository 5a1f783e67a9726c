import { fieldSeed } from '../blocks/bloom.ts';
import { bytesOf, type Field, type Rows } from '../blocks/rows.ts';
import type { LogBatch } from '../port.ts';

export interface LineLimits {
  lineBytes: number;
  fields: number;
  nameBytes: number;
}

/** Made here, never taken. */
export const OWN: ReadonlySet<string> = new Set(['_time', '_stream', '_stream_id']);
/** A line break, which stands in no line. */
const NEVER = Buffer.of(0x0a);
/** Names of a batch that are remembered: one with more, mostly different ones, would fill the memory with them. */
const REMEMBERED = 16_384;

/** A name as lines use it: what it means, and the column that it goes to. */
export interface Key {
  readonly name: string;
  readonly seed: number;
  /** As it begins in a line: `"name":`. */
  readonly token: Uint8Array;
  readonly ignored: boolean;
  /** Its values are kept without colours; its objects as JSON. */
  readonly plain: boolean;
  readonly whole: boolean;
  /** How early it stands in the list of names for the time, and for the message; -1: it does not. */
  readonly time: number;
  readonly message: number;
  /** Its values wait for the end of their line: one may be the time or the message. */
  readonly waits: boolean;
  readonly inner: Map<string, Key>;
  rows: Rows | null;
  field: Field | null;
}

/** What the names in the lines of one batch mean. `keyOf` gives the key of the name that `piece` holds. */
export function createKeys(
  options: LogBatch['options'],
  limits: LineLimits,
  piece: { readonly bytes: Buffer; readonly start: number; readonly end: number },
) {
  const timeNames = options.timeFields.map(bytesOf);
  const messageNames = options.messageFields.map(bytesOf);
  const ignored = options.ignoreFields.map(bytesOf);
  const plain = options.plainFields?.map(bytesOf) ?? [];
  const whole = options.jsonFields?.map(bytesOf) ?? [];
  const claimed = new Set(options.claimedFields?.map(bytesOf));
  const ownName = (name: string): string => (claimed.has(name) ? `claimed_${name}` : name);
  const top = new Map<string, Key>();
  const made: Key[] = [];

  /** What is in use goes on as it is, and is not found again. */
  function forgetAll(): void {
    for (const key of made) key.inner.clear();
    made.length = 0;
    top.clear();
  }
  const isIgnored = (name: string) => name === '' || OWN.has(name) || isAmong(ignored, name);
  function keyOf(parent: Key | null): Key {
    const raw = piece.bytes.toString('latin1', piece.start, piece.end);
    const known = (parent?.inner ?? top).get(raw);
    if (known) return known;
    const name = ownName(cut(parent ? `${parent.name}.${raw}` : raw, limits.nameBytes));
    const time = timeNames.indexOf(name);
    const message = messageNames.indexOf(name);
    // A name that escapes stood in does not look like this in a line.
    const token = /["\\]|[^\u0020-\uffff]/.test(raw) ? NEVER : Buffer.from(`"${raw}":`, 'latin1');
    const key: Key = {
      name,
      seed: fieldSeed(name),
      token,
      ignored: time < 0 && isIgnored(name),
      plain: isAmong(plain, name),
      whole: whole.includes(name),
      time,
      message,
      waits: time >= 0 || message >= 0 || name === '_msg',
      inner: new Map(),
      rows: null,
      field: null,
    };
    if (made.length >= REMEMBERED) forgetAll();
    made.push(key);
    (parent?.inner ?? top).set(raw, key);
    return key;
  }

  return { ownName, keyOf };
}

/** True for a name of the list, or one that begins as an entry with `*` at its end says. */
const isAmong = (list: readonly string[], name: string): boolean =>
  list.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name));

/** At most so many bytes, no character in halves. */
function cut(name: string, most: number): string {
  if (name.length <= most) return name;
  let end = most;
  while (end > 0 && (name.charCodeAt(end) & 0xc0) === 0x80) end--;
  return name.slice(0, end);
}
