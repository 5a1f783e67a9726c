import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { serveThread, threadData } from '../../offload/serve-thread.ts';
import type { ReplicaPosition } from './apply-turns.ts';
import { compressChunk } from './chunks.ts';
import { CHUNK_BYTES, type CopyInfo } from './working-copy.ts';

/** Copies the working copy of a standby, which another thread goes on writing to meanwhile. */
export interface SnapshotData {
  file: string;
}

const { file } = threadData<SnapshotData>();
const COPY = `${file}.snapshot`;

const methods = {
  copy(): CopyInfo {
    rmSync(COPY, { force: true });
    const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 });
    try {
      db.prepare('VACUUM INTO ?').run(COPY);
    } finally {
      db.close();
    }
    const copied = new Database(COPY, { readonly: true });
    try {
      // What it holds stands in it: the file itself may be further by now.
      const at = copied.prepare<[], ReplicaPosition>('SELECT epoch, turn, schema FROM journal_position').get();
      if (!at) throw new Error('there is nothing to copy yet');
      const bytes =
        Number(copied.pragma('page_count', { simple: true })) * Number(copied.pragma('page_size', { simple: true }));
      return { ...at, bytes, chunks: Math.ceil(bytes / CHUNK_BYTES) };
    } finally {
      copied.close();
    }
  },
  readChunk(index: number): Uint8Array {
    const fd = openSync(COPY, 'r');
    try {
      const buffer = Buffer.alloc(CHUNK_BYTES);
      const length = readSync(fd, buffer, 0, CHUNK_BYTES, index * CHUNK_BYTES);
      return new Uint8Array(compressChunk(buffer.subarray(0, length)));
    } finally {
      closeSync(fd);
    }
  },
};
export type SnapshotMethods = typeof methods;
serveThread(methods);
