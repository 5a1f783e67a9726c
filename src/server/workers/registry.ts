import type { WorkerTotals } from '../../contract/master.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import { addOutcome, slotsInUse, workerState } from '../state-machines/worker.ts';
import { findPast } from './list-workers.ts';
import { workerEntryFromRow, newWorkerEntry, saveEntry, type WorkerEntry, type WorkerRow } from './worker-entry.ts';
import type { Hello, Link } from './link.ts';
import type { LocalWorkerEnded, ProcessExit } from '../../contract/process.ts';
import type { WorkerEnd } from '../../contract/workers.ts';
import type { WorkerEndReason } from '../../contract/vocabulary.ts';
import { iso } from '../../lib/clock.ts';
import type { LinkCredential } from './port.ts';
import { createRoomOfTokens } from './room-of-token.ts';
import type { WorkersDeps } from './workers.ts';

/** Heartbeat times are written this often at most; they only tell people how long a worker has been away. */
const SAVE_MS = 5000;
/** The socket of a process that ended is closed by the system within this time. */
const ENDED_MS = 5000;
/** Label of the workers that the master starts itself (supervisor.ts). */
const LOCAL_LABEL = 'local';

const endOf = (reason: WorkerEndReason, at: number, exit?: ProcessExit): WorkerEnd => ({
  reason,
  at: iso(at),
  exitCode: exit?.code ?? null,
  signal: exit?.signal ?? null,
  message: exit === undefined || exit.lines.length === 0 ? null : exit.lines.join('\n'),
});

export interface Registry {
  all(): Iterable<WorkerEntry>;
  find(id: string): WorkerEntry | undefined;
  /** A worker said hello: its entry, linked and alive. `taken`: it calls itself by an ID that belongs to another token; `full`: its token has no room for what it says of itself. */
  register(
    hello: Hello,
    link: Link,
    credential: Omit<LinkCredential, 'isValid' | 'onEnded'>,
  ): WorkerEntry | 'taken' | 'full';
  /** From now on it may be given tasks over this link. */
  admit(entry: WorkerEntry, link: Link): void;
  /** A frame came. */
  heard(entry: WorkerEntry): void;
  /** Its socket closed; silence decides what becomes of it. */
  unlinked(entry: WorkerEntry, link: Link): void;
  goodbye(entry: WorkerEntry): void;
  /** The process of the local worker of this number ended: its worker is Down as soon as its socket is closed, without a wait for its silence. */
  ended: LocalWorkerEnded;
  /** Removes one that is Down. */
  forget(entry: WorkerEntry): void;
  outcome(id: string, crashed: boolean): void;
  changed(id: string): void;
  /** Computes its state anew. */
  refresh(entry: WorkerEntry): void;
  /** The master was away for so long: nobody's silence of that time counts. */
  excuse(ms: number): void;
  /** Looks at every worker: who fell silent, who is to be forgotten. */
  look(): Promise<void>;
  anyAlive(): boolean;
  overview(): WorkerTotals;
  /** Those that fell silent and are still Down. */
  lost(): WorkerEntry[];
  stopAssigning(): void;
  /** Closes every link. */
  disconnectAll(): void;
  close(): Promise<void>;
}

