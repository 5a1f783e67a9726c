import type { IncomingMessage } from 'node:http';
import { errorMessage } from '../../../lib/errors.ts';
import { createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Readable, Transform } from 'node:stream';
import { joinBytes } from '../../../lib/join-bytes.ts';
import type { SharedRoom } from '../../../lib/shared-room.ts';
import { Refusal } from './answer.ts';
import type { Converter } from './converter.ts';
import { sizeOf } from './snappy.ts';

/** Bytes of bodies that are held at the moment, over all requests. */
export interface HeldBytes {
  held: number;
  readonly most: number;
}

/** Each piece that comes out is a step of the event loop: few of some size are less work. */
const PIECES = { chunkSize: 64 * 1024 };
/** Less is not worth room of its own. */
const SHARED_BYTES = 64 * 1024;
/** A Map: the name comes from outside, and an object has names of its own such as `constructor`. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(PIECES)],
  ['x-gzip', () => createGunzip(PIECES)],
  ['deflate', () => createInflate(PIECES)],
  ['zstd', () => createZstdDecompress(PIECES)],
]);

/**
 * Reads a body of at most `most` bytes, counted after it was unpacked, so that no small body can become a huge one.
 * `done` gives its bytes back to the room, and to `shared`, whose memory is used where it is told. `otherwise`: how it is packed where no
 * header says so.
 */
export async function readBody(
  request: IncomingMessage,
  most: number,
  {
    room,
    converter,
    shared,
  }: { room: HeldBytes; converter: Pick<Converter, 'unsnappy'>; shared?: SharedRoom | undefined },
  otherwise: 'identity' | 'snappy' = 'identity',
): Promise<{ bytes: Buffer; done(): void }> {
  const encoding = (request.headers['content-encoding'] || otherwise).trim().toLowerCase();
  const packed = encoding === 'snappy';
  const make = DECODERS.get(encoding);
  if (!packed && make === undefined && encoding !== 'identity')
    throw new Refusal(
      400,
      `unsupported Content-Encoding ${JSON.stringify(encoding.slice(0, 50))}: expected gzip, deflate, zstd or snappy`,
    );
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most);
  // Not a pipeline: where the body is refused, the socket must live on for the answer.
  const decoder = make === undefined ? null : make();
  if (decoder)
    request
      .on('error', (error) => decoder.destroy(error))
      .on('close', () => request.complete || decoder.destroy(new Error('the compressed data ends too early')))
      .pipe(decoder);
  const source: Readable = decoder ?? request;

  const chunks: Buffer[] = [];
  let length = 0;
  const take = (bytes: number) => {
    length += bytes;
    room.held += bytes;
  };
  let open = true;
  const done = () => {
    if (open) room.held -= length;
    open = false;
  };
  try {
    // Without an encoding it gives buffers.
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      take(chunk.length);
      if (length > most) throw tooLarge(most);
      if (room.held > room.most) throw tooMany();
      chunks.push(chunk);
    }
    const isShared = shared !== undefined && !packed && length >= SHARED_BYTES;
    const whole = await joinBytes(chunks, isShared ? bufferOf(shared.take(length)) : Buffer.allocUnsafeSlow(length));
    if (isShared)
      return {
        bytes: whole,
        done() {
          if (open) shared.giveBack(whole);
          done();
        },
      };
    if (!packed) return { bytes: whole, done };
    const size = sizeOf(whole);
    if (size > most) throw tooLarge(most);
    take(size);
    if (room.held > room.most) throw tooMany();
    return { bytes: await converter.unsnappy(whole, most), done };
  } catch (error) {
    done();
    if (decoder) request.unpipe(decoder);
    decoder?.destroy();
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, `cannot read the body (Content-Encoding ${encoding}): ${errorMessage(error)}`);
  }
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);
const tooMany = () => new Refusal(503, 'too many bodies are being read: try again later', 1);
const tooLarge = (most: number) =>
  new Refusal(413, `the body has more than ${most} bytes after decompression: send smaller batches`);
