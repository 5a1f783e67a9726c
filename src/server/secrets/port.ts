import type { Page } from '../../contract/api.ts';
import type { Secret } from '../../contract/api-engine.ts';
import type { LeasedSecret } from '../../contract/worker-protocol.ts';
import type { NamedSecret, Redactor } from '../../lib/redact.ts';
import type { Actor } from '../workflows/port.ts';

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
  /** What is wrong with the key; null: nothing. */
  readonly trouble: string | null;
}
