import type { Limits } from '../../contract/limits.ts';
import type { Setting, OtherSettings } from '../../contract/settings.ts';
import type { Actor, Precondition } from '../workflows/port.ts';

/** What is in force. Whoever reads a limit when it is needed, rather than once, sees overrides at once. */
export interface Settings {
  readonly limits: Readonly<Limits>;
  readonly other: Readonly<OtherSettings>;
  list(): Setting[];
  /** Overrides by name; null takes one back. All or none. `first` runs in the transaction, and may refuse. Throws VALIDATION_FAILED with a pointer for each fault. */
  patch(changes: Readonly<Record<string, unknown>>, actor: Actor, first?: Precondition): Promise<void>;
  /** True where these changes would weaken what takes a second person: they are made only with `first`, else SECOND_PERSON_NEEDED. */
  weakens(changes: Readonly<Record<string, unknown>>): boolean;
  /** What these are now, by name. */
  inForce(names: readonly string[]): Record<string, unknown>;
  /** Calls back after each change that took effect. */
  watch(listener: () => void): void;
}
