import type Database from 'better-sqlite3';
import { cryptoOnDemand } from '../../../../lib/crypto-on-demand.ts';
import { Fault } from '../../../../lib/fault.ts';
import { itemAt } from '../../../../lib/item-at.ts';
import type { Catalog, StoredBucket } from '../files/catalog.ts';
import { BUCKET } from '../files/head-db.ts';
import type { Bucket } from '../port.ts';

/** The buckets of a store, as its writer sees and changes them. `commit` runs a change of `head.db`. */
export function createBuckets({
  head,
  catalog,
  now,
  commit,
}: {
  readonly head: Database.Database;
  readonly catalog: Pick<Catalog, 'buckets' | 'refresh'>;
  now(): number;
  commit(change: () => void): void;
}) {
  function bucketOf(name: string): StoredBucket {
    for (const bucket of catalog.buckets.values()) if (bucket.name === name || bucket.id === name) return bucket;
    throw new Fault('BUCKET_NOT_FOUND', `the bucket "${name}" does not exist`);
  }

  function bucketChanged(change: () => void): void {
    commit(() => {
      change();
      head.prepare("UPDATE meta SET value = value + 1 WHERE name = 'generation'").run();
    });
    catalog.refresh();
  }

  const first = (): StoredBucket =>
    [...catalog.buckets.values()].find((one) => one.name === BUCKET) ?? itemAt([...catalog.buckets.values()], 0);

  return {
    /** By its name or its id. Throws BUCKET_NOT_FOUND. */
    named: bucketOf,
    /** That of the master itself. */
    first,
    list: (): readonly Bucket[] => [...catalog.buckets.values()].map(publicBucket),
    create(name: string, retentionSeconds: number): Bucket {
      if ([...catalog.buckets.values()].some((bucket) => bucket.name === name))
        throw new Fault('BUCKET_EXISTS', `bucket with name ${name} already exists`);
      bucketChanged(
        () =>
          void head
            .prepare('INSERT INTO bucket (hex, name, retention, created) VALUES (?, ?, ?, ?)')
            .run(cryptoOnDemand().randomBytes(8).toString('hex'), name, retentionSeconds, now()),
      );
      return publicBucket(bucketOf(name));
    },
    update(id: string, { name, retentionSeconds }: { name?: string; retentionSeconds?: number }): Bucket {
      const bucket = bucketOf(id);
      if (
        name !== undefined &&
        [...catalog.buckets.values()].some((other) => other.name === name && other.key !== bucket.key)
      )
        throw new Fault('BUCKET_EXISTS', `bucket with name ${name} already exists`);
      bucketChanged(
        () =>
          void head
            .prepare('UPDATE bucket SET name = ?, retention = ? WHERE id = ?')
            .run(name ?? bucket.name, retentionSeconds ?? bucket.retentionSeconds, bucket.key),
      );
      return publicBucket(bucketOf(bucket.id));
    },
    /** With its series, whose points are gone already. */
    remove: (bucket: StoredBucket) =>
      bucketChanged(() => {
        for (const table of ['series', 'field']) head.prepare(`DELETE FROM ${table} WHERE bucket = ?`).run(bucket.key);
        head.prepare('DELETE FROM bucket WHERE id = ?').run(bucket.key);
      }),
  };
}

const publicBucket = ({ id, name, retentionSeconds, createdAt }: StoredBucket): Bucket => ({
  id,
  name,
  retentionSeconds,
  createdAt,
});
