import { openChunk, type ChunkFields } from '../files/chunk-fields.ts';
import { isWhole, type PackedChunk } from '../files/pack.ts';
import type { Folding } from './fold-range.ts';
import type { SelectedSeries } from './select.ts';

/** Points of a pack are a fraction of the values that a query may read: nothing is held of them. */
const LIGHT = 8;

/**
 * Hands the points of a series from `from` to before `to` to their folds, as they lie in a pack. False: nothing was handed
 * over, as only whole rows can tell: where values are beyond what a double holds, or damaged.
 */
export function foldPacked(
  { guard, target }: Folding,
  chunks: readonly PackedChunk[],
  one: SelectedSeries,
  from: number,
  to: number,
): boolean {
  // A series that is not where it should be is damaged.
  if (chunks.length === 0) return false;
  const wanted = one.fields.filter(({ type }) => type !== 'string');
  const opened: ChunkFields[] = [];
  for (const chunk of chunks) {
    if (chunk.t1 < from || chunk.t0 >= to) continue;
    guard.charge(chunk.n / LIGHT);
    const fields = isWhole(chunk) ? openChunk(chunk.data, wanted) : null;
    if (!fields) return false;
    opened.push(fields);
  }
  for (const chunk of opened)
    for (const field of wanted) {
      const read = chunk.read(field.id);
      if (read) target(one, field, '')?.points(read.ms, read.values, read.count, read.scale, from, to);
    }
  return true;
}
