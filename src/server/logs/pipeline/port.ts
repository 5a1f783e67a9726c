import type { NamedSecret } from '../../../lib/redact.ts';
import type { DeadLetter, PipelineStats } from '../../../contract/logs.ts';
import type { Page } from '../../../contract/shapes.ts';
import type { Role } from '../../../contract/vocabulary.ts';

/** Where batches go. */
export interface PipelineTarget {
  /** Base address of a log store, such as `http://127.0.0.1:9428`. */
  url: string;
  /** Sent as a bearer token. */
  token: string | null;
  gzip: boolean;
}

/** Whose token opened a connection. */
export interface SenderIdentity {
  readonly tokenId: string;
  readonly role: Extract<Role, 'worker' | 'operator' | 'admin'>;
}

/** Tells whose token this is; null: nobody's who may write. */
export type IdentifySender = (secret: string) => Promise<SenderIdentity | null>;

/** How the process that starts pipelines knows tokens. */
export interface SenderTokens {
  identify(secret: string): SenderIdentity | null;
  isActive(tokenId: string): boolean;
  /** Calls back when a token may have ended. Returns what ends the calls. */
  onEnded(listener: () => void): () => void;
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
