import type { JobFilter } from '../../../contract/jobs.ts';
import type { QueryTest } from '../../../lib/job-query/fields.ts';

export interface SearchStats {
  /** Jobs that are not indexed yet. */
  behind: number;
  /** Bytes of the index. */
  bytes: number;
}

export interface Found {
  /** Jobs in `temp.found`; null: everything is found but what is excluded. */
  readonly total: number | null;
  /** Jobs in `temp.excluded`; null: nothing is. */
  readonly excluded: number | null;
  /** Jobs created after this may be missing; null: the search is complete. */
  readonly searchedTo: string | null;
}

/** What of a label or a field is asked: one of these. */
export type ValueTest = QueryTest;

export type Matcher =
  | { readonly kind: 'label'; readonly key: string; readonly test: ValueTest }
  | {
      readonly kind: 'field';
      /** `pathKey` of the field. */
      readonly path: string;
      readonly test: ValueTest;
      /** Of an exact value the keys that would do: as a text and, where it reads as one, as a number. */
      readonly keys: readonly string[] | null;
    }
  | { readonly kind: 'words'; readonly words: readonly string[] };

/** One condition: one of its matchers must meet, or none where it is negated. */
export interface Clause {
  readonly not: boolean;
  readonly any: readonly Matcher[];
}

/** What jobs are searched by; all of it must hold. */
export type SearchTerms = readonly Clause[];

export type Search = (filter: JobFilter) => Found | null;
