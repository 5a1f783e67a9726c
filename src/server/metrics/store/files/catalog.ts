import type Database from 'better-sqlite3';
import { parseStored } from '../../../../lib/json.ts';
import { hasTies } from './head-db.ts';
import { rowSum } from './sums.ts';
import type { Bucket, FieldType, MetricDamage } from '../port.ts';

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

/** What stands in a row that is damaged is left out, and `damaged` hears of it. */
export function openCatalog(db: Database.Database, damaged: (damage: MetricDamage) => void = () => {}): Catalog {
  const isSummed = hasTies(db, 'series') && hasTies(db, 'field');
  const tieOf = () => (isSummed ? 'tie' : 'NULL AS tie');
  const totals = db.prepare<[string], number>('SELECT value FROM meta WHERE name = ?').pluck();
  const generationOf = db.prepare<[], number>("SELECT value FROM meta WHERE name = 'generation'").pluck();
  const bucketRows = db.prepare<[], BucketRow>('SELECT id, hex, name, retention, created FROM bucket');
  const fieldRows = db.prepare<
    [number],
    { id: number; bucket: number; measurement: string; name: string; type: number; tie: number | null }
  >(`SELECT id, bucket, measurement, name, type, ${tieOf()} FROM field WHERE id > ? ORDER BY id`);
  const seriesRows = db.prepare<
    [number],
    { id: number; bucket: number; measurement: string; tags: string; tie: number | null }
  >(`SELECT id, bucket, measurement, tags, ${tieOf()} FROM series WHERE id > ? ORDER BY id`);
  const buckets = new Map<number, StoredBucket>();
  const fields = new Map<number, Field>();
  const series = new Map<number, Series>();
  const groups = new Map<string, { series: Series[]; fields: Field[] }>();
  let generation = -1;
  let lastField = 0;
  let lastSeries = 0;
  /** What was read of each table since it was read from its beginning. */
  const read = { field: { rows: 0, sum: 0 }, series: { rows: 0, sum: 0 } };

  const groupOf = (bucket: number, measurement: string) => {
    const key = `${bucket}\u0000${measurement}`;
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { series: [], fields: [] }));
    return group;
  };

  const note = (table: keyof typeof read, tie: number | null) => {
    read[table].rows++;
    read[table].sum += tie ?? 0;
  };

  /** Rows that the tree of the table no longer leads to are missed by their number and their sum alone. */
  function expectAll(table: keyof typeof read): void {
    const rows = totals.get(`${table} rows`);
    // A file that no writer opened since this is kept.
    if (rows === undefined || !isSummed) return;
    if (rows !== read[table].rows || totals.get(`${table} sum`) !== read[table].sum)
      damaged(pagesDamage(table, rows, read[table].rows));
  }

  // In one transaction: what is counted is what is read.
  const refresh = db.transaction(() => {
    const [fieldsBefore, seriesBefore] = [lastField, lastSeries];
    const now = generationOf.get() ?? 0;
    const isNew = now !== generation;
    if (isNew) {
      for (const map of [buckets, fields, series, groups]) map.clear();
      lastField = lastSeries = 0;
      read.field = { rows: 0, sum: 0 };
      read.series = { rows: 0, sum: 0 };
      generation = now;
      for (const { id, hex, name, retention, created } of bucketRows.all())
        buckets.set(id, { key: id, id: hex, name, retentionSeconds: retention, createdAt: created });
    }
    for (const { type, tie, ...row } of fieldRows.all(lastField)) {
      lastField = row.id;
      note('field', tie);
      if (isSummed && rowSum(row.id, row.bucket, row.measurement, row.name, type) !== tie) {
        damaged(nameDamage('field', row.id));
        continue;
      }
      const field = { ...row, type: FIELD_TYPES[type] ?? 'float' };
      fields.set(row.id, field);
      groupOf(row.bucket, row.measurement).fields.push(field);
    }
    for (const row of seriesRows.iterate(lastSeries)) {
      lastSeries = row.id;
      note('series', row.tie);
      // A row of another table has its sum too.
      if (
        typeof row.tags !== 'string' ||
        (isSummed && rowSum(row.id, row.bucket, row.measurement, row.tags) !== row.tie)
      ) {
        damaged(nameDamage('series', row.id));
        continue;
      }
      const one = {
        id: row.id,
        bucket: row.bucket,
        measurement: row.measurement,
        tags: tagsOf(parseStored<string[]>(row.tags)),
      };
      series.set(row.id, one);
      groupOf(row.bucket, row.measurement).series.push(one);
    }
    if (isNew || lastField !== fieldsBefore) expectAll('field');
    if (isNew || lastSeries !== seriesBefore) expectAll('series');
  });
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

const nameDamage = (table: 'field' | 'series', id: number): MetricDamage => ({
  file: 'head.db',
  place: `${table} ${id}`,
  what: `the name of ${table} ${id} is damaged: its points cannot be read`,
  from: null,
  to: null,
  lost: null,
});

const pagesDamage = (table: 'field' | 'series', rows: number, found: number): MetricDamage => ({
  file: 'head.db',
  place: table,
  what: `${table === 'series' ? 'names of series' : 'names of fields'} are missing or damaged: ${found} of ${rows} are found`,
  from: null,
  to: null,
  lost: null,
});

function tagsOf(pairs: unknown): Record<string, string> {
  if (!Array.isArray(pairs)) return Object.create(null);
  // A tag may have any name, also that of something which every object has.
  const tags: Record<string, string> = Object.create(null);
  for (let i = 0; i + 1 < pairs.length; i += 2) tags[pairs[i] ?? ''] = pairs[i + 1] ?? '';
  return tags;
}
