import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../../lib/start-worker.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { Refusal } from './answer.ts';
import { badDocument, bulkLines, type BulkConverted, type Converted } from './convert.ts';
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

type Reply = { id: number; result: unknown } | { id: number; refused: { status: number; message: string } };

/** Converts bodies, large ones in a thread that is started when the first of them comes. */
export function createConverter(): Converter {
  let worker: Worker | null = null;
  let last = 0;
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: unknown): void }>();

  function start(): Worker {
    const started = startWorker(threadFile(import.meta.url, './convert-thread.ts', 'log-convert-thread.js'), {
      youngMb: 12,
    });
    started.unref();
    started.on('message', (reply: Reply) => {
      const call = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('result' in reply) call?.resolve(reply.result);
      else call?.reject(new Refusal(reply.refused.status, reply.refused.message));
    });
    const over = () => {
      if (worker === started) worker = null;
      for (const { reject } of waiting.values())
        reject(new Refusal(503, 'the thread that reads large bodies ended: try again', 1));
      waiting.clear();
    };
    started.on('error', over);
    started.on('exit', over);
    return started;
  }
  function ask<T>(work: string, body: Buffer, how?: unknown): Promise<T> {
    return new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      (worker ??= start()).postMessage(
        { id, work, body, how },
        body.buffer instanceof ArrayBuffer && body.length === body.buffer.byteLength ? [body.buffer] : [],
      );
    });
  }
  /** What comes from a thread is bytes without Node's methods. */
  const bytesOf = (bytes: Uint8Array<ArrayBuffer>): Buffer<ArrayBuffer> =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const revived = <T extends Converted>(one: T): T => ({ ...one, ndjson: bytesOf(one.ndjson) });

  return {
    bulk: async (body) =>
      body.length < HEAVY_BYTES ? bulkLines(body) : revived(await ask<BulkConverted>('bulkLines', body)),
    async loki(body, form, plain) {
      if (body.length < HEAVY_BYTES) return form === 'json' ? lokiLines(body, plain) : lokiProtobuf(body, plain);
      return (await ask<Converted[]>(form === 'json' ? 'lokiLines' : 'lokiProtobuf', body, plain)).map(revived);
    },
    unsnappy: async (body, most) =>
      sizeOf(body) < HEAVY_BYTES
        ? unsnappy(body, most)
        : bytesOf(await ask<Buffer<ArrayBuffer>>('unsnappy', body, most)),
    badDocument: async (ndjson) =>
      ndjson.length < HEAVY_BYTES ? badDocument(ndjson) : ask<number>('badDocument', ndjson),
    async close() {
      await worker?.terminate();
    },
  };
}
