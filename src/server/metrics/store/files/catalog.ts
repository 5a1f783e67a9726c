import type Database from 'better-sqlite3';
import { parseStored } from '../../../../lib/json.ts';
import type { Bucket, FieldType } from '../port.ts';

export const FIELD_TYPES: readonly FieldType[] = ['float', 'int', 'uint', 'bool', 'string'];

export interface Field {
  readonly id: number;
  readonly bucket: number;
  readonly measurement: string;
  readonly name: string;
  readonly type: FieldType;
}

/** Measurement and tags, without those that stand in the rows (`owner-key.ts`). */
export interface Series {
  readonly id: number;
  readonly bucket: number;
  readonly measurement: string;
  readonly tags: Readonly<Record<string, string>>;
}

export interface StoredBucket extends Bucket {
  readonly key: number;
}

interface BucketRow {
  id: number;
  hex: string;
  name: string;
  retention: number;
  created: number;
}

/** What the store knows by number: buckets, fields, series. Read from `head.db`, where new ones are added by the writer. */
export interface Catalog {
  readonly buckets: ReadonlyMap<number, StoredBucket>;
  readonly fields: ReadonlyMap<number, Field>;
  readonly series: ReadonlyMap<number, Series>;
  /** Of a bucket and measurement. */
  seriesOf(bucket: number, measurement: string): readonly Series[];
  measurements(bucket: number): string[];
  fieldsOf(bucket: number, measurement: string): readonly Field[];
  /** Takes in what was added since; all anew where something was taken away. */
  refresh(): void;
}

export function openCatalog(db: Database.Database): Catalog {
  const generationOf = db.prepare<[], number>("SELECT value FROM meta WHERE name = 'generation'").pluck();
  const bucketRows = db.prepare<[], BucketRow>('SELECT id, hex, name, retention, created FROM bucket');
  const fieldRows = db.prepare<
    [number],
    { id: number; bucket: number; measurement: string; name: string; type: number }
  >('SELECT id, bucket, measurement, name, type FROM field WHERE id > ? ORDER BY id');
  const seriesRows = db.prepare<[number], { id: number; bucket: number; measurement: string; tags: string }>(
    'SELECT id, bucket, measurement, tags FROM series WHERE id > ? ORDER BY id',
  );
  const buckets = new Map<number, StoredBucket>();
  const fields = new Map<number, Field>();
  const series = new Map<number, Series>();
  const groups = new Map<string, { series: Series[]; fields: Field[] }>();
  let generation = -1;
  let lastField = 0;
  let lastSeries = 0;

  const groupOf = (bucket: number, measurement: string) => {
    const key = `${bucket}\u0000${measurement}`;
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { series: [], fields: [] }));
    return group;
  };

  function refresh(): void {
    const now = generationOf.get() ?? 0;
    if (now !== generation) {
      for (const map of [buckets, fields, series, groups]) map.clear();
      lastField = lastSeries = 0;
      generation = now;
      for (const { id, hex, name, retention, created } of bucketRows.all())
        buckets.set(id, { key: id, id: hex, name, retentionSeconds: retention, createdAt: created });
    }
    for (const { type, ...row } of fieldRows.all(lastField)) {
      const field = { ...row, type: FIELD_TYPES[type] ?? 'float' };
      fields.set(row.id, field);
      groupOf(row.bucket, row.measurement).fields.push(field);
      lastField = row.id;
    }
    for (const row of seriesRows.iterate(lastSeries)) {
      const one = {
        id: row.id,
        bucket: row.bucket,
        measurement: row.measurement,
        tags: tagsOf(parseStored<string[]>(row.tags)),
      };
      series.set(row.id, one);
      groupOf(row.bucket, row.measurement).series.push(one);
      lastSeries = row.id;
    }
  }
  refresh();

  return {
    buckets,
    fields,
    series,
    refresh,
    seriesOf: (bucket, measurement) => groups.get(`${bucket}\u0000${measurement}`)?.series ?? [],
    fieldsOf: (bucket, measurement) => groups.get(`${bucket}\u0000${measurement}`)?.fields ?? [],
    measurements: (bucket) =>
      [...groups.keys()]
        .filter((key) => key.startsWith(`${bucket}\u0000`))
        .map((key) => key.slice(key.indexOf('\u0000') + 1)),
  };
}

function tagsOf(pairs: readonly string[]): Record<string, string> {
  // A tag may have any name, also that of something which every object has.
  const tags: Record<string, string> = Object.create(null);
  for (let i = 0; i + 1 < pairs.length; i += 2) tags[pairs[i] ?? ''] = pairs[i + 1] ?? '';
  return tags;
}
