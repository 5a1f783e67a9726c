import { MIN_REDACTED_CHARACTERS } from '../contract/secret-names.ts';
import type { Lease, LeasedSecret } from '../contract/worker-protocol.ts';
import { BoundedMap } from '../lib/bounded-map.ts';
import { createDisguiseRedactor, createRedactor, type Redactor } from '../lib/redact.ts';
import { TaskExecutionError } from './task-execution-error.ts';

/** What a worker knows of secrets: those of its leases, as long as it runs, so that no line or message of it shows one. */
export interface SecretVault {
  add(secrets: Record<string, LeasedSecret>): void;
  /** The value that a lease brought. Throws a `TaskExecutionError` NON_RETRYABLE where it brought none. */
  secret(secrets: Lease['secrets'], name: string): string;
  /** What a task says, without the values that its lease brought, in disguises too, and without all others that are known as they are. */
  redactorFor(secrets: Lease['secrets']): Redactor;
}

/** Values that are looked for, at most; those that came first are forgotten first. */
const KEPT = 2000;
/** Sets of secrets whose disguises are kept ready, at most. */
const KEPT_SETS = 100;

export function createSecretVault(): SecretVault {
  const known = new Map<string, string>();
  let redactor = createRedactor([], MIN_REDACTED_CHARACTERS);
  const ofSets = new BoundedMap<string, Redactor>(KEPT_SETS);

  function disguisesOf(secrets: Record<string, LeasedSecret>): Redactor {
    const key = JSON.stringify(secrets);
    let known = ofSets.get(key);
    if (!known) {
      const named = Object.entries(secrets).flatMap(([name, one]) =>
        'value' in one ? [{ name, value: one.value }] : [],
      );
      ofSets.set(key, (known = createDisguiseRedactor(named, MIN_REDACTED_CHARACTERS)));
    }
    return known;
  }

  return {
    redactorFor(secrets) {
      if (!secrets) return redactor;
      const own = disguisesOf(secrets);
      return {
        text: (text) => redactor.text(own.text(text)),
        json: (text, under) => redactor.json(own.json(text, under), under),
        value: (value) => redactor.value(own.value(value)),
      };
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
