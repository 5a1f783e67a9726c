import { parseStored } from '../../../lib/json.ts';

/** Part of the jobs of an operation or a snapshot. */
export interface Chunk {
  /** Place of the first of them. */
  readonly first: number;
  /** `seq`s, or ids as they were given. */
  readonly jobs: readonly (number | string)[];
  /** Places, from 0 in this part, of jobs that the dry run left out. */
  readonly leftOut: ReadonlySet<number>;
}

/** A part as it is stored: JSON arrays, of which the first holds ids, or `seq`s each as the distance from the one before. */
export interface ChunkRow {
  readonly first: number;
  readonly jobs: string;
  readonly left_out: string | null;
}

export function parseChunk({ first, jobs, left_out: leftOut }: ChunkRow): Chunk {
  let last = 0;
  return {
    first,
    jobs: parseStored<(number | string)[]>(jobs).map((job) => (typeof job === 'number' ? (last += job) : job)),
    leftOut: new Set(leftOut === null ? [] : parseStored<number[]>(leftOut)),
  };
}
