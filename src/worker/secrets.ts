import { MIN_REDACTED_CHARACTERS } from '../contract/secret-names.ts';
import type { Lease, LeasedSecret } from '../contract/worker-protocol.ts';
import { createRedactor, type Redactor } from '../lib/redact.ts';
import { TaskExecutionError } from './task-execution-error.ts';

/** What a worker knows of secrets: those of its leases, as long as it runs, so that no line or message of it shows one. */
export interface SecretVault {
  add(secrets: Record<string, LeasedSecret>): void;
  /** The value that a lease brought. Throws a `TaskExecutionError` NON_RETRYABLE where it brought none. */
  secret(secrets: Lease['secrets'], name: string): string;
  readonly redactor: Redactor;
}

/** Values that are looked for, at most; those that came first are forgotten first. */
const KEPT = 2000;

export function createSecretVault(): SecretVault {
  const known = new Map<string, string>();
  let redactor = createRedactor([], MIN_REDACTED_CHARACTERS);
  return {
    get redactor() {
      return redactor;
    },
    add(secrets) {
      let fresh = false;
      for (const [name, secret] of Object.entries(secrets)) {
        if (!('value' in secret) || known.has(secret.value)) continue;
        known.set(secret.value, name);
        fresh = true;
      }
      if (!fresh) return;
      for (const oldest of known.keys()) {
        if (known.size <= KEPT) break;
        known.delete(oldest);
      }
      redactor = createRedactor(
        [...known].map(([value, name]) => ({ name, value })),
        MIN_REDACTED_CHARACTERS,
      );
    },
    secret(secrets, name) {
      const found = secrets && Object.hasOwn(secrets, name) ? secrets[name] : undefined;
      if (found && 'value' in found) return found.value;
      throw new TaskExecutionError(
        'NON_RETRYABLE',
        found?.missing ?? `the master did not send secret ${name} with the task`,
      );
    },
  };
}
