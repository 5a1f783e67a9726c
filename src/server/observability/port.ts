import type { Damage, DataCheck, DataPart, DataWarning } from '../../contract/data-health.ts';

/** A damage as a store tells it. Times in Unix ms. */
export interface FoundDamage {
  readonly part: DataPart;
  /** Path in the data folder, with `/`. */
  readonly file: string;
  /** Where in the file: an offset, a row, a block. With the file it says which damage this is. */
  readonly place: string;
  readonly what: string;
  /** What is missing lies between `from` (inclusive) and `to` (exclusive); null: this is not known. */
  readonly from: number | null;
  readonly to: number | null;
  /** Records, points or rows that are missing; null: this is not known. */
  readonly lost: number | null;
  /** It cannot be found again by reading the files: it is remembered over a restart. */
  readonly keep?: boolean;
}

/** What a store needs of the registry. */
export type ReportDamage = (damage: FoundDamage) => void;

/** Damage that is no more: its file was deleted, repaired or rewritten. Without `place`: all of the file. */
export type ForgetDamage = (part: DataPart, file: string, place?: string) => void;

/** All damage that is known. What is reported twice is known once. */
export interface DamageRegistry {
  readonly report: ReportDamage;
  readonly forget: ForgetDamage;
  /** The newest last; bounded. */
  list(): Damage[];
  /** Further ones, which are only counted. */
  readonly unlisted: number;
  /** Damages that are known now, by part. */
  counts(): Readonly<Record<DataPart, number>>;
  /** Damages found since the start, also those that are no more. */
  readonly found: number;
  /** What an answer over this time (Unix ms, `from` inclusive, `to` exclusive; null: open) has to say. Empty: it is whole. */
  warnings(parts: readonly DataPart[], from: number | null, to: number | null): DataWarning[];
  /** Calls back for each damage that is new. Returns what ends the calls. */
  watch(listener: (damage: Damage) => void): () => void;
}

/** What a store found where it read all that it has. */
export interface Verified {
  readonly bytes: number;
  readonly damages: readonly FoundDamage[];
}

export interface VerifyOptions {
  /** Bytes that are read in a second; 0: as fast as it goes. */
  readonly bytesPerSecond: number;
  readonly signal: AbortSignal;
  /** A check that a restart ended goes on: `from` is what was saved last, null at the beginning. */
  readonly resume?: { readonly from: string | null; save(from: string): void };
}

/** Reads every byte of a store beside its other work, and reports what it finds. Rejects where the signal aborts. */
export type Verify = (options: VerifyOptions) => Promise<Verified>;

export interface DataChecks {
  /** Of each part the last whole check, and the one under way. */
  list(): DataCheck[];
  /** Reads every byte of every part now, as fast as it goes. Returns at once. */
  start(): void;
  close(): Promise<void>;
}

/** One metric of Prometheus' text exposition: `labels` makes one of several samples of the same name. */
export interface Sample {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}
