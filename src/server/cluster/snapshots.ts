import { errorMessage } from '../../lib/errors.ts';
import type { Appender } from './journal/appender.ts';
import type { ClusterMember } from './member.ts';
import type { ClusterView } from './port.ts';
import { putSnapshot } from './put-snapshot.ts';

/** The owner leaves snapshots to a standby, until the journal is so many times longer than one would let it be. */
const PATIENCE = 2;

/** When each master looked last, by its `time`; while it takes a snapshot, for ever. */
const lookedAt = new WeakMap<ClusterMember, number>();

/**
 * Takes a snapshot where the journal behind the newest one has grown long, and drops what no restore needs any more. Beside
 * what the standby does: a takeover ends it, and the next standby begins anew.
 */
export function takeSnapshotIfDue(member: ClusterMember, take: (by: string) => Promise<void>): void {
  const now = member.time.elapsed();
  if (now - (lookedAt.get(member) ?? -Infinity) < member.snapshots.lookMs) return;
  lookedAt.set(member, Infinity);
  takeIfDue(member, take)
    .catch((error: unknown) => member.trouble(errorMessage(error)))
    .finally(() => lookedAt.set(member, member.time.elapsed()));
}

async function takeIfDue(
  { database, id, limits, snapshots }: ClusterMember,
  take: (by: string) => Promise<void>,
): Promise<void> {
  if ((await database.bytesAfterSnapshot()) < snapshots.journalBytes) return;
  await take(id);
  await database.trim(limits.snapshotsKept);
}

/** Snapshots that an owner takes. */
export interface OwnSnapshots {
  /** Takes one, however short the journal is. */
  take(): Promise<void>;
  stop(): void;
}

/** The same for an owner without a standby, or with one that does not do it. It copies its file in a thread, and goes on. */
export function keepJournalShort(
  member: ClusterMember,
  view: Pick<ClusterView, 'chooseStandby'>,
  appender: Pick<Appender, 'settled'>,
): OwnSnapshots {
  const { database, id, snapshots, time } = member;
  let stopped = false;
  let cancel = time.after(snapshots.lookMs, look);
  let close: (() => Promise<void>) | null = null;
  /** One after the other: each copies the file to the same place. */
  let last: Promise<void> = Promise.resolve();

  function inOrder(run: () => Promise<void>): Promise<void> {
    const mine = last.then(() => (stopped ? undefined : run()));
    last = mine.catch(() => {});
    return mine;
  }

  function look(): void {
    inOrder(takeIfLong)
      .catch((error: unknown) => {
        if (!stopped) member.trouble(`no snapshot: ${errorMessage(error)}`);
      })
      .finally(() => {
        if (!stopped) cancel = time.after(snapshots.lookMs, look);
      });
  }

  async function takeIfLong(): Promise<void> {
    const bytes = await database.bytesAfterSnapshot();
    if (bytes < snapshots.journalBytes) return;
    const isLeft = bytes < PATIENCE * snapshots.journalBytes && (await hasStandby());
    if (!isLeft) await takeOwn();
  }

  async function takeOwn(): Promise<void> {
    if (stopped) return;
    const source = member.copyOfOwner();
    close = () => source.close();
    try {
      await putSnapshot(database, id, source, appended);
      await database.trim(member.limits.snapshotsKept);
    } finally {
      close = null;
      await source.close();
    }
  }

  const hasStandby = (): Promise<boolean> =>
    view.chooseStandby(null).then(
      () => true,
      () => false,
    );

  /** The file is ahead of the journal now and then: until all of it is there, the copy may hold what never will be. */
  const appended = (): Promise<void> =>
    new Promise((resolve, reject) => appender.settled((error) => (error ? reject(error) : resolve())));

  return {
    take: () => inOrder(takeOwn),
    stop() {
      stopped = true;
      cancel();
      void close?.().catch(() => {});
    },
  };
}
