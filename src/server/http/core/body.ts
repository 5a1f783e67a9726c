import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { IncomingHttpHeaders } from 'node:http';
import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseJsonBoth } from '../../../lib/json.ts';
import { assertJsonShape } from './json-shape.ts';
import type { Stranger } from './strangers.ts';

/** The longest that a body over the limit is drained, so that its sender reads the answer. */
const DRAIN_MS = 10_000;
const MEDIA_TYPE = /^application\/json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;
const NONE = Buffer.alloc(0);

/** Null, or why the body cannot be understood: its media type, charset or encoding. Decided before it is read. */
export function refuseMediaType(headers: IncomingHttpHeaders): Fault | null {
  const type = headers['content-type'];
  if (type !== 'application/json') {
    if (type === undefined)
      return new Fault('UNSUPPORTED_MEDIA_TYPE', 'content-type is missing; send application/json');
    if (!MEDIA_TYPE.test(type))
      return new Fault(
        'UNSUPPORTED_MEDIA_TYPE',
        `expected content-type application/json, got ${JSON.stringify(type.slice(0, 100))}`,
      );
    const charset = CHARSET.exec(type)?.[1];
    if (charset !== undefined && charset.toLowerCase() !== 'utf-8' && charset.toLowerCase() !== 'utf8')
      return new Fault(
        'UNSUPPORTED_MEDIA_TYPE',
        `expected charset utf-8, got ${JSON.stringify(charset.slice(0, 100))}`,
      );
  }
  const encoding = headers['content-encoding'];
  return encoding === undefined || encodingOf(encoding) !== undefined
    ? null
    : new Fault(
        'UNSUPPORTED_MEDIA_TYPE',
        `expected content-encoding gzip, deflate, br or identity, got ${JSON.stringify(encoding.slice(0, 100))}`,
      );
}

function encodingOf(header: string): 'identity' | 'gzip' | 'deflate' | 'br' | undefined {
  const name = header.trim().toLowerCase();
  if (name === 'x-gzip') return 'gzip';
  if (name === '') return 'identity';
  return name === 'identity' || name === 'gzip' || name === 'deflate' || name === 'br' ? name : undefined;
}

/**
 * Reads and decompresses a body of at most `limit` bytes; the limit holds after decompression. Of a larger one up to
 * twice the limit is read and thrown away before the fault is told; `unread` says that there was still more.
 */
export function readBody(
  source: Readable,
  headers: IncomingHttpHeaders,
  limit: number,
  done: (fault: Fault | null, body: Buffer, unread: boolean) => void,
  /** Counts it among those of strangers. */
  enter?: (cut: () => void) => Stranger,
): void {
  const encoding = encodingOf(headers['content-encoding'] ?? '') ?? 'identity';
  const decoder =
    encoding === 'identity'
      ? null
      : encoding === 'gzip'
        ? createGunzip()
        : encoding === 'br'
          ? createBrotliDecompress()
          : null;
  const chunks: Buffer[] = [];
  let inflate = decoder;
  let raw = 0;
  let size = 0;
  let ended = false;
  let finished = false;
  let over = Number(headers['content-length'] ?? 0) > limit;
  let timer: NodeJS.Timeout | undefined;
  const stranger = enter?.(() =>
    finish(
      new Fault('OVERLOADED', 'too many bodies of unknown senders are on their way: try again in a moment', {
        extra: { retryAfterSeconds: 2 },
      }),
      true,
    ),
  );

  function finish(fault: Fault | null, unread = false): void {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    stranger?.leave();
    source.off('data', onData);
    inflate?.destroy();
    done(fault, fault ? NONE : chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks), unread);
  }
  const tooLarge = () =>
    new Fault(
      'BODY_TOO_LARGE',
      `the body has more than ${limit} bytes${encoding === 'identity' ? '' : ' when decompressed'}; send fewer inputs per call`,
    );
  function exceed(): void {
    over = true;
    stranger?.leave();
    chunks.length = 0;
    // What is decompressed may turn out too large after all of it has come.
    if (ended) return finish(tooLarge());
    timer ??= setTimeout(() => finish(tooLarge(), true), DRAIN_MS);
  }
  function keep(chunk: Buffer): void {
    size += chunk.length;
    if (size > limit) return exceed();
    chunks.push(chunk);
    stranger?.grow(chunk.length);
  }
  function decode(first: Buffer): void {
    // "deflate" is zlib by the standard and bare deflate by habit; the first byte tells them apart.
    inflate ??= ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    inflate.on('data', (chunk: Buffer) => {
      if (!over) keep(chunk);
      if (over) inflate?.destroy();
    });
    inflate.on('end', () => finish(over ? tooLarge() : null));
    inflate.on('error', (error) =>
      finish(over ? tooLarge() : new Fault('INVALID_JSON', `the body is not valid ${encoding}: ${error.message}`)),
    );
  }
  function onData(chunk: Buffer): void {
    raw += chunk.length;
    if (raw > limit && !over) exceed();
    if (over) {
      if (raw > limit * 2) finish(tooLarge(), true);
      return;
    }
    if (encoding === 'identity') keep(chunk);
    else {
      if (raw === chunk.length) decode(chunk);
      inflate?.write(chunk);
    }
  }
  if (over) exceed();
  source.on('data', onData);
  source.on('end', () => {
    ended = true;
    if (over) finish(tooLarge());
    else if (encoding === 'identity' || raw === 0) finish(null);
    else inflate?.end();
  });
  source.on('error', () =>
    finish(new Fault('BAD_REQUEST', 'the connection closed before the whole body arrived'), true),
  );
  source.on('close', () => {
    if (!ended) finish(new Fault('BAD_REQUEST', 'the connection closed before the whole body arrived'), true);
  });
}

/** How much JSON a body of this route may hold. */
export function bodyLimits(
  route: string,
  { jsonDepth, jsonValues, batchJsonValues }: BodyLimits & { batchJsonValues: number },
): BodyLimits {
  return { jsonDepth, jsonValues: route === 'jobs.create' || route === 'jobs.rerun' ? batchJsonValues : jsonValues };
}

export interface BodyLimits {
  readonly jsonDepth: number;
  readonly jsonValues: number;
}

/** Parses a body, with every number as it came (lib/json) and with plain ones. Throws INVALID_JSON, BODY_TOO_LARGE. */
export function parseBody(body: Buffer, limits: BodyLimits): { value: unknown; plain: unknown } {
  if (!isUtf8(body)) throw new Fault('INVALID_JSON', 'the body is not valid UTF-8');
  assertJsonShape(body, limits);
  try {
    return parseJsonBoth(body.toString('utf8'));
  } catch (error) {
    throw new Fault(
      'INVALID_JSON',
      body.length === 0 ? 'the body is empty; send JSON' : errorMessage(error).slice(0, 300),
    );
  }
}
