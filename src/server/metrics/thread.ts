import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { serveCalls } from '../../lib/thread-calls.ts';
import type { Chunk } from './buffer.ts';
import { openReader } from './reader.ts';
import { openWriter } from './writer.ts';

/** A thread of the metric room: `write` stores points, `read` answers queries. */
export type MetricThreadData = { role: 'write'; folder: string; most: number } | { role: 'read'; folder: string };

const port = parentPort as MessagePort;
const data = workerData as MetricThreadData;
if (data.role === 'read') {
  const reader = openReader(data.folder);
  serveCalls(port, { query: reader.query, close: reader.close });
} else {
  const writer = openWriter(data.folder, data.most);
  serveCalls(port, {
    append(chunk: Chunk) {
      writer.append(chunk);
      return writer.stats();
    },
    stats: writer.stats,
    close: writer.close,
  });
}
