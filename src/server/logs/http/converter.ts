import { threadFile } from '../../../lib/thread-file.ts';
import { createThread } from '../../offload/thread.ts';
import { Refusal } from './answer.ts';
import { badDocument, bulkLines, type BulkConverted, type Converted } from './convert.ts';
import type { ConvertMethods } from './convert-thread.ts';
import { lokiLines, lokiProtobuf } from './convert-loki.ts';
import { otlpJson, otlpProtobuf } from './convert-otlp.ts';
import { TooLong } from './growth.ts';
import { sizeOf, unsnappy } from './snappy.ts';

/** Bytes that are given are handed over: do not use them afterwards. */
export interface Converter {
  bulk(body: Buffer): Promise<BulkConverted>;
  /** `form`: how the body is written. */
  loki(body: Buffer, form: 'json' | 'protobuf', plain: boolean, most: number): Promise<Converted[]>;
  /** A request of OTLP with log lines. `most`: characters of lines that it may become. */
  otlp(body: Buffer, form: 'json' | 'protobuf', most: number): Promise<Converted[]>;
  unsnappy(body: Buffer, most: number): Promise<Buffer<ArrayBuffer>>;
  badDocument(ndjson: Buffer): Promise<number>;
  close(): Promise<void>;
}

/** Bytes from which a body is converted in the thread: less takes about a millisecond. */
const HEAVY_BYTES = 128 * 1024;
/** The same of the lines that a body becomes. */
const HEAVY_CHARS = 1024 * 1024;

/** Converts bodies, large ones in a thread that is started when the first of them comes. */
export function createConverter(): Converter {
  const thread = createThread<ConvertMethods>({
    file: threadFile(import.meta.url, './convert-thread.ts', 'log-convert-thread.js'),
    name: 'the log body parser thread',
    data: () => null,
    memory: () => ({ youngMb: 12 }),
    lost: () => new Refusal(503, 'the log body parser thread ended: try again', 1),
    failed: ({ detail, extra }) =>
      typeof extra['status'] === 'number' ? new Refusal(extra['status'], detail) : new Refusal(500, 'internal error'),
  });
  /** What comes from a thread is bytes without Node's methods. */
  const bytesOf = (bytes: Uint8Array<ArrayBuffer>): Buffer<ArrayBuffer> =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const revived = <T extends Converted>(one: T): T => ({ ...one, ndjson: bytesOf(one.ndjson) });

  /** Short bodies here, unless they become long. */
  async function grown(
    body: Buffer,
    most: number,
    here: (most: number) => Converted[],
    there: () => Promise<Converted[]>,
  ): Promise<Converted[]> {
    if (body.length < HEAVY_BYTES)
      try {
        return here(Math.min(most, HEAVY_CHARS));
      } catch (error) {
        if (!(error instanceof TooLong) || most <= HEAVY_CHARS) throw error;
      }
    return (await there()).map(revived);
  }

  return {
    bulk: async (body) => (body.length < HEAVY_BYTES ? bulkLines(body) : revived(await thread.call('bulkLines', body))),
    loki: (body, form, plain, most) =>
      grown(
        body,
        most,
        (limit) => (form === 'json' ? lokiLines(body, plain, limit) : lokiProtobuf(body, plain, limit)),
        () => thread.call(form === 'json' ? 'lokiLines' : 'lokiProtobuf', body, plain, most),
      ),
    otlp: (body, form, most) =>
      grown(
        body,
        most,
        (limit) => (form === 'json' ? otlpJson(body, limit) : otlpProtobuf(body, limit)),
        () => thread.call(form === 'json' ? 'otlpJson' : 'otlpProtobuf', body, most),
      ),
    unsnappy: async (body, most) =>
      sizeOf(body) < HEAVY_BYTES ? unsnappy(body, most) : bytesOf(await thread.call('unsnappy', body, most)),
    badDocument: async (ndjson) =>
      ndjson.length < HEAVY_BYTES ? badDocument(ndjson) : thread.call('badDocument', ndjson),
    close: () => thread.close(),
  };
}
