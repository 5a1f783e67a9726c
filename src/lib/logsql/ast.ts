/** A parsed LogsQL query. Texts that depend on the moment (times) are kept as they were written and resolved when it runs. */
export interface Query {
  readonly options: readonly (readonly [name: string, value: string])[];
  readonly filter: Filter;
  readonly pipes: readonly Pipe[];
}

export type Filter =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | { readonly kind: 'time'; readonly spec: TimeSpec; readonly offset: string | null }
  /** Stream selectors: one of the groups holds, of which all tags hold. */
  | { readonly kind: 'stream'; readonly groups: readonly (readonly StreamTag[])[] }
  | { readonly kind: 'field'; readonly field: string; readonly test: Test };

/** What one field's value is asked. A missing value is the empty text. */
export type Test =
  /** Words next to each other, at word ends; `prefix` leaves the right end open. */
  | { readonly kind: 'phrase'; readonly text: string; readonly prefix: boolean; readonly fold: boolean }
  /** The whole value; `prefix`: its beginning. */
  | { readonly kind: 'exact'; readonly text: string; readonly prefix: boolean }
  | { readonly kind: 'substring'; readonly text: string }
  | { readonly kind: 'present' }
  | { readonly kind: 'regexp'; readonly pattern: string }
  | { readonly kind: 'seq'; readonly texts: readonly string[] }
  | { readonly kind: 'in' | 'contains_all' | 'contains_any'; readonly values: readonly string[] }
  | { readonly kind: 'in_query'; readonly of: 'in' | 'contains_all' | 'contains_any'; readonly query: Query }
  | { readonly kind: 'compare'; readonly op: CompareOp; readonly bound: string }
  | {
      readonly kind: 'range';
      readonly low: string;
      readonly lowIn: boolean;
      readonly high: string;
      readonly highIn: boolean;
    }
  /** Characters; `high` null: no upper end. */
  | { readonly kind: 'len_range'; readonly low: number; readonly high: number | null }
  | { readonly kind: 'string_range'; readonly low: string; readonly high: string }
  /** Both ends in, as unsigned 32-bit numbers. */
  | { readonly kind: 'ipv4_range'; readonly low: number; readonly high: number }
  | { readonly kind: 'eq_field' | 'lt_field' | 'le_field'; readonly other: string };

export type CompareOp = '<' | '<=' | '>' | '>=';

export interface StreamTag {
  readonly name: string;
  readonly op: '=' | '!=' | '=~' | '!~' | 'in' | 'not_in';
  readonly values: readonly string[];
}

export type TimeSpec =
  | { readonly kind: 'ever' }
  /** A duration back from now, or the span that a time names. */
  | { readonly kind: 'at'; readonly text: string }
  | { readonly kind: 'compare'; readonly op: '=' | CompareOp; readonly text: string }
  | {
      readonly kind: 'range';
      readonly low: string;
      readonly lowIn: boolean;
      readonly high: string;
      readonly highIn: boolean;
    }
  /** Minutes of the day. */
  | {
      readonly kind: 'day_range';
      readonly low: number;
      readonly lowIn: boolean;
      readonly high: number;
      readonly highIn: boolean;
    }
  /** Days of the week, 0 is Sunday; both ends in. */
  | { readonly kind: 'week_range'; readonly low: number; readonly high: number };

/** A field, or with `prefix` all whose names begin so. */
export interface Name {
  readonly name: string;
  readonly prefix: boolean;
}

export interface SortKey {
  readonly field: string;
  readonly desc: boolean;
}

/** A group key of `stats`: `step` cuts times, numbers or addresses into buckets. */
export interface ByField {
  readonly field: string;
  readonly step: string | null;
  readonly offset: string | null;
}

export const STATS = [
  'count',
  'count_empty',
  'count_uniq',
  'sum',
  'avg',
  'min',
  'max',
  'median',
  'quantile',
  'stddev',
  'sum_len',
  'uniq_values',
  'values',
  'any',
  'row_any',
  'row_min',
  'row_max',
  'rate',
  'rate_sum',
] as const;
export type StatsName = (typeof STATS)[number];

