import { fieldSeed, hashOf, mayHold, pieceOf, VALUE_BYTES, wordHashes } from '../blocks/bloom.ts';
import { bytesOf } from '../blocks/rows.ts';
import { PARTS, type BlockRow } from '../files/schema.ts';
import type { ScanHints } from '../port.ts';
import type { Cache } from './cache.ts';

/** The search filters of a file's blocks, in pieces; undefined: it cannot be read. */
interface Pieces {
  piece(id: number): Buffer | undefined;
}

/** What so many blocks in a row have is common: from then on it is asked of every eighth block alone, until one has it not. */
const COMMON = 16;
const SAMPLE = 8;
/** What is remembered of each answer, with its key. */
const ANSWER_BYTES = 120;

/**
 * False for a block whose filter says that no row can match. Reading a piece costs as much as counting the matches of a column that is
 * at hand: what is common is not asked of each block, and answers are remembered.
 */
export function mayMatch(hints: ScanHints, cache: Pick<Cache, 'get'>): (file: Pieces, row: BlockRow) => boolean {
  const terms: { readonly anyOf: readonly number[]; had: number }[] = hints.words.flatMap((word) =>
    wordHashes(bytesOf(word)).map((hash) => ({ anyOf: [hash], had: 0 })),
  );
  for (const { field, anyOf } of hints.equal) {
    if (field === '_msg' || field === '_time' || field === '_stream_id') continue;
    const values = anyOf.map(bytesOf);
    if (values.every((value) => value !== '' && value.length <= VALUE_BYTES))
      terms.push({ anyOf: values.map((value) => hashOf(value, fieldSeed(bytesOf(field)))), had: 0 });
  }
  if (terms.length === 0) return () => true;
  const mayHave = (file: Pieces, { id, pieces }: BlockRow, hash: number): boolean =>
    cache.get(`${id}?${hash}`, () => {
      const piece = file.piece(id * PARTS + pieceOf(hash, pieces));
      return { value: piece === undefined || mayHold(piece, hash), bytes: ANSWER_BYTES };
    });
  return (file, row) =>
    row.pieces === 0 ||
    terms.every((term) => {
      term.had++;
      if (term.had > COMMON && term.had % SAMPLE !== 0) return true;
      const may = term.anyOf.some((hash) => mayHave(file, row, hash));
      if (!may) term.had = 0;
      return may;
    });
}
