import { fieldSeed, hashOf, mayHold, pieceOf, VALUE_BYTES, wordHashes } from '../blocks/bloom.ts';
import { bytesOf } from '../blocks/rows.ts';
import { PARTS, type BlockRow } from '../files/schema.ts';
import type { ScanHints } from '../port.ts';
import type { Answers, TermAnswers } from './answers.ts';

/** The search filters of a file's blocks, in pieces; undefined: it cannot be read. */
interface Pieces {
  piece(id: number): Buffer | undefined;
}

/** A term that this many blocks in a row may have counts as common: from then on every eighth filter is read, until one lacks it. */
const COMMON = 64;
const SAMPLE = 8;

interface Term {
  readonly anyOf: readonly number[];
  readonly answers: TermAnswers;
  /** Blocks in a row that may have it. */
  had: number;
  /** So many make it common: the more, the more often it was taken for common and was not. */
  common: number;
}

/**
 * False for a block whose filter says that no row can match. To read a piece of a filter costs as much as to count the matches in a column
 * that is at hand, so a common term is not looked up in every block, and what was read once is remembered in `answers`.
 */
export function mayMatch(hints: ScanHints, answers: Answers): (file: Pieces, row: BlockRow) => boolean {
  const all: number[][] = hints.words.flatMap((word) => wordHashes(bytesOf(word)).map((hash) => [hash]));
  for (const { field, anyOf } of hints.equal) {
    if (field === '_msg' || field === '_time' || field === '_stream_id') continue;
    const values = anyOf.map(bytesOf);
    if (values.every((value) => value !== '' && value.length <= VALUE_BYTES))
      all.push(values.map((value) => hashOf(value, fieldSeed(bytesOf(field)))));
  }
  if (all.length === 0) return () => true;
  const terms: Term[] = all.map((anyOf) => ({ anyOf, answers: answers.of(anyOf.join()), had: 0, common: COMMON }));
  return (file, row) => row.pieces === 0 || terms.every((term) => mayHave(term, file, row));
}

function mayHave(term: Term, file: Pieces, { id, pieces }: BlockRow): boolean {
  const known = term.answers.get(id);
  if (known === undefined && term.had >= term.common && term.had % SAMPLE !== 0) {
    term.had++;
    return true;
  }
  const may = known ?? anyIn(term.anyOf, file, id, pieces);
  if (known === undefined) term.answers.set(id, may);
  if (!may && term.had >= term.common) term.common *= 2;
  term.had = may ? term.had + 1 : 0;
  return may;
}

const anyIn = (anyOf: readonly number[], file: Pieces, id: number, pieces: number): boolean =>
  anyOf.some((hash) => {
    const piece = file.piece(id * PARTS + pieceOf(hash, pieces));
    return piece === undefined || mayHold(piece, hash);
  });
