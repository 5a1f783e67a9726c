import type { MasterOptions } from '../../contract/process.ts';
import { errorMessage } from '../../lib/errors.ts';
import { Fault } from '../../lib/fault.ts';
import { clusterView } from './cluster-view.ts';
import { journaledStore } from './journal/journaled-store.ts';
import type { ClusterMember } from './member.ts';
import type { OwnerSide, OwningMaster } from './port.ts';
import { keepJournalShort, type OwnSnapshots } from './snapshots.ts';
import type { Taken } from './standby.ts';
import type { ClusterTime } from './time.ts';
import { watchJournal, type JournalWatch } from './watch-journal.ts';

/** The weight of the newest append in the moving average. */
const SHARE = 0.1;
/** Rights in the database change seldom, and the cluster is looked at every few seconds. */
const WARNINGS_MS = 60_000;
/** How long answers that are under way may take when the state is handed over. */
const PARTING_MS = 1000;

type End =
  | { readonly why: 'deposed' }
  | { readonly why: 'closing' }
  | { readonly why: 'handover'; readonly to: string };

/**
 * Serves as the owner of the state, until another master owns it, it is handed over, or this master ends. Throws what keeps
 * it from serving at all.
 */
export async function own(
  member: ClusterMember,
  taken: Taken,
  build: (options: MasterOptions, side: OwnerSide) => Promise<OwningMaster>,
  serves: (master: OwningMaster | null) => void,
): Promise<void> {
  const { id, database, options, closing, state, front, time, limits } = member;
  const { epoch, since, position } = taken;
  const ended = Promise.withResolvers<End>();
  let end: End | null = null;
  void ended.promise.then((one) => (end = one));
  let appendMs: number | null = null;
  let damage: Parameters<OwnerSide['openStore']>[0] | null = null;
  let watch: JournalWatch | null = null;

  const journaled = journaledStore({
    ...{ openStore: member.openStore, database, owner: id, epoch, since, position, time },
    limits: { entryBytes: limits.journalEntryBytes, pendingBytes: limits.journalWaitingBytes },
    onDeposed: () => ended.resolve({ why: 'deposed' }),
    onTrouble: member.trouble,
    appends: {
      entryAppended: (entry) => watch?.note(entry),
      statementsNamed: (statements) => watch?.named(statements),
    },
    measured: (ms) => (appendMs = appendMs === null ? ms : appendMs + (ms - appendMs) * SHARE),
  });
  let snapshotsOf: OwnSnapshots | null = null;
  if (member.journalLookMs !== undefined)
    watch = watchJournal({
      database,
      time,
      held: position?.turn ?? 0,
      lookMs: member.journalLookMs,
      log: options.log,
      trouble: member.trouble,
      damage: () => damage,
      appended: () => journaled.appender.appended,
      takeSnapshot: () => snapshotsOf?.take() ?? Promise.resolve(),
    });
  const view = clusterView({
    database,
    projection: member.projection ?? null,
    warnings: nowAndThen(() => database.warnings(), time),
    me: id,
    appended: () => journaled.appender.appended,
    appendMs: () => appendMs,
    // Whoever asked for it is answered first.
    handOver: (to) => time.after(50, () => ended.resolve({ why: 'handover', to })),
  });
  const side: OwnerSide = {
    openStore(given) {
      damage = given;
      return journaled.open(given.report);
    },
    view,
    tokens: member.tokens,
    proofKey: member.proofKey,
    url: member.url,
    async attach(app) {
      await app.ready();
      const { ownership } = journaled;
      member.serveBy({ kind: 'own', server: app.server, fresh: ownership.fresh, whenProved: ownership.whenProved });
      return {
        port: member.port,
        url: member.url,
        workerUrl: member.workerUrl,
        async close() {
          front.cutOwn();
          await app.close();
        },
      };
    },
    masters: member.masters,
    watchMasters: member.watchMasters,
    watchLocalWorkers: member.watchLocalWorkers,
    drainSeconds: () => (end?.why === 'closing' ? options.drainSeconds : 0),
  };

  const closed = (): void =>
    void view.chooseStandby(null).then(
      (to) => ended.resolve({ why: 'handover', to }),
      () => ended.resolve({ why: 'closing' }),
    );
  if (closing.aborted) closed();
  else closing.addEventListener('abort', closed, { once: true });
  try {
    const master = await build({ ...options, workers: 0 }, side).catch((error: unknown) => {
      // What it wrote as it began may never have got there.
      if (end?.why === 'deposed' || (error instanceof Fault && error.code === 'NO_OWNER')) return null;
      throw error;
    });
    if (master === null) return options.log('the state was lost before this master could serve; going on as a standby');
    state.role = 'owner';
    const stopSeq = followSeq();
    const snapshots = keepJournalShort(member, view, journaled.appender);
    snapshotsOf = snapshots;
    watch?.start();
    await database.served(epoch).catch((error: unknown) => member.trouble(errorMessage(error)));
    options.log(`owner of the state since epoch ${epoch} (${taken.reason})`);
    serves(master);
    member.answers();
    const { why } = await ended.promise;
    stopSeq();
    watch?.stop();
    snapshots.stop();
    serves(null);
    member.serveBy({ kind: 'none', isHandover: why === 'handover' });
    if (why === 'handover') {
      // What is under way ends here while workers still report; who waits for longer is told where to ask.
      await front.ownIdle(PARTING_MS);
      master.endWaits();
      await front.ownIdle(PARTING_MS);
    }
    state.role = 'joining';
    if (why === 'deposed') options.log('another master owns the state now; going on as a standby');
    await master.close();
    await offer();
  } finally {
    closing.removeEventListener('abort', closed);
    member.watchLocalWorkers(() => {});
    member.watchMasters(() => {});
    journaled.ownership.stop();
  }

  function followSeq(): () => void {
    let stop = (): void => {};
    const follow = (): void => {
      state.seq = journaled.appender.appended || state.seq;
      stop = time.after(250, follow);
    };
    follow();
    return () => stop();
  }

  async function offer(): Promise<void> {
    const given = await ended.promise;
    if (given.why !== 'handover') return;
    options.log(`handing the state over to ${given.to}`);
    await database.offer(id, epoch, given.to).catch((error: unknown) => member.trouble(errorMessage(error)));
  }
}

/** Asks at most once in a while; nothing where PostgreSQL does not say. */
function nowAndThen(ask: () => Promise<string[]>, time: Pick<ClusterTime, 'elapsed'>): () => Promise<string[]> {
  let known: { readonly at: number; readonly answer: Promise<string[]> } | null = null;
  return () => {
    const now = time.elapsed();
    if (known === null || now - known.at > WARNINGS_MS) known = { at: now, answer: ask().catch(() => []) };
    return known.answer;
  };
}
