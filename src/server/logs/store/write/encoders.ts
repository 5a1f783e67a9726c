import { availableParallelism } from 'node:os';
import { deserialize } from 'node:v8';
import type { NamedSecret } from '../../../../lib/redact.ts';
import { threadFile } from '../../../../lib/thread-file.ts';
import { createThread } from '../../../offload/thread.ts';
import type { EncodedBatches, NewBatch } from './batch-encoder.ts';
import type { EncoderData, EncoderMethods } from './encoder-thread.ts';
import type { LineLimits } from './line-keys.ts';

/** Threads that encode batches beside the one that writes. Each starts when it is needed, and ends when it had nothing to do for a while. */
export interface Encoders {
  readonly count: number;
  /** One has nothing to do. */
  free(): boolean;
  /** By one that is free. The bytes of the batches are handed over. Rejects where the thread ends before it is done. */
  encode(batches: readonly NewBatch[], at: number, from: number): Promise<EncodedBatches>;
  /** From the next batches on. */
  redact(secrets: readonly NamedSecret[]): void;
  end(): Promise<void>;
}

/** Ended when it had nothing to encode for so long, to give its memory back. */
const IDLE_MS = 10_000;
/** More have nothing to do: the main thread has to hand them what senders send. */
const MOST = 3;
const PROCESSORS = availableParallelism();

/** `count`: as many as there are processors; where there is one, the thread that writes does without. */
export function createEncoders(
  limits: LineLimits,
  { count = PROCESSORS > 1 ? Math.min(MOST, PROCESSORS) : 0, idleMs = IDLE_MS } = {},
): Encoders {
  let secrets: readonly NamedSecret[] = [];
  const all = Array.from({ length: count }, () => ({
    busy: false,
    thread: createThread<EncoderMethods>({
      file: threadFile(import.meta.url, './encoder-thread.ts', 'log-encoder.js'),
      name: 'a log encoder thread',
      data: () => ({ limits }) satisfies EncoderData,
      idleMs,
      onStart: (call) => call('redact', secrets),
    }),
  }));
  return {
    count,
    free: () => all.some(({ busy }) => !busy),
    async encode(batches, at, from) {
      const one = all.find(({ busy }) => !busy);
      if (!one) throw new Error('each log encoder thread is busy');
      one.busy = true;
      try {
        const given = batches.map((batch) => ({ ...batch, ndjson: alone(batch.ndjson) }));
        const bytes = given.map(({ ndjson }) => ndjson);
        return deserialize(await one.thread.send('encode', [given, at, from], bytes)) as EncodedBatches;
      } finally {
        one.busy = false;
      }
    },
    redact(given) {
      secrets = given;
      for (const { thread } of all) thread.notify('redact', secrets);
    },
    end: async () => void (await Promise.all(all.map(({ thread }) => thread.close()))),
  };
}

/** A part of bytes would take the whole of them along. */
const alone = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength < bytes.buffer.byteLength ? bytes.slice() : bytes;
