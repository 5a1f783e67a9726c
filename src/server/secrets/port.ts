import type { Secret } from '../../contract/secrets.ts';
import type { Page } from '../../contract/shapes.ts';
import type { LeasedSecret } from '../../contract/worker-protocol.ts';
import type { NamedSecret, Redactor } from '../../lib/redact.ts';
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

/** Values that tasks need and nobody reads back: encrypted at rest, handed to workers with the leases that name them. */
export interface Secrets {
  list(query: { page: number; size: number }): Promise<Page<Secret>>;
  put(name: string, input: { value: string; description?: string | null }, actor: Actor): Promise<Secret>;
  remove(name: string, actor: Actor): Promise<void>;
  /** For a lease: each name with its value, or with why there is none. */
  lease(names: readonly string[]): Record<string, LeasedSecret>;
  /** Takes the values of all secrets out of what people are shown. Another one after each change. */
  readonly redactor: Redactor;
  /** Calls back now and after each change, with all that can be read. */
  watch(listener: (secrets: readonly NamedSecret[]) => void): void;
  readonly cipher: Cipher;
  /** What is wrong with the key; null: nothing. */
  readonly keyProblem: string | null;
}
