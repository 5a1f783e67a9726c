/**
 * What the query language and the store of logs know of each other. The store's reader hands out blocks of rows in
 * columns; the language's executor filters them and runs the pipes. Both run in the reader's thread.
 */

/** The values of one field in a block. An absent value is the empty string, as in LogsQL. */
export type Column =
  | TextColumn
  | TemplateColumn
  | DecimalColumn
  | { readonly kind: 'constant'; readonly value: string }
  | { readonly kind: 'dictionary'; readonly values: readonly string[]; readonly codes: Uint8Array | Uint16Array };

/** UTF-8 bytes of all rows, one after another; row `i` ends before `ends[i]`. A needle is searched in all rows at once. */
export interface TextColumn {
  readonly kind: 'text';
  readonly bytes: Buffer;
  readonly ends: Uint32Array;
}

/** Texts that a program writes over and over, apart from the numbers in them: what has no digit is looked for in the templates alone. */
export interface TemplateColumn {
  readonly kind: 'template';
  /** By code: the text with a `0` in the place of each run of one to nine digits; a longer run is several, of nine digits all but the last. */
  readonly templates: readonly string[];
  readonly codes: Uint8Array | Uint16Array;
  /** Decoded on first use. */
  readonly numbers: Numbers;
  /** The whole texts; made on first use. */
  readonly text: TextColumn;
}

/** Decimal numbers, as numbers. */
export interface DecimalColumn {
  readonly kind: 'decimal';
  /** By row; NaN: no value. */
  readonly values: Float64Array;
  /** Digits after the point, at most; with `padded` each text has so many, and else none ends with a zero. */
  readonly places: number;
  readonly padded: boolean;
  /** The texts; made on first use. */
  readonly text: TextColumn;
}

/** The runs of digits (see `blocks/numbers.ts`): the first of each row that has one, the second of each that has two, and so on. */
export type Numbers = readonly NumberList[];

export interface NumberList {
  readonly count: number;
  /** The `i`th of the list, and the row that it is of. */
  at(i: number): number;
  rowAt(i: number): number;
  /** The one of a row that has one. */
  of(row: number): number;
  /** Where a number is next, from `i` on; -1: nowhere. */
  find(number: number, i: number): number;
}

/** Rows in columns. Rows are ordered by time, oldest first; blocks may overlap in time. */
export interface Block {
  /** Grows with every sealed block of a store; with the row number it is a record's place, for cursors. */
  readonly id: number;
  readonly rows: number;
  /** Unix milliseconds of the first and the last row. */
  readonly t0: number;
  readonly t1: number;
  /** Unix milliseconds of each row. Decoded on first use, like all that follows. */
  readonly ms: Float64Array;
  /** Nanoseconds below the millisecond (0 to 999,999); null: all are 0. */
  readonly ns: Uint32Array | null;
  /** Names of all fields but `_time`; `_stream` and `_stream_id` among them. */
  readonly names: readonly string[];
  /** Decodes the column on first use; null: no row of the block has the field. */
  column(name: string): Column | null;
  /** Arrival numbers of the rows, in a block of a store. */
  readonly arrivals?: Float64Array;
}

/** What is new to one who looks at a store again and again. Each line has a number by its arrival. */
export interface Arrivals {
  /** Lines of higher numbers are for the next look. */
  readonly upTo: number;
  /** Looks before this one: each showed the lines of times before `before` (Unix ms) with numbers up to `upTo`. */
  readonly shown: readonly { readonly before: number; readonly upTo: number }[];
}

/** What must hold of each row that is looked for. Hints only: the filter decides. */
export interface ScanHints {
  /** Unix ms, inclusive; null: from the beginning. */
  readonly from: number | null;
  /** Unix ms, exclusive; null: no end. */
  readonly to: number | null;
  /** The field has one of these whole values (all entries must hold). */
  readonly equal: readonly { readonly field: string; readonly anyOf: readonly string[] }[];
  /** Words (Unicode letters, digits, `_`) that `_msg` must have as whole words. */
  readonly words: readonly string[];
  /** Rows that this shows are new. */
  readonly arrivals?: Arrivals | undefined;
}

