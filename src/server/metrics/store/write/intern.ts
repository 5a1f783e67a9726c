import type Database from 'better-sqlite3';
import { parseStored } from '../../../../lib/json.ts';
import { MASTER_MEASUREMENTS } from '../../../../lib/metric-points.ts';
import type { FieldRef, Head } from '../../line-protocol/head.ts';
import { FIELD_TYPES } from '../files/catalog.ts';
import { countIn, FIELD_CELLS, SERIES_CELLS } from '../files/head-db.ts';
import { rowSum } from '../files/sums.ts';

/** Numbers of series and fields in the writer: looked up in memory, made where they are new. */
export interface Interner {
  /** Null: the store may hold no further series. `own`: it is one of the master's own, for which some room is kept. */
  series(bucket: number, measurement: string, tags: readonly string[], own?: boolean): number | null;
  seriesOfHead(bucket: number, head: Head): number | null;
  /** Sets the number and type of a field; a new one gets this type, but that the master's own stay floats. False: the store may hold no further fields, or none of this type. */
  field(bucket: number, measurement: string, ref: FieldRef, type: number, own?: boolean): boolean;
  /** True for a field that the master itself writes, which are all floats: whole numbers of others are taken as such. */
  isOwn(bucket: number, measurement: string, ref: FieldRef): boolean;
  /** True where these fields are there or find room. */
  fits(bucket: number, measurement: string, refs: readonly FieldRef[]): boolean;
  /** Writes what is new, within the transaction that uses it; then comes `kept` or `undo`. */
  save(): void;
  /** The transaction was committed. */
  kept(): void;
  /** Forgets what is new: its transaction was rolled back. */
  undo(): void;
  /** All anew from the database. */
  reload(): void;
  readonly count: number;
}

/** What the master says of itself has a tenth more room: nothing that clients or workers write may silence it. */
const OWN_SHARE = 1.1;
/** Those that come to its bucket by itself, and the names of their fields: numbers, whoever writes them first. */
const OWN_MEASUREMENTS: ReadonlySet<string> = new Set([...MASTER_MEASUREMENTS, 'custom_metrics']);
const OWN_FIELD = /^(?:counter|gauge|timer)_/;
const OWN_TYPE = FIELD_TYPES.indexOf('float');

/** `ownBucket`: where the master's points go. */
export function createInterner(
  db: Database.Database,
  most: () => { readonly mostSeries: number; readonly mostFields: number },
  ownBucket: () => number,
): Interner {
  const insertSeries = db.prepare('INSERT INTO series (id, bucket, measurement, tags, tie) VALUES (?, ?, ?, ?, ?)');
  const insertField = db.prepare(
    'INSERT INTO field (id, bucket, measurement, name, type, tie) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const lastOf = db.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck();
  const maxOf = (table: 'series' | 'field') => countIn(db, `SELECT coalesce(max(id), 0) FROM ${table}`);
  const series = new Map<string, number>();
  const fields = new Map<string, { id: number; type: number }>();
  let newSeries: { id: number; key: string; bucket: number; measurement: string; tags: readonly string[] }[] = [];
  let newFields: { id: number; key: string; bucket: number; measurement: string; name: string; type: number }[] = [];
  let lastSeries = 0;
  let lastField = 0;

  const keyOf = (bucket: number, measurement: string, tags: readonly string[]) =>
    `${bucket}\u0000${measurement}\u0000${tags.join('\u0000')}`;

  function reload(): void {
    series.clear();
    fields.clear();
    for (const { id, bucket, measurement, tags } of db
      .prepare<[], { id: number; bucket: number; measurement: string; tags: string }>(
        `SELECT id, bucket, measurement, tags FROM series WHERE typeof(tags) = 'text' AND tie = row_sum(${SERIES_CELLS})`,
      )
      .iterate())
      series.set(keyOf(bucket, measurement, parseStored<string[]>(tags)), id);
    for (const { id, bucket, measurement, name, type } of db
      .prepare<[], { id: number; bucket: number; measurement: string; name: string; type: number }>(
        `SELECT id, bucket, measurement, name, type FROM field WHERE tie = row_sum(${FIELD_CELLS})`,
      )
      .iterate())
      fields.set(`${bucket}\u0000${measurement}\u0000${name}`, { id, type });
    lastSeries = Math.max(lastOf.get('series') ?? 0, maxOf('series'));
    lastField = Math.max(lastOf.get('field') ?? 0, maxOf('field'));
  }
  reload();

  const isOwn = (bucket: number, measurement: string, { name }: FieldRef): boolean =>
    OWN_MEASUREMENTS.has(measurement) && OWN_FIELD.test(name) && bucket === ownBucket();
  const room = (given: number, own: boolean): number => (own ? Math.ceil(given * OWN_SHARE) : given);

  function seriesId(bucket: number, measurement: string, tags: readonly string[], own = false): number | null {
    const key = keyOf(bucket, measurement, tags);
    const known = series.get(key);
    if (known !== undefined) return known;
    if (series.size >= room(most().mostSeries, own)) return null;
    const id = ++lastSeries;
    series.set(key, id);
    newSeries.push({ id, key, bucket, measurement, tags });
    return id;
  }

  return {
    series: seriesId,
    seriesOfHead(bucket, head) {
      if (head.series < 0) head.series = seriesId(bucket, head.measurement.name, head.tags) ?? -1;
      return head.series < 0 ? null : head.series;
    },
    field(bucket, measurement, ref, type, own = false) {
      const key = `${bucket}\u0000${measurement}\u0000${ref.name}`;
      let known = fields.get(key);
      if (!known) {
        if (type !== OWN_TYPE && !own && isOwn(bucket, measurement, ref)) {
          ref.type = OWN_TYPE;
          return false;
        }
        if (fields.size >= room(most().mostFields, own)) return false;
        fields.set(key, (known = { id: ++lastField, type }));
        newFields.push({ id: known.id, key, bucket, measurement, name: ref.name, type });
      }
      ref.id = known.id;
      ref.type = known.type;
      return true;
    },
    isOwn,
    fits(bucket, measurement, refs) {
      let left = most().mostFields - fields.size;
      return refs.every(
        (ref) => ref.id >= 0 || fields.has(`${bucket}\u0000${measurement}\u0000${ref.name}`) || --left >= 0,
      );
    },
    save() {
      for (const { id, bucket, measurement, tags } of newSeries) {
        const text = JSON.stringify(tags);
        insertSeries.run(id, bucket, measurement, text, rowSum(id, bucket, measurement, text));
      }
      for (const { id, bucket, measurement, name, type } of newFields)
        insertField.run(id, bucket, measurement, name, type, rowSum(id, bucket, measurement, name, type));
    },
    kept() {
      newSeries = [];
      newFields = [];
    },
    undo() {
      for (const { key } of newSeries) series.delete(key);
      for (const { key } of newFields) fields.delete(key);
      lastSeries -= newSeries.length;
      lastField -= newFields.length;
      newSeries = [];
      newFields = [];
    },
    reload,
    get count() {
      return series.size;
    },
  };
}

export const typeName = (type: number): string =>
  ({ float: 'float', int: 'integer', uint: 'unsigned', bool: 'boolean', string: 'string' })[
    FIELD_TYPES[type] ?? 'float'
  ];
