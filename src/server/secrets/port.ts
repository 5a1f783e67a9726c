import type { Secret, SecretScope, SecretScopeChange, SecretScopeInput } from '../../contract/secrets.ts';
import type { Page } from '../../contract/shapes.ts';
import type { Environment, JobKind } from '../../contract/vocabulary.ts';
import type { LeasedSecret } from '../../contract/worker-protocol.ts';
import type { NamedSecret, Redactor } from '../../lib/redact.ts';
import type { ReadHandle, WriteHandle } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';

/** A text under the key of the secrets (AES-256-GCM). */
export interface Ciphertext {
  keyId: string;
  nonce: Uint8Array;
  /** Ciphertext, then the tag of 16 bytes. */
  box: Uint8Array;
}

/** Encrypts what other rooms keep secret. `name` is bound to the box: under another one it does not open. */
export interface Cipher {
  /** Id of the key that encrypts; null: there is none yet. */
  readonly currentKeyId: string | null;
  /** SECRETS_LOCKED where the key is wrong. */
  encrypt(name: string, value: string): Ciphertext;
  /** Null: its key is missing, or it was changed. */
  decrypt(name: string, sealed: Ciphertext): string | null;
}

/** Where a secret may be used, for who may manage it. */
export interface SecretHolding {
  readonly project: string;
  /** Null: all, or drafts, which have none. */
  readonly environments: readonly Environment[] | null;
}

/** What the scope of a secret is held against: the job as the master knows it, never what a caller says. */
export interface SecretRun {
  readonly workflowId: string;
  /** Null: it runs in none. */
  readonly environment: Environment | null;
  readonly commit: string;
  readonly kind: JobKind;
}

/** A job (or a backtest, by its id) that was given secrets. */
export interface SecretUse extends SecretRun {
  readonly jobId: string;
  /** The node that names them; null: several do. */
  readonly node: string | null;
  readonly names: readonly string[];
}

/** Values that tasks need and nobody reads back: encrypted at rest, handed to workers with the leases that name them. */
export interface Secrets {
  /** `sees`: only those of which it says true. */
  list(
    query: { page: number; size: number },
    sees?: ((secret: SecretHolding) => boolean) | null,
  ): Promise<Page<Secret>>;
  /** Null: there is none. */
  find(name: string): (SecretHolding & { readonly scope: SecretScope }) | null;
  /** What is left out stays as it is. Throws PROJECT_NOT_FOUND. */
  put(
    name: string,
    input: { value: string; description?: string | null; scope?: SecretScopeInput; project?: string },
    actor: Actor,
  ): Promise<Secret>;
  update(
    name: string,
    change: { description?: string | null; scope?: SecretScopeChange; project?: string },
    actor: Actor,
  ): Promise<Secret>;
  remove(name: string, actor: Actor): Promise<void>;
  /** For a lease: each name with its value, or with why there is none. */
  lease(names: readonly string[]): Record<string, LeasedSecret>;
  /** Why this run may not be given one of these secrets, with what to do about it; null: it may have them all. What was published is looked up in `db`. */
  refusal(db: ReadHandle, names: readonly string[], run: SecretRun): string | null;
  /** Notes in the audit log that jobs were given secrets, each secret once a job. In the transaction of the leases. */
  recordUses(db: WriteHandle, uses: readonly SecretUse[]): void;
  /** Takes the values of all secrets out of what people are shown. Another one after each change. */
  readonly redactor: Redactor;
  /** Calls back now and after each change, with all that can be read. */
  watch(listener: (secrets: readonly NamedSecret[]) => void): void;
  readonly cipher: Cipher;
  /** What is wrong with the key; null: nothing. */
  readonly keyProblem: string | null;
}
