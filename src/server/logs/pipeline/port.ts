import type { NamedSecret } from '../../../lib/redact.ts';
import type { Page } from '../../../contract/api.ts';
import type { DeadLetter } from '../../../contract/api-pipeline.ts';

/** What a pipeline counts since it started, and what it holds now. */
export interface PipelineStats {
  /** Lines that are on disk: from here on none is lost. */
  accepted: number;
  /** Lines that the store has acknowledged. */
  delivered: number;
  /** Attempts to deliver a batch that failed and were, or will be, made again. */
  retried: number;
  /** Lines that the store refused for good; they are among the dead letters. */
  dead: number;
  /** Dead letters that made room for newer ones. */
  deadDropped: number;
  /** Lines that were thrown away because the queue was full (only where that is configured). */
  dropped: number;
  /** Lines cut at the longest that is taken. */
  truncated: number;
  /** Lines that were no JSON and were kept as text. */
  unparsed: number;
  /** Lines that the store skipped while it took the rest of their batch. */
  skipped: number;
  /** How often the senders were made to wait because the queue was full or the disk refused. */
  pauses: number;
  paused: boolean;
  queueBytes: number;
  queueLines: number;
  /** Age of the oldest line that the store does not have yet. */
  lagMs: number;
  connections: number;
  /** Why the disk refuses the queue; null: it does not. */
  refusing: string | null;
}

/** Where batches go. */
export interface PipelineTarget {
  /** Base address of a log store, such as `http://127.0.0.1:9428`. */
  url: string;
  /** Sent as a bearer token. */
  token: string | null;
  gzip: boolean;
}

export interface DeadLetters {
  list(query: { page: number; size: number }): Promise<Page<DeadLetter>>;
  /** Puts them into the queue again; null: all of them. Resolves to how many there were. */
  replay(ids: readonly string[] | null): Promise<{ replayed: number }>;
  discard(ids: readonly string[] | null): Promise<{ discarded: number }>;
}

/** The running pipelines, seen from the process that started them. */
export interface Pipelines {
  readonly port: number;
  readonly deadLetters: DeadLetters;
  /** From now on lines are kept with `[secret NAME]` in the place of these values. */
  redact(secrets: readonly NamedSecret[]): void;
  stats(): PipelineStats;
  /** Takes no more lines, gives the store a moment to take what is queued; the rest stays on disk for the next start. */
  close(): Promise<void>;
}
