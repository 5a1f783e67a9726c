import type { Verify } from '../observability/port.ts';

/**
 * The store port. Rooms own their statements (`<room>/…sql.ts`); this room owns handles, transactions and migrations.
 * Writing goes through `write`: all commands that arrive in one turn of the event loop share one transaction (group
 * commit), and each promise settles after COMMIT. A command is synchronous, touches nothing but the handle and its
 * arguments, and may be run again after a roll-back, so it must have no effect outside the database before it returns.
 */
export type Value = string | number | bigint | null | Uint8Array;

export interface Query<T> {
  get(...args: Value[]): T | undefined;
  all(...args: Value[]): T[];
  iterate(...args: Value[]): IterableIterator<T>;
}

export interface Statement {
  /** Rows changed. */
  run(...args: Value[]): number;
}

/** A handle that cannot write. Statements are prepared once a handle and kept. */
export interface ReadHandle {
  query<T>(sql: string): Query<T>;
}

export interface WriteHandle extends ReadHandle {
  statement(sql: string): Statement;
}

/**
 * Hears of every transaction of the writer, for a journal elsewhere. All of it is synchronous; what it throws before the
 * commit rolls the transaction back.
 */
export interface TurnRecorder {
  /** A transaction begins; what was heard since the last commit was rolled back. */
  begin(): void;
  /** A statement changed rows. */
  ran(sql: string, args: readonly Value[]): void;
  /** Everything of the transaction has run: COMMIT comes next. */
  sealed(): void;
  committed(): void;
}

export interface Store {
  /** The database, for threads with handles of their own. */
  readonly file: string;
  /** When it was written to before it was opened, in milliseconds; null: never. */
  readonly leftAt: number | null;
  /** Reads what is committed. Never call it inside a command: use the command's own handle there. */
  readonly read: ReadHandle;
  /**
   * Resolves once the command is committed and, with durability `full`, on the disk. `committed` is called as soon as it
   * is committed: later writes may build on it then, but nobody outside may be told yet.
   */
  write<T>(command: (db: WriteHandle) => T, committed?: (result: T) => void): Promise<T>;
  /** Resolves once all that is committed by now is as safe as `write` makes it. For who tells others what was read. */
  durable(): Promise<void>;
  /** Pages of the file, and how many of them hold nothing. */
  space(): { pages: number; free: number };
  /** Gives up to so many of those back to the disk, in one transaction. */
  shrink(pages: number): Promise<void>;
  sizeBytes(): number;
  /** True where a row stands on a page that was found damaged when the database was opened. */
  isSuspect(table: string, row: number): boolean;
  /** Reads every byte of it, and reports what is damaged. */
  readonly verify: Verify;
  /** True from a write that the disk refused until it has room again and has refused none for some seconds. */
  readonly refusing: boolean;
  close(): Promise<void>;
}