export function openRegistry(
  { store, clock, limits, feed, onError }: Pick<WorkersDeps, 'store' | 'clock' | 'limits' | 'feed' | 'onError'>,
  tell: { down(id: string): void; room(): void },
): Registry {
  const rule = {
    unstableMs: limits.workerUnstableSeconds * 1000,
    downMs: limits.workerDownSeconds * 1000,
    forgetMs: limits.workerOutcomeSeconds * 1000,
  };
  const known = store.read
    .query<WorkerRow>('SELECT * FROM worker')
    .all()
    .map((row) => workerEntryFromRow(row, clock.elapsed()));
  // Workers that a former run of this master started have ended with it: nobody waits for them.
  const ended = known.filter(({ labels }) => LOCAL_LABEL in labels);
  const entries = new Map(known.filter((entry) => !ended.includes(entry)).map((entry) => [entry.id, entry]));
  const rooms = createRoomOfTokens();
  for (const entry of entries.values()) rooms.put(entry);
  if (ended.length > 0)
    void store
      .write((db) => ended.forEach(({ id }) => db.statement('DELETE FROM worker WHERE id = ?').run(id)))
      .catch(onError);
  let assigning = true;
  let savedAt = clock.now();
  const unsaved = new Set<WorkerEntry>();

  function hangUp() {
    for (const { link } of entries.values()) link?.close(1001, 'the master is shutting down');
  }

  const save = (entry: WorkerEntry) => void store.write(saveEntry(entry)).catch(onError);

  function refresh(entry: WorkerEntry) {
    const now = clock.now();
    const before = entry.state;
    const accepted = entry.accepting;
    entry.state = workerState(
      {
        silentMs: clock.elapsed() - entry.heardAt,
        saidGoodbye: entry.goodbye,
        currentTasks: slotsInUse(entry),
        maxTasks: entry.capacity,
        outcomes: entry.outcomes,
      },
      now,
      rule,
    );
    entry.accepting =
      assigning &&
      entry.link !== null &&
      entry.admitted &&
      !entry.drained &&
      !entry.leaving &&
      (entry.state === 'Operational' || entry.state === 'Maxed');
    if (entry.accepting && !accepted) tell.room();
    if (entry.state === before) return;
    feed.publish('worker', entry.id);
    if (entry.state !== 'Down') return;
    entry.lost = !entry.goodbye;
    entry.ended ??= endOf(entry.lost ? 'lost' : 'stopped', now);
    entry.goodbye = true;
    entry.downAt = now;
    save(entry);
    entry.link?.cut();
    tell.down(entry.id);
  }

  function forget(entry: WorkerEntry) {
    entries.delete(entry.id);
    rooms.drop(entry.id);
    void store.write((db) => db.statement('DELETE FROM worker WHERE id = ?').run(entry.id)).catch(onError);
    feed.publish('worker', entry.id);
  }

  async function saveHeartbeats() {
    const due = [...unsaved];
    unsaved.clear();
    savedAt = clock.now();
    await Promise.all(due.filter(({ id }) => entries.has(id)).map((entry) => store.write(saveEntry(entry))));
  }

  return {
    all: () => entries.values(),
    find: (id) => entries.get(id),
    refresh,
    register(hello, link, { tokenId, isActive, environments, labels: labelsOfToken }) {
      const now = clock.now();
      const id = hello.workerId ?? uuidv7(now);
      const known = entries.get(id);
      const owner = known?.tokenId ?? null;
      if (owner !== null && owner !== tokenId && isActive(owner)) return 'taken';
      const labels = { ...hello.labels, ...labelsOfToken };
      const going = rooms.make(entries.values(), { ...hello, id, tokenId, labels });
      if (going === null) return 'full';
      going.forEach(forget);
      const entry = known ?? newWorkerEntry(id, hello, now);
      entries.set(id, entry);
      // The newer socket is the living one.
      if (entry.link) entry.link.cut();
      const { url, version, capacity, handlers, only, ahead } = hello;
      Object.assign(entry, {
        tokenId,
        url,
        version,
        capacity,
        labels,
        environments: environments && new Set(environments),
        handlers,
        handlersOnly: only === 'handlers',
        takesAhead: ahead === true,
        link,
        goodbye: false,
        ended: null,
        lost: false,
        ending: null,
        leaving: false,
        admitted: false,
        registeredAt: now,
        lastHeartbeatAt: now,
        heardAt: clock.elapsed(),
      });
      rooms.put(entry);
      refresh(entry);
      save(entry);
      feed.publish('worker', id);
      return entry;
    },
    admit(entry, link) {
      if (entry.link !== link) return;
      entry.admitted = true;
      refresh(entry);
    },
    heard(entry) {
      entry.lastHeartbeatAt = clock.now();
      entry.heardAt = clock.elapsed();
      unsaved.add(entry);
      refresh(entry);
    },
    unlinked(entry, link) {
      if (entry.link !== link) return;
      entry.link = null;
      if (entry.ending && clock.now() < entry.ending.until) {
        entry.goodbye = true;
        entry.ended = entry.ending.end;
      }
      refresh(entry);
    },
    goodbye(entry) {
      entry.goodbye = true;
      refresh(entry);
    },
    forget,
    ended(number, exit) {
      for (const entry of entries.values()) {
        if (entry.labels[LOCAL_LABEL] !== String(number) || entry.goodbye) continue;
        const end = endOf(entry.leaving ? 'stopped' : 'crashed', clock.now(), exit);
        // A socket that stays open is another's: anybody may choose that label.
        if (entry.link) entry.ending = { until: clock.now() + ENDED_MS, end };
        else {
          entry.goodbye = true;
          entry.ended = end;
          refresh(entry);
        }
      }
    },
    outcome(id, crashed) {
      const entry = entries.get(id);
      // A long row of good ends is the usual case and needs no new list.
      if (entry && (crashed || entry.outcomes.length > 0))
        entry.outcomes = addOutcome(entry.outcomes, { at: clock.now(), crashed });
    },
    changed(id) {
      const entry = entries.get(id);
      if (!entry) return;
      refresh(entry);
      feed.publish('worker', id);
    },
    excuse(ms) {
      const now = clock.elapsed();
      for (const entry of entries.values()) entry.heardAt = Math.min(now, entry.heardAt + ms);
    },
    async look() {
      const now = clock.now();
      for (const entry of [...entries.values()]) {
        refresh(entry);
        if (entry.state === 'Down' && entry.load === 0 && now - entry.downAt > limits.workerForgetSeconds * 1000)
          forget(entry);
      }
      if (now - savedAt >= SAVE_MS) await saveHeartbeats();
    },
    anyAlive() {
      for (const entry of entries.values()) if (entry.state !== 'Down') return true;
      return false;
    },
    lost: () => [...entries.values()].filter(({ lost, state }) => lost && state === 'Down'),
    overview() {
      const sum = {
        total: 0,
        operational: 0,
        maxed: 0,
        unstable: 0,
        down: 0,
        drained: 0,
        currentTasks: 0,
        maxTasks: 0,
      };
      const isPast = findPast(entries.values());
      for (const entry of entries.values()) {
        const { state, capacity, drained } = entry;
        if (isPast(entry)) continue;
        sum.total++;
        // The four states in small letters.
        sum[state.toLowerCase() as 'operational' | 'maxed' | 'unstable' | 'down']++;
        if (drained && (state === 'Operational' || state === 'Maxed')) sum.drained++;
        sum.currentTasks += slotsInUse(entry);
        if (state !== 'Down') sum.maxTasks += capacity;
      }
      return sum;
    },
    stopAssigning() {
      assigning = false;
      for (const entry of entries.values()) refresh(entry);
    },
    disconnectAll: hangUp,
    async close() {
      hangUp();
      await saveHeartbeats();
    },
  };
}
