import type { Presenter } from '../../access/port.ts';
import type { Verify } from '../../observability/port.ts';
import type { RemoteTarget } from '../../../lib/remote-http.ts';
import type { NamedSecret } from '../../../lib/redact.ts';
import type { DeadLetter, PipelineStats } from '../../../contract/logs.ts';
import type { Page } from '../../../contract/shapes.ts';
import type { Role } from '../../../contract/vocabulary.ts';

/** Lines of a pipeline that cannot be read. */
export interface PipelineDamage {
  /** Path in the pipeline's folder. */
  readonly file: string;
  readonly what: string;
  /** Unix ms; the lines came in between. */
  readonly from: number | null;
  readonly to: number;
  /** Null: it is not known how many. */
  readonly lost: number | null;
}

/** Where batches go: a log store's base address. */
export interface PipelineTarget extends RemoteTarget {
  readonly gzip: boolean;
  /** Each line gets an id, since the store keeps no batch IDs; `ask`: where it does not say that it does. */
  readonly lineIds: boolean | 'ask';
  /** Where it is asked which lines it has; null: at the same address. */
  readonly select: RemoteTarget | null;
}

/** Whose token opened a connection. */
export interface SenderIdentity {
  readonly tokenId: string;
  readonly role: Extract<Role, 'worker' | 'operator' | 'admin'>;
}

/** Tells whose token this is; null: nobody's who may write. */
export type IdentifySender = (secret: string, from: Presenter) => Promise<SenderIdentity | null>;

/** How the process that starts pipelines knows tokens. */
export interface SenderTokens {
  identify(secret: string, from: Presenter): SenderIdentity | null;
  isActive(tokenId: string): boolean;
  /** What the workers of a token may say of their lines. */
  vouch(tokenId: string, question: Question): Promise<Answer>;
  /** Calls back when a token may have ended. Returns what ends the calls. */
  onEnded(listener: () => void): () => void;
}

/** Whether workers of one token run, or ran not long ago, what their lines name. `job`: the one that a line names with its task. */
export interface Question {
  readonly tasks: readonly { readonly task: string; readonly job: string | null }[];
  readonly jobs: readonly string[];
  readonly workers: readonly string[];
}

/** In the order of the question. Of a task: its job with its workflow, and the worker of this token that has or had it; null: none. */
export interface Answer {
  readonly tasks: readonly ({
    readonly job: string;
    readonly worker: string;
    readonly workflow: string | null;
  } | null)[];
  /** Null: not of this token. */
  readonly jobs: readonly ({ readonly workflow: string | null } | null)[];
  readonly workers: readonly boolean[];
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
  readonly verify: Verify;
  /** Takes no more lines, gives the store a moment to take what is queued; the rest stays on disk for the next start. */
  close(): Promise<void>;
}
