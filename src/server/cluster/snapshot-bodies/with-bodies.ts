import { join } from 'node:path';
import { LIMITS } from '../../../contract/limits.ts';
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

/** Keeps the bodies of snapshots apart from PostgreSQL. What lies there already is read from there. */
export function withBodies(database: JournalDatabase, bodies: SnapshotBodies): JournalDatabase {
  return {
    ...database,
    async beginSnapshot(at, schema, by) {
      const id = await database.beginSnapshot(at, schema, by);
      await bodies.begin(id);
      return id;
    },
    putSnapshotChunk: (id, index, body) => bodies.put(id, index, body),
    async endSnapshot(id, bytes, chunks) {
      await bodies.end(id);
      await database.endSnapshot(id, bytes, chunks);
    },
    snapshotChunk: async (id, index) => (await bodies.chunk(id, index)) ?? database.snapshotChunk(id, index),
    async trim(keep) {
      // One that another master begins meanwhile is not among these, or PostgreSQL knows of it.
      const there = await bodies.ids();
      await database.trim(keep);
      const known = new Set(await database.snapshotIds());
      for (const id of there) if (!known.has(id)) await bodies.drop(id);
    },
  };
}
