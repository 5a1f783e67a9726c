import type { FieldRef } from '../../line-protocol/head.ts';
import type { ShapeBatch } from '../../collector/port.ts';
import { FIELD_TYPES } from '../files/catalog.ts';
import type { Interner } from './intern.ts';
import { isRowTag, ownerKey } from '../files/owner-key.ts';
import type { WalWriter } from '../files/wal.ts';

const FLOAT = FIELD_TYPES.indexOf('float');
/** Series remembered by their tag values. */
const REMEMBERED = 100_000;
/** Points with more tags, or longer names and values, are left out: handlers make them. */
const TAGS = 64;
const NAME_CHARACTERS = 256;
const VALUE_CHARACTERS = 1024;
/** The end of 64 bits of nanoseconds. */
const TIME_MOST = 9_223_372_036_854;

/** Names may not hold what stands between them here: those of one shape would be taken for those of another. */
const isNoName = (name: string): boolean => name === '' || name.length > NAME_CHARACTERS || /\p{Cc}/u.test(name);

/** Takes the master's own points, which come in shapes, to the write-ahead rows. */
export function createShapeWriter(interner: Interner) {
  const known = new Map<string, number>();
  const fields = new Map<string, FieldRef>();
  return {
    forget() {
      known.clear();
      fields.clear();
    },
    /** Gives how many points were left out: their series or field would be one too many, or they are none that the store takes. */
    put(
      bucket: number,
      { measurement, tags, fields: names, count, texts, times, values }: ShapeBatch,
      wal: WalWriter,
    ): number {
      if (tags.length > TAGS || [measurement, ...tags, ...names].some(isNoName)) return count;
      if (known.size > REMEMBERED) known.clear();
      const refs = names.map((name) => {
        const key = `${measurement}\u0000${name}`;
        let ref = fields.get(key);
        if (!ref) fields.set(key, (ref = { name, id: -1, type: FLOAT }));
        if (ref.id < 0) interner.field(bucket, measurement, ref, FLOAT, true);
        return ref;
      });
      const order = tags
        .map((tag, i) => ({ tag, i }))
        .filter(({ tag }) => !isRowTag(tag))
        .sort((a, b) => (a.tag < b.tag ? -1 : 1));
      const job = tags.indexOf('job_id');
      const task = tags.indexOf('task_id');
      const all = tags.length > 0 ? texts.split('\u0000') : [];
      const shape = `${measurement}\u0000${tags.join('\u0000')}\u0001`;
      let dropped = 0;
      for (let point = 0; point < count; point++) {
        const from = point * tags.length;
        let key = shape;
        for (const { i } of order) key += `${all[from + i] ?? ''}\u0000`;
        let series = known.get(key);
        if (series === undefined) {
          const pairs: string[] = [];
          if (key.length > shape.length + VALUE_CHARACTERS * Math.max(1, order.length)) {
            dropped++;
            continue;
          }
          for (const { tag, i } of order) if (all[from + i] !== '') pairs.push(tag, all[from + i] ?? '');
          const made = interner.series(bucket, measurement, pairs, true);
          if (made === null) {
            dropped++;
            continue;
          }
          known.set(key, (series = made));
        }
        const first = point * names.length;
        let present = 0;
        for (let f = 0; f < names.length; f++) if (isStored(refs[f], values[first + f])) present++;
        const time = times[point] ?? 0;
        const ms = Math.floor(time);
        if (present === 0 || !(Math.abs(ms) < TIME_MOST)) {
          dropped++;
          continue;
        }
        const who = ownerKey(job < 0 ? '' : (all[from + job] ?? ''), task < 0 ? '' : (all[from + task] ?? ''));
        wal.point(series, ms, Math.floor((time - ms) * 1e6), who, present);
        for (let f = 0; f < names.length; f++) {
          const ref = refs[f];
          const value = values[first + f];
          if (ref && isStored(ref, value)) wal.value(ref.id, 'float', value);
        }
      }
      return dropped;
    },
  };
}

/** A number that is there, of a field that the store has as a float. */
const isStored = (ref: FieldRef | undefined, value: number | undefined): value is number =>
  ref !== undefined && ref.type === FLOAT && ref.id >= 0 && value === value;
