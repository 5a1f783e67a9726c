import type { JobFilter } from '../../../contract/jobs.ts';

export interface SearchStats {
  /** Jobs that are not indexed yet. */
  behind: number;
  /** Bytes of the index. */
  bytes: number;
}

export interface Found {
  readonly total: number;
  /** Jobs created after this may be missing; null: the search is complete. */
  readonly searchedTo: string | null;
}

/** What jobs are searched by; all of it must hold. */
export interface SearchTerms {
  readonly labels: readonly { readonly key: string; readonly value: string | null }[];
  /** For each field the keys that would do: its value as a text and, where it reads as one, as a number. */
  readonly fields: readonly (readonly string[])[];
  readonly words: readonly string[];
}

export type Search = (filter: JobFilter) => Found | null;
