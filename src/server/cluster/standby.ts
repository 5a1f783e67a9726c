import type { FailoverReason } from '../../contract/cluster.ts';
import type { OwnershipState } from './journal/port.ts';
import { FRESH_MS, LEASE_MS } from './ownership.ts';

/** The connection of the owner must be missed for so long; it makes another at once where it only lost it. */
const GONE_MS = 400;
/** The owner has told nothing from memory by then without asking anew; some more for the ways between. */
const QUIET_MS = FRESH_MS + 150;
/** A standby that was offered the state and has not taken it by then is not waited for. */
const OFFER_MS = 3000;

/** What a standby has seen by its own clock, which never runs ahead (`ClusterTime.steady`). */
export interface Observed {
  /** So long the owner's connection has been missing, while the standby's own was there. */
  readonly goneForMs: number;
  /** So long the owner has not renewed. */
  readonly quietForMs: number;
}

/**
 * Why a standby may take the partition over; null: it may not. An owner whose connection ended and that has not renewed
 * since is replaced at once, any other when its lease runs out. Whatever the clock of the database says, an owner that
 * renews is left alone.
 */
export function reasonToTakeOver(
  seen: OwnershipState,
  me: string,
  { goneForMs, quietForMs }: Observed,
): FailoverReason | null {
  const { owner, handoverTo } = seen;
  if (owner === null) return 'start';
  if (handoverTo === me) return 'handover';
  const isOffered = handoverTo !== null && quietForMs < OFFER_MS;
  // Only one process can be this master: its data folder is locked.
  if (owner === me) return isOffered ? null : 'restart';
  if (quietForMs < QUIET_MS) return null;
  if (seen.expired || quietForMs >= LEASE_MS) return 'lease expired';
  if (!isOffered && seen.gone && goneForMs >= GONE_MS) return 'owner gone';
  return null;
}
