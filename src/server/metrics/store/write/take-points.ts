import type { FieldRef, Head } from '../../line-protocol/head.ts';
import type { Points } from '../../line-protocol/parse.ts';
import { FIELD_TYPES } from '../files/catalog.ts';
import { typeName, type Interner } from './intern.ts';
import { ownerKey } from '../files/owner-key.ts';
import type { WalWriter } from '../files/wal.ts';

/**
 * Takes parsed points to the write-ahead rows. Those that are too old, of one series or field too many, or with a field
 * of another type than it has, are left out; the others stay (as InfluxDB 2 does it). `over`: how many were too many.
 */
export function takePoints(
  points: Points,
  wal: WalWriter,
  interner: Interner,
  bucket: number,
  oldest: number,
  most: { readonly mostSeries: number; readonly mostFields: number },
): { partial: string | null; dropped: number; over: number } {
  let partial: string | null = null;
  let dropped = 0;
  let over = 0;

  /** Why a point is left out; null: it is not. */
  function fault(head: Head, ms: number, start: number, end: number): string | null {
    if (ms < oldest) return 'points beyond retention policy';
    // First, so that a point which is left out takes no room for its series and the others of its fields.
    if (anyNew(points, start, end) && !interner.fits(bucket, head.measurement.name, points.fields.slice(start, end))) {
      over++;
      return `max-fields limit exceeded: (${most.mostFields})`;
    }
    if (interner.seriesOfHead(bucket, head) === null) {
      over++;
      return `max-series-per-database limit exceeded: (${most.mostSeries})`;
    }
    for (let f = start; f < end; f++) {
      const ref = points.fields[f];
      if (ref === undefined) break;
      const given = points.types[f] ?? 0;
      const type = isWhole(given) && interner.isOwn(bucket, head.measurement.name, ref) ? FLOAT : given;
      if (ref.id < 0) interner.field(bucket, head.measurement.name, ref, type);
      if (ref.type !== type)
        return `field type conflict: input field "${ref.name}" on measurement "${head.measurement.name}" is type ${typeName(type)}, already exists as type ${typeName(ref.type)}`;
    }
    return null;
  }

  for (let i = 0, start = 0; i < points.count; i++) {
    const end = points.ends[i] ?? 0;
    const head = points.heads[i];
    if (head === undefined) break;
    const ms = points.ms[i] ?? 0;
    const reason = fault(head, ms, start, end);
    if (reason === null) {
      wal.point(head.series, ms, points.ns[i] ?? 0, ownerKey(head.job, head.task), end - start);
      for (let f = start; f < end; f++) {
        const ref = points.fields[f];
        if (ref !== undefined) wal.value(ref.id, FIELD_TYPES[ref.type] ?? 'float', valueOf(ref, points.values[f]));
      }
    } else {
      partial ??= reason;
      dropped++;
    }
    start = end;
  }
  return { partial, dropped, over };
}

const FLOAT = FIELD_TYPES.indexOf('float');
const isWhole = (type: number): boolean => FIELD_TYPES[type] === 'int' || FIELD_TYPES[type] === 'uint';
const valueOf = ({ type }: FieldRef, value: Points['values'][number] | undefined) =>
  // The log writes it by the type of its field.
  (type === FLOAT ? Number(value) : value) as number;

function anyNew({ fields }: Points, start: number, end: number): boolean {
  for (let f = start; f < end; f++) if ((fields[f]?.id ?? 0) < 0) return true;
  return false;
}