export interface BlockSource {
  /**
   * Blocks that may hold matches, the unsealed tail among them, ordered by their newest (desc) or oldest (asc) row. `late`: of
   * each no more is read than is asked for, so that one whose head is damaged is found to be so only then.
   */
  blocks(hints: ScanHints, order: 'asc' | 'desc', late?: boolean): Iterable<Block>;
  /** Where rows are only counted: those that another thread found, in blocks that were left to it; null: it is not done yet. */
  helped?(): number | null;
}

/** Lines of a file that cannot be read. Times in Unix ms, `to` exclusive; null: not known. */
export interface StoreDamage {
  /** Its name in the store's folder. */
  readonly file: string;
  /** Which part of the file. */
  readonly place: string;
  readonly what: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly lost: number | null;
  /** Reading the file does not find it again. */
  readonly keep?: boolean;
}

export interface LogBatch {
  /** A batch of the same id is stored once. Null: always stored. */
  readonly id: string | null;
  /** One JSON object a line; numbers keep their raw token. Handed over to the writer's thread, unless its memory is shared: do not use afterwards. */
  readonly ndjson: Uint8Array;
  readonly options: {
    readonly timeFields: readonly string[];
    readonly messageFields: readonly string[];
    readonly streamFields: readonly string[];
    readonly ignoreFields: readonly string[];
    /** Fields that are kept without the sequences that colour a terminal; with `*` at the end all that begin so. */
    readonly plainFields?: readonly string[];
    /** Names whose objects are kept as JSON, not as fields of their own. */
    readonly jsonFields?: readonly string[];
    readonly extraFields: Readonly<Record<string, string>>;
    /** Fields that the sender may claim only: they are stored as `claimed_…`. */
    readonly claimedFields?: readonly string[];
  };
}

/** What became of a batch: lines kept, lines skipped as they cannot be read. Of a duplicate: what became of the first one. */
export interface LogAck {
  stored: number;
  skipped: number;
  duplicate: boolean;
}

export interface LogRun {
  /** LogsQL text. A bad one is a `Fault` QUERY_INVALID with `extra.position`. */
  readonly query: string;
  /** Unix ms, `from` inclusive, `to` exclusive; null: open. */
  readonly from: number | null;
  readonly to: number | null;
  /** Filters that are joined to the query with `and`, as LogsQL. */
  readonly extraFilters: readonly string[];
  /** The newest matches, newest first, when the query itself neither sorts nor counts. Null: all, in no order. */
  readonly limit: number | null;
  readonly offset: number;
  /** The instant of relative times in the query, unix ms. */
  readonly now: number;
  readonly timeoutMs: number;
  /** Only lines that are new to the caller, in a store that numbers them (see `arrived`). */
  readonly arrivals?: Arrivals | undefined;
}

/** What every log store does, here or elsewhere. */
export interface LogStore {
  /** Resolves when the rows would survive a kill of the process. Refuses with STORE_FULL on a full disk. */
  insert(batch: LogBatch): Promise<LogAck>;
  /** NDJSON in pages of at most 256 KB, pulled: a slow reader slows the query. Aborting ends it in the thread. */
  run(run: LogRun, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** The number of the newest line that was acknowledged; null: this store numbers none. */
  arrived(): number | null;
  stats(): LogStoreStats;
  close(): Promise<void>;
}

export interface LogStoreStats {
  rows: number;
  /** On disk. */
  bytes: number;
  blocks: number;
  /** Unix ms of the oldest and the newest line. */
  oldest: number | null;
  newest: number | null;
  /** Why nothing can be written; null: it can. */
  refusing: string | null;
  /** Blocks and files that could not be read, since the start. */
  damaged: number;
  /** Lines since the start: taken, and skipped as no JSON object, too long, with too many fields or without a time that can be read. */
  stored: number;
  skipped: number;
  /** Batches since the start: sent again, and refused. */
  duplicates: number;
  refused: number;
  /** Bytes of batches that wait to be written. */
  queuedBytes: number;
  /** How long the last batch took to be kept. */
  lagMs: number;
  /** Of a store elsewhere; null: the master keeps the lines itself. */
  remote: {
    up: boolean;
    /** Requests since the start that were answered, and that failed because of the store. */
    answered: number;
    failed: number;
    /** Lines that were there twice and were shown once. */
    duplicates: number;
  } | null;
}
