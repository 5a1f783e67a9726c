import type { FailoverReason } from '../../contract/cluster.ts';
import { errorMessage } from '../../lib/errors.ts';
import { Fault } from '../../lib/fault.ts';
import type { OwnershipState } from './journal/port.ts';
import { FRESH_MS, LEASE_MS } from './ownership.ts';
import type { ClusterMember } from './member.ts';
import { isDiverged, type ReplicaPosition } from './replica/apply-turns.ts';
import { openReplicaReads, type ReplicaReads } from './replica/replica-reads.ts';
import type { Replica } from './replica/replica.ts';
import { takeSnapshotIfDue } from './snapshots.ts';

/** The state is this master's: since when (by its `time`), why, and what its working copy holds. */
export interface Taken {
  readonly epoch: number;
  readonly since: number;
  readonly reason: FailoverReason;
  readonly position: ReplicaPosition | null;
}

const POLL_MS = 50;
const TROUBLE_MS = 300;
const UPGRADE_MS = 5000;

/**
 * Follows the journal and forwards requests to the owner, until there is a reason to take over. Null: this master ends.
 */
export async function standBy(member: ClusterMember): Promise<Taken | null> {
  const { closing, state, time, database } = member;
  state.role = 'joining';
  const unannounce = member.announce();
  let replica: Replica | null = null;
  let reads: ReplicaReads | null = null;
  let opening: Promise<Replica> | null = null;
  let goneSince: number | null = null;
  /** Since when it has seen this renewal of the owner as the last one. */
  let quiet = { renewedAt: '', since: time.steady() };
  try {
    while (!closing.aborted) {
      try {
        const seen = await database.look();
        if (seen.renewedAt !== quiet.renewedAt) quiet = { renewedAt: seen.renewedAt, since: time.steady() };
        forward(member, seen);
        if (replica === null) {
          // A rebuild may take minutes: requests are forwarded meanwhile, also to the next owner.
          opening ??= member.openReplica().catch((error: unknown) => {
            opening = null;
            throw error;
          });
          replica = await Promise.race([opening, time.sleep(POLL_MS).then(() => null)]);
          if (replica === null) continue;
          opening = null;
          member.warm.begin();
          reads = member.reads
            ? openReplicaReads(member.reads.open(), time, member.limits.replicaWaitSeconds * 1000)
            : null;
          member.reads?.by(reads?.read ?? null);
        }
        state.lagMs = seen.last > (replica.position?.turn ?? 0) ? Math.round(await replica.catchUp()) : 0;
        state.seq = replica.position?.turn ?? 0;
        state.role = 'standby';
        reads?.reached(state.seq);
        goneSince = seen.gone ? (goneSince ?? time.steady()) : null;
        const reason = reasonToTakeOver(seen, member.id, {
          goneForMs: goneSince === null ? 0 : time.steady() - goneSince,
          quietForMs: time.steady() - quiet.since,
        });
        const taken = reason && (await takeOver(member, replica, seen, reason, endReads));
        if (taken) {
          replica = null;
          return taken;
        }
        takeSnapshotIfDue(member, replica.takeSnapshot);
      } catch (error) {
        goneSince = null;
        // It is opened anew, and rebuilt where it does not fit.
        await endReads();
        await replica?.close();
        replica = null;
        await recover(member, error);
        continue;
      }
      await (reads ? reads.pause(POLL_MS) : time.sleep(POLL_MS));
    }
    return null;
  } finally {
    await endReads();
    await (replica ?? (await opening?.catch(() => null)))?.close();
    unannounce();
  }

  async function endReads(): Promise<void> {
    member.reads?.by(null);
    const ended = reads;
    reads = null;
    await ended
      ?.close()
      .catch((error: unknown) => member.options.log(`reads of the working copy: ${errorMessage(error)}`));
  }
}

/** To the owner, while it is one that answers. */
function forward(member: ClusterMember, { epoch, owner, ownerUrl, expired, handoverTo }: OwnershipState): void {
  const isAlive = owner !== null && owner !== member.id && ownerUrl !== null && !expired && handoverTo === null;
  member.serveBy(isAlive ? { kind: 'other', url: ownerUrl, epoch } : { kind: 'none', isHandover: handoverTo !== null });
}

async function takeOver(
  member: ClusterMember,
  replica: Replica,
  seen: OwnershipState,
  reason: FailoverReason,
  endReads: () => Promise<void>,
): Promise<Taken | null> {
  const { database, time, id, url } = member;
  // Such a copy was opened before the state was put into the database (`store copy`).
  if (replica.position === null && (await database.snapshots()).length > 0)
    throw new Error('the database has a state that the working copy lacks');
  const since = time.elapsed();
  const epoch = await database.takeOver(id, url, seen, reason);
  if (epoch === null) return null;
  member.serveBy({ kind: 'none', isHandover: reason === 'handover' });
  // Nobody waits for the end of threads that only read.
  void endReads();
  // What the owner before appended until the takeover.
  await replica.catchUp();
  const { position } = replica;
  await replica.close();
  return { epoch, since, reason, position };
}

async function recover(member: ClusterMember, error: unknown): Promise<void> {
  if (error instanceof Fault && error.code === 'SCHEMA_UNKNOWN') {
    member.state.role = 'diverged';
    member.trouble(errorMessage(error));
    return member.time.sleep(UPGRADE_MS);
  }
  if (isDiverged(error)) {
    // It says so while it is rebuilt.
    member.state.role = 'diverged';
    member.foundDiverged?.();
    member.options.log(errorMessage(error));
  } else member.trouble(errorMessage(error));
  await member.time.sleep(TROUBLE_MS);
}

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
