import { errorMessage } from '../../lib/errors.ts';
import { noOwner, type OwnershipProof } from './journal/appender.ts';
import type { JournalDatabase } from './journal/port.ts';
import type { ClusterTime } from './time.ts';

/** Between renewals of the lease. */
export const RENEW_MS = 250;
/**
 * A read is answered without asking anew for so long after the last proof. A standby takes over no sooner than this after
 * the last renewal (`standby.ts`), unless the owner hands over.
 */
export const FRESH_MS = 600;
/** How long the lease lasts, by the clock of the database. */
export const LEASE_MS = 5000;
/** The owner ends its own part of the lease earlier. */
const MARGIN_MS = 500;
const CHECK_MS = 100;

export interface Ownership extends OwnershipProof {
  readonly epoch: number;
  /** Proved a moment ago. */
  fresh(): boolean;
  /** No renewal any more. */
  stop(): void;
}

export interface OwnershipOptions {
  readonly database: Pick<JournalDatabase, 'renew'>;
  readonly owner: string;
  readonly epoch: number;
  /** When the takeover began, by `time`. */
  readonly since: number;
  readonly time: Pick<ClusterTime, 'elapsed' | 'sleep'>;
  /** Another master owns the partition. */
  onDeposed(): void;
  /** The lease has run out without a renewal: nothing can be answered until one succeeds. */
  onExpired(): void;
  onTrouble(message: string): void;
}

/**
 * Keeps the lease of the owner and knows when it was last proved. What it holds in memory may be told only shortly after a
 * proof: a master that was stopped or cut off might have been replaced meanwhile. Only a renewal is a proof: a standby sees
 * it, and waits. An append may go through while nothing is renewed, and a standby may take over right after it.
 */
export function holdOwnership(options: OwnershipOptions): Ownership {
  const { database, owner, epoch, time } = options;
  let provedAt = options.since;
  let stopped = false;
  let expired = false;
  let waiting: { readonly since: number; told(error: Error | null): void }[] = [];

  const age = () => time.elapsed() - provedAt;

  function proved(startedAt: number): void {
    if (startedAt <= provedAt) return;
    provedAt = startedAt;
    if (age() >= LEASE_MS - MARGIN_MS) return;
    expired = false;
    // Whoever waited before it was sent saw the state while it was this master's, however long the answer took.
    tell(null, age() < FRESH_MS ? Infinity : startedAt);
  }

  function tell(error: Error | null, until = Infinity): void {
    const told = waiting.filter(({ since }) => since <= until);
    waiting = waiting.filter(({ since }) => since > until);
    for (const one of told) one.told(error);
  }

  async function renewAlways(): Promise<void> {
    while (!stopped) {
      const startedAt = time.elapsed();
      try {
        if (!(await database.renew(owner, epoch))) {
          if (!stopped) options.onDeposed();
          return;
        }
        proved(startedAt);
      } catch (error) {
        options.onTrouble(errorMessage(error));
      }
      await time.sleep(Math.max(CHECK_MS, RENEW_MS - (time.elapsed() - startedAt)));
    }
  }

  async function watchLease(): Promise<void> {
    while (!stopped) {
      await time.sleep(CHECK_MS);
      if (stopped || expired || age() < LEASE_MS - MARGIN_MS) continue;
      expired = true;
      tell(noOwner());
      options.onExpired();
    }
  }

  void renewAlways();
  void watchLease();
  return {
    epoch,
    fresh: () => !stopped && age() < FRESH_MS,
    whenProved(told) {
      if (stopped || expired) told(noOwner());
      else if (age() < FRESH_MS) told(null);
      else waiting.push({ since: time.elapsed(), told });
    },
    stop() {
      stopped = true;
      tell(noOwner());
    },
  };
}
