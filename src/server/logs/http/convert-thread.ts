import { parentPort, type MessagePort } from 'node:worker_threads';
import { Refusal } from './answer.ts';
import { badDocument, bulkLines, lokiLines } from './convert.ts';

/** Converts bodies that are too large for the master's own loop. */
const WORK = { bulkLines, lokiLines, badDocument } as const;

const port = parentPort as MessagePort;
port.on('message', ({ id, work, body, plain }: { id: number; work: keyof typeof WORK; body: Uint8Array<ArrayBuffer>; plain: boolean }) => {
  try {
    const result = WORK[work](Buffer.from(body.buffer, body.byteOffset, body.length), plain);
    port.postMessage({ id, result });
  } catch (error) {
    port.postMessage({ id, refused: error instanceof Refusal ? { status: error.status, message: error.message } : { status: 500, message: 'internal error' } });
  }
});
