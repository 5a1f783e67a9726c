import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { serveCalls } from '../../lib/thread-calls.ts';
import { createPipeline } from './pipeline.ts';
import { presented, type StoredRecord } from './record.ts';

/** The thread that takes lines over TCP and gives them on as batches. */
export interface LogThreadData {
  host: string;
  lineBytes: number;
  queueBytes: number;
}
export type LogEvent = { kind: 'batch'; id: number; text: string; records: number } | { kind: 'say'; line: string };

const FLUSH_MS = 100;
/** A batch is at most about this size (contract §8: 1 MB). */
const BATCH_BYTES = 1_000_000;

const data = workerData as LogThreadData;
/** Bytes of each batch that is not kept yet. */
const out = new Map<number, number>();
let queue: StoredRecord[] = [];
let bytes = 0;
let held = 0;
let last = 0;
let timer: NodeJS.Timeout | null = null;

const pipeline = createPipeline({
  host: data.host,
  lineBytes: data.lineBytes,
  now: Date.now,
  accept(records, size) {
    for (const record of records) queue.push(record);
    bytes += size;
    held += size;
    if (bytes >= BATCH_BYTES) flush();
    else timer ??= setTimeout(flush, FLUSH_MS);
    return held < data.queueBytes;
  },
});
const thread = serveCalls(parentPort as MessagePort, {
  listen: pipeline.listen,
  kept(id: number) {
    held -= out.get(id) ?? 0;
    out.delete(id);
    if (held < data.queueBytes) pipeline.resume();
  },
  async close() {
    await pipeline.close();
    flush();
  },
});

function flush(): void {
  if (timer) clearTimeout(timer);
  timer = null;
  if (queue.length === 0) return;
  out.set(++last, bytes);
  thread.tell({ kind: 'batch', id: last, records: queue.length, text: queue.map((record) => JSON.stringify(presented(record))).join('\n') } satisfies LogEvent);
  queue = [];
  bytes = 0;
}
