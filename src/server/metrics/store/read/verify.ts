import { decodedChunk } from '../write/compact.ts';
import { partName, wholePart } from '../files/partition.ts';
import { isRoll } from '../files/sums.ts';
import type { View } from './view.ts';

/**
 * Reads all that the store has: names, rows that are not sealed, and every chunk and block of roll-ups. What is damaged the
 * view is told. Gives the bytes that were read, as text, a series at a time: whoever pulls says how quickly it goes.
 */
export function* verifyStore(view: View): Generator<Uint8Array> {
  const typeOf = (field: number) => view.catalog.fields.get(field)?.type ?? 'float';
  for (const bucket of view.catalog.buckets.keys()) {
    for (const part of view.parts(bucket, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)) {
      const { db, start } = part;
      const known = db.prepare<[], number>('SELECT sid FROM series UNION SELECT sid FROM chunk').pluck().all();
      for (const series of known) {
        let bytes = 0;
        for (const chunk of part.chunks(series, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, null)) {
          bytes += chunk.data.length;
          if (decodedChunk(chunk, typeOf, null)) continue;
          const { place, t0: from, t1, n: lost } = chunk;
          const what = `${place} is damaged: ${lost} points of a series cannot be read`;
          view.damaged({ file: partName(bucket, start), place, what, from, to: t1 + 1, lost });
        }
        yield Buffer.from(String(bytes));
      }
      for (const { id, crc, data } of db
        .prepare<[], { id: number; crc: number; data: Uint8Array }>('SELECT id, crc, data FROM roll')
        .all()) {
        if (!isRoll(id, data, crc))
          view.damaged({
            ...wholePart(bucket, start, `roll-ups ${id} are damaged`, `roll-ups ${id}`),
            lost: part.raw ? 0 : null,
          });
        yield Buffer.from(String(data.length));
      }
    }
  }
}
