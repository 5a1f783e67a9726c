import { fixed, live } from './limit.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Limits of the search of jobs; a part of `limits.ts`. */
export const SEARCH_LIMITS = {
  /** Number of inputs of a job that are searchable; the first ones. */
  searchInputs: fixed(100, 1, 10_000),
  /** Maximum number of searchable fields of an input. */
  searchFields: fixed(100, 1, 10_000),
  /** Maximum nesting depth of searchable fields. */
  searchDepth: fixed(8, 1, 64),
  /** Field values longer than this are searchable only by their words, in characters. */
  searchValueCharacters: fixed(256, 16, 4096),
  /** Inputs larger than this are not searchable, in bytes. */
  searchInputBytes: fixed(4 * MIB, 1024, 64 * MIB),
  /** Number of characters of one text whose words are searchable. */
  searchTextCharacters: fixed(16 * KIB, 256, MIB),
  /** Maximum number of different searchable words in the inputs of a job. */
  searchWords: fixed(500, 10, 100_000),
  /** Maximum number of jobs that a search may match before other filters apply; above it, the search fails with `SEARCH_TOO_BROAD`. */
  searchMatches: fixed(2_000_000, 1000, 100_000_000),
  /** Number of jobs not yet in the index that a search reads one by one. */
  searchScan: fixed(2000, 1, 100_000),
  /** Maximum number of jobs whose inputs a query reads to compare values; above it, the query fails with `SEARCH_TOO_BROAD`. */
  searchReads: fixed(20_000, 100, 1_000_000),
  /** Longest time that a query of the list of jobs may run, in seconds; then it fails with `QUERY_TOO_SLOW`. */
  querySeconds: live(20, 1, 3600),
} as const;