export interface StatsCall {
  readonly name: StatsName;
  readonly fields: readonly string[];
  readonly phi: number | null;
  readonly limit: number | null;
  readonly condition: Filter | null;
  readonly as: string;
}

export type MathExpr =
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly MathExpr[] };

export type Pipe =
  | { readonly kind: 'fields' | 'delete'; readonly names: readonly Name[] }
  /** With a prefix before `to`, it takes the place of that before `from`. */
  | { readonly kind: 'rename' | 'copy'; readonly pairs: readonly (readonly [from: Name, to: Name])[] }
  | {
      readonly kind: 'sort';
      readonly by: readonly SortKey[];
      readonly offset: number;
      readonly limit: number | null;
      readonly partition: readonly string[];
      readonly rank: string | null;
    }
  | { readonly kind: 'limit' | 'offset'; readonly n: number }
  /** One row of `n`, at random. */
  | { readonly kind: 'sample'; readonly n: number }
  /** Rows without any value go. */
  | { readonly kind: 'drop_empty_fields' }
  /** `hits` names the field that counts. */
  | {
      readonly kind: 'uniq';
      readonly by: readonly string[];
      readonly hits: string | null;
      readonly limit: number | null;
    }
  | {
      readonly kind: 'top';
      readonly n: number;
      readonly by: readonly string[];
      readonly hits: string;
      readonly rank: string | null;
    }
  | { readonly kind: 'filter'; readonly filter: Filter }
  | { readonly kind: 'stats'; readonly by: readonly ByField[]; readonly calls: readonly StatsCall[] }
  | {
      readonly kind: 'facets';
      readonly n: number;
      readonly maxValues: number;
      readonly maxLength: number;
      readonly keepConst: boolean;
    }
  | { readonly kind: 'field_names'; readonly as: string }
  | { readonly kind: 'field_values'; readonly field: string; readonly limit: number | null }
  | {
      readonly kind: 'unpack_json' | 'unpack_logfmt';
      readonly condition: Filter | null;
      readonly from: string;
      readonly fields: readonly string[];
      readonly prefix: string;
      readonly keep: boolean;
      readonly skipEmpty: boolean;
    }
  | {
      readonly kind: 'extract' | 'extract_regexp';
      readonly condition: Filter | null;
      readonly pattern: string;
      readonly from: string;
      readonly keep: boolean;
      readonly skipEmpty: boolean;
    }
  | {
      readonly kind: 'format';
      readonly condition: Filter | null;
      readonly pattern: string;
      readonly as: string;
      readonly keep: boolean;
      readonly skipEmpty: boolean;
    }
  | { readonly kind: 'math'; readonly steps: readonly { readonly expr: MathExpr; readonly as: string }[] }
  | {
      readonly kind: 'replace' | 'replace_regexp';
      readonly condition: Filter | null;
      readonly find: string;
      readonly by: string;
      readonly at: string;
      readonly limit: number | null;
    }
  | { readonly kind: 'len'; readonly field: string; readonly as: string }
  | { readonly kind: 'unroll'; readonly by: readonly string[] }
  | { readonly kind: 'pack_json' | 'pack_logfmt'; readonly fields: readonly Name[]; readonly as: string }
  /** Takes the sequences that colour a terminal out of a field. */
  | { readonly kind: 'decolorize'; readonly field: string }
  | { readonly kind: 'json_array_len'; readonly field: string; readonly as: string }
  | { readonly kind: 'union'; readonly query: Query }
  /** `inner`: rows without a match go; `prefix` stands before the names of what is joined. */
  | {
      readonly kind: 'join';
      readonly by: readonly string[];
      readonly query: Query;
      readonly inner: boolean;
      readonly prefix: string;
    }
  | { readonly kind: 'stream_context'; readonly before: number; readonly after: number };

export type PipeOf<K extends Pipe['kind']> = Extract<Pipe, { kind: K }>;
