import { ownBuffer } from '../../../lib/own-buffer.ts';
import { serveThread } from '../../offload/serve-thread.ts';
import { Refusal } from './answer.ts';
import { badDocument, bulkLines } from './convert.ts';
import { lokiLines, lokiProtobuf } from './convert-loki.ts';
import { otlpJson, otlpProtobuf } from './convert-otlp.ts';
import { unsnappy } from './snappy.ts';

/** What comes from another thread is bytes without Node's methods, and a refusal goes back with its status. */
const converts =
  <Args extends readonly unknown[], R>(convert: (body: Buffer, ...args: Args) => R) =>
  (body: Uint8Array, ...args: Args): R => {
    try {
      return convert(Buffer.from(body.buffer, body.byteOffset, body.length), ...args);
    } catch (error) {
      throw error instanceof Refusal ? Object.assign(error, { extra: { status: error.status } }) : error;
    }
  };

/** Converts bodies that are too large for the master's own loop. */
const methods = {
  bulkLines: converts(bulkLines),
  lokiLines: converts(lokiLines),
  lokiProtobuf: converts(lokiProtobuf),
  otlpJson: converts(otlpJson),
  otlpProtobuf: converts(otlpProtobuf),
  badDocument: converts(badDocument),
  unsnappy: converts(unsnappy),
};
export type ConvertMethods = typeof methods;
serveThread(methods, buffersIn);

function buffersIn(result: unknown): ArrayBuffer[] {
  if (result instanceof Uint8Array) return ownBuffer(result);
  return typeof result === 'object' && result !== null ? Object.values(result).flatMap(buffersIn) : [];
}
