import type { Limits } from '../../contract/limits.ts';
import type { Setting, OtherSettings } from '../../contract/settings.ts';
import type { Actor } from '../workflows/port.ts';

/** What is in force. Whoever reads a limit when it is needed, rather than once, sees overrides at once. */
export interface Settings {
  readonly limits: Readonly<Limits>;
  readonly other: Readonly<OtherSettings>;
  list(): Setting[];
  /** Overrides by name; null takes one back. All or none. Throws VALIDATION_FAILED with a pointer for each fault. */
  patch(changes: Record<string, unknown>, actor: Actor): Promise<void>;
  /** Calls back after each change that took effect. */
  watch(listener: () => void): void;
}
