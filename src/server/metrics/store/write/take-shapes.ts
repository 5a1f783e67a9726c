import { MASTER_MEASUREMENTS, MOST_NAME_CHARACTERS, MOST_TAGS } from '../../../../lib/metric-points.ts';
import type { FieldRef } from '../../line-protocol/head.ts';
import type { ShapeBatch } from '../../collector/port.ts';
import { FIELD_TYPES } from '../files/catalog.ts';
import type { Interner } from './intern.ts';
import { isRowTag, ownerKey } from '../files/owner-key.ts';
import type { WalWriter } from '../files/wal.ts';

const FLOAT = FIELD_TYPES.indexOf('float');
/** Series remembered by their tag values. */
const REMEMBERED = 100_000;
/** Points with longer values, or more than a point may have, are left out: handlers make them. */
const VALUE_CHARACTERS = 1024;
/** The end of 64 bits of nanoseconds. */
const TIME_MOST = 9_223_372_036_854;

/** What workers say of their own comes this way, too, and has no room that is kept for the master. */
const isOfMaster = (measurement: string): boolean => MASTER_MEASUREMENTS.has(measurement);

/** Names may not hold what stands between them here: those of one shape would be taken for those of another. */
const isNoName = (name: string): boolean => name === '' || name.length > MOST_NAME_CHARACTERS || /\p{Cc}/u.test(name);

/**
 * Takes points of the master and of its workers, which come in shapes, to the write-ahead rows. A point is a call of its own, and what it needs of its
 * shape are lists of the writer: V8 throws away what it compiled for objects of one batch once they are gone.
 */
export class ShapeWriter {
  private readonly interner: Interner;
  private readonly known = new Map<string, number>();
  private readonly fields = new Map<string, FieldRef>();
  /** Of the shape at hand: its tags that name a series, in their order, and where their texts are. */
  private readonly tags: string[] = [];
  private readonly places: number[] = [];
  private readonly refs: FieldRef[] = [];

  constructor(interner: Interner) {
    this.interner = interner;
  }

  forget(): void {
    this.known.clear();
    this.fields.clear();
  }

  /** Gives how many points were left out: their series or field would be one too many, or they are none that the store takes. */
  put(bucket: number, { measurement, tags, fields, count, texts, times, values }: ShapeBatch, wal: WalWriter): number {
    if (tags.length > MOST_TAGS || [measurement, ...tags, ...fields].some(isNoName)) return count;
    if (this.known.size > REMEMBERED) this.known.clear();
    this.takeShape(bucket, measurement, tags, fields);
    const job = tags.indexOf('job_id');
    const task = tags.indexOf('task_id');
    const all = tags.length > 0 ? texts.split('\u0000') : [];
    const shape = `${measurement}\u0000${tags.join('\u0000')}\u0001`;
    let dropped = 0;
    for (let point = 0; point < count; point++) {
      const from = point * tags.length;
      const series = this.seriesOf(bucket, measurement, shape, all, from);
      const who = ownerKey(job < 0 ? '' : (all[from + job] ?? ''), task < 0 ? '' : (all[from + task] ?? ''));
      if (series === null || !this.point(series, times[point] ?? 0, who, values, point * fields.length, wal)) dropped++;
    }
    return dropped;
  }

  private takeShape(bucket: number, measurement: string, tags: readonly string[], fields: readonly string[]): void {
    this.tags.length = 0;
    this.places.length = 0;
    this.refs.length = 0;
    for (const tag of tags.filter((one) => !isRowTag(one)).toSorted()) {
      this.tags.push(tag);
      this.places.push(tags.indexOf(tag));
    }
    for (const name of fields) {
      const key = `${measurement}\u0000${name}`;
      let ref = this.fields.get(key);
      if (!ref) this.fields.set(key, (ref = { name, id: -1, type: FLOAT }));
      if (ref.id < 0) this.interner.field(bucket, measurement, ref, FLOAT, isOfMaster(measurement));
      this.refs.push(ref);
    }
  }

  /** The series of the point whose texts begin at `from`; null: it is one too many, or its texts are too long. */
  private seriesOf(
    bucket: number,
    measurement: string,
    shape: string,
    texts: readonly string[],
    from: number,
  ): number | null {
    const { places } = this;
    let key = shape;
    for (let i = 0; i < places.length; i++) key += `${texts[from + (places[i] ?? 0)] ?? ''}\u0000`;
    return this.known.get(key) ?? this.newSeries(bucket, measurement, shape, key, texts, from);
  }

  private newSeries(
    bucket: number,
    measurement: string,
    shape: string,
    key: string,
    texts: readonly string[],
    from: number,
  ): number | null {
    const { tags, places } = this;
    if (key.length > shape.length + VALUE_CHARACTERS * Math.max(1, places.length)) return null;
    const pairs = tags.flatMap((tag, i) => {
      const text = texts[from + (places[i] ?? 0)] ?? '';
      return text === '' ? [] : [tag, text];
    });
    const made = this.interner.series(bucket, measurement, pairs, isOfMaster(measurement));
    if (made !== null) this.known.set(key, made);
    return made;
  }

  /** False: the point is left out. Its values begin at `first`. */
  private point(
    series: number,
    time: number,
    who: string,
    values: Float64Array,
    first: number,
    wal: WalWriter,
  ): boolean {
    const { refs } = this;
    let present = 0;
    for (let f = 0; f < refs.length; f++) if (isStored(refs[f], values[first + f])) present++;
    const ms = Math.floor(time);
    if (present === 0 || !(Math.abs(ms) < TIME_MOST)) return false;
    wal.point(series, ms, Math.floor((time - ms) * 1e6), who, present);
    for (let f = 0; f < refs.length; f++) {
      const ref = refs[f];
      const value = values[first + f];
      if (ref && isStored(ref, value)) wal.value(ref.id, 'float', value);
    }
    return true;
  }
}

/** A number that is there, of a field that the store has as a float. */
const isStored = (ref: FieldRef | undefined, value: number | undefined): value is number =>
  ref !== undefined && ref.type === FLOAT && ref.id >= 0 && value === value;
