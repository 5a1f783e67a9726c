import { serialize } from 'node:v8';
import type { NamedSecret } from '../../../../lib/redact.ts';
import { releaseBytes } from '../../../../lib/own-buffer.ts';
import { serveThread, threadData } from '../../../offload/serve-thread.ts';
import { createBatchEncoder, type NewBatch } from './batch-encoder.ts';
import type { LineLimits } from './line-keys.ts';

/** Turns batches into blocks beside the thread that writes, which puts them in place. It holds no file. */
export interface EncoderData {
  limits: LineLimits;
}

const { limits } = threadData<EncoderData>();
const encoder = createBatchEncoder(limits);

const methods = {
  /** Serialized `EncodedBatches`: bytes of blocks lie in buffers that they share, which cannot be handed over. */
  encode: (batches: readonly NewBatch[], at: number, from: number) => {
    let next = from;
    const arrival = () => next++;
    const encoded = encoder.encode(batches, { at, arrival, known: () => undefined, turnMs: Infinity });
    for (const { ndjson } of batches) releaseBytes(ndjson);
    return new Uint8Array(serialize(encoded));
  },
  redact: (secrets: readonly NamedSecret[]) => encoder.redact(secrets),
};
export type EncoderMethods = typeof methods;
serveThread(methods);
