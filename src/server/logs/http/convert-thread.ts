import { parentPort, type MessagePort } from 'node:worker_threads';
import { Refusal } from './answer.ts';
import { badDocument, bulkLines } from './convert.ts';
import { lokiLines, lokiProtobuf } from './convert-loki.ts';
import { unsnappy } from './snappy.ts';

/** Converts bodies that are too large for the master's own loop. */
const WORK: Readonly<Record<string, (body: Buffer, how: never) => unknown>> = {
  bulkLines,
  lokiLines,
  lokiProtobuf,
  badDocument,
  unsnappy,
};

const port = parentPort as MessagePort;
port.on(
  'message',
  ({ id, work, body, how }: { id: number; work: string; body: Uint8Array<ArrayBuffer>; how: never }) => {
    try {
      const result = WORK[work]?.(Buffer.from(body.buffer, body.byteOffset, body.length), how);
      port.postMessage({ id, result }, buffersOf(result));
    } catch (error) {
      port.postMessage({
        id,
        refused:
          error instanceof Refusal
            ? { status: error.status, message: error.message }
            : { status: 500, message: 'internal error' },
      });
    }
  },
);

/** The memory of bytes in a result that share it with no others: it is handed over. */
function buffersOf(result: unknown): ArrayBuffer[] {
  if (result instanceof Uint8Array)
    return result.buffer instanceof ArrayBuffer && result.length === result.buffer.byteLength ? [result.buffer] : [];
  return typeof result === 'object' && result !== null ? Object.values(result).flatMap(buffersOf) : [];
}
