import { threadFile } from '../../../lib/thread-file.ts';
import { createThread } from '../../offload/thread.ts';
import { Refusal } from './answer.ts';
import { badDocument, bulkLines, type BulkConverted, type Converted } from './convert.ts';
import type { ConvertMethods } from './convert-thread.ts';
import { lokiLines, lokiProtobuf } from './convert-loki.ts';
import { sizeOf, unsnappy } from './snappy.ts';

/** Bytes that are given are handed over: do not use them afterwards. */
export interface Converter {
  bulk(body: Buffer): Promise<BulkConverted>;
  /** `form`: how the body is written. */
  loki(body: Buffer, form: 'json' | 'protobuf', plain: boolean): Promise<Converted[]>;
  unsnappy(body: Buffer, most: number): Promise<Buffer<ArrayBuffer>>;
  badDocument(ndjson: Buffer): Promise<number>;
  close(): Promise<void>;
}

/** Bytes from which a body is converted in the thread: less takes about a millisecond. */
const HEAVY_BYTES = 128 * 1024;

/** Converts bodies, large ones in a thread that is started when the first of them comes. */
export function createConverter(): Converter {
  const thread = createThread<ConvertMethods>({
    file: threadFile(import.meta.url, './convert-thread.ts', 'log-convert-thread.js'),
    name: 'the body parser thread',
    data: () => null,
    memory: () => ({ youngMb: 12 }),
    lost: () => new Refusal(503, 'the body parser thread ended: try again', 1),
    failed: ({ detail, extra }) =>
      typeof extra['status'] === 'number' ? new Refusal(extra['status'], detail) : new Refusal(500, 'internal error'),
  });
  /** What comes from a thread is bytes without Node's methods. */
  const bytesOf = (bytes: Uint8Array<ArrayBuffer>): Buffer<ArrayBuffer> =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const revived = <T extends Converted>(one: T): T => ({ ...one, ndjson: bytesOf(one.ndjson) });

  return {
    bulk: async (body) => (body.length < HEAVY_BYTES ? bulkLines(body) : revived(await thread.call('bulkLines', body))),
    async loki(body, form, plain) {
      if (body.length < HEAVY_BYTES) return form === 'json' ? lokiLines(body, plain) : lokiProtobuf(body, plain);
      return (await thread.call(form === 'json' ? 'lokiLines' : 'lokiProtobuf', body, plain)).map(revived);
    },
    unsnappy: async (body, most) =>
      sizeOf(body) < HEAVY_BYTES ? unsnappy(body, most) : bytesOf(await thread.call('unsnappy', body, most)),
    badDocument: async (ndjson) =>
      ndjson.length < HEAVY_BYTES ? badDocument(ndjson) : thread.call('badDocument', ndjson),
    close: () => thread.close(),
  };
}
