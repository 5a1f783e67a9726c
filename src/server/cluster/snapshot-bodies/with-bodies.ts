import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { LIMITS } from '../../../contract/limits.ts';
import { Fault } from '../../../lib/fault.ts';
import type { JournalDatabase } from '../journal/port.ts';
import { bucketBodies } from './bucket.ts';
import { folderBodies } from './folder.ts';
import type { SnapshotBodies } from './port.ts';
import { isBucketUrl, openBucket } from './s3-client.ts';

/** Bodies in a bucket (`s3://BUCKET/PREFIX`) or a folder, apart for each cluster. Throws USAGE. */
export function openBodies(
  where: string,
  clusterId: string,
  env: Readonly<Record<string, string | undefined>>,
  objectBytes: number = LIMITS.snapshotObjectBytes,
): SnapshotBodies {
  return isBucketUrl(where)
    ? bucketBodies(openBucket(where, clusterId, env), objectBytes)
    : folderBodies(join(where, clusterId));
}

const SUM_BYTES = 32;
const sumOf = (body: Uint8Array): Buffer => createHash('sha256').update(body).digest();

/**
 * Keeps the bodies of snapshots apart from PostgreSQL, which keeps the SHA-256 of each chunk: who can write the folder or the bucket
 * cannot make another state of it. What lies in PostgreSQL already is read from there.
 */
export function withBodies(database: JournalDatabase, bodies: SnapshotBodies): JournalDatabase {
  let writing: { readonly id: number; readonly sums: Buffer[] } | null = null;
  /** A restore goes through one snapshot from its beginning. */
  let sums: { readonly id: number; readonly read: Promise<Uint8Array | null> } | null = null;

  async function check(id: number, index: number, body: Uint8Array): Promise<Uint8Array> {
    if (index === 0 || sums?.id !== id) sums = { id, read: database.snapshotSums(id) };
    const known = await sums.read;
    if (known !== null && !sumOf(body).equals(known.subarray(index * SUM_BYTES, (index + 1) * SUM_BYTES)))
      throw new Fault('STORE_CORRUPT', `chunk ${index} of the snapshot ${id} is not the one that was put there`);
    return body;
  }

  return {
    ...database,
    async beginSnapshot(at, schema, by) {
      const id = await database.beginSnapshot(at, schema, by);
      await bodies.begin(id);
      writing = { id, sums: [] };
      return id;
    },
    async putSnapshotChunk(id, index, body) {
      if (writing?.id === id) writing.sums.push(sumOf(body));
      await bodies.put(id, index, body);
    },
    async endSnapshot(id, bytes, chunks) {
      await bodies.end(id);
      if (writing?.id === id) await database.putSnapshotSums(id, Buffer.concat(writing.sums));
      await database.endSnapshot(id, bytes, chunks);
    },
    async snapshotChunk(id, index) {
      const body = await bodies.chunk(id, index);
      return body === null ? database.snapshotChunk(id, index) : check(id, index, body);
    },
    async trim(keep) {
      // One that another master begins meanwhile is not among these, or PostgreSQL knows of it.
      const there = await bodies.ids();
      await database.trim(keep);
      const known = new Set(await database.snapshotIds());
      for (const id of there) if (!known.has(id)) await bodies.drop(id);
    },
  };
}
