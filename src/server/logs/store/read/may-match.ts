import { fieldSeed, hashOf, mayHold, pieceOf, VALUE_BYTES, wordHashes } from '../blocks/bloom.ts';
import { bytesOf } from '../blocks/rows.ts';
import { PARTS, type BlockRow } from '../files/schema.ts';
import type { ScanHints } from '../port.ts';

/** The search filters of a file's blocks, in pieces; undefined: it cannot be read. */
interface Pieces {
  piece(id: number): Buffer | undefined;
}

/** False for a block whose filter says that no row can match. */
export function mayMatch(hints: ScanHints): (file: Pieces, row: BlockRow) => boolean {
  const all: number[][] = hints.words.flatMap((word) => wordHashes(bytesOf(word)).map((hash) => [hash]));
  for (const { field, anyOf } of hints.equal) {
    if (field === '_msg' || field === '_time' || field === '_stream_id') continue;
    const values = anyOf.map(bytesOf);
    if (values.every((value) => value !== '' && value.length <= VALUE_BYTES))
      all.push(values.map((value) => hashOf(value, fieldSeed(bytesOf(field)))));
  }
  if (all.length === 0) return () => true;
  return (file, { id, pieces }) => {
    if (pieces === 0) return true;
    return all.every((anyOf) =>
      anyOf.some((hash) => {
        const piece = file.piece(id * PARTS + pieceOf(hash, pieces));
        return piece === undefined || mayHold(piece, hash);
      }),
    );
  };
}
