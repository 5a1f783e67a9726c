import type { MasterRole } from '../../../contract/cluster.ts';
import type { ProjectionExtra } from '../../../contract/vocabulary.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import type { JournalDatabase } from '../journal/port.ts';
import { openReplica, type Replica } from '../replica/replica.ts';
import type { TrackedCopy } from '../replica/working-copy.ts';
import type { ClusterTime } from '../time.ts';
import type { ProjectionClaim, ProjectionTables } from './projection-tables.ts';

export interface ProjectorOptions {
  readonly id: string;
  readonly openCopy: () => TrackedCopy;
  readonly database: JournalDatabase;
  readonly tables: ProjectionTables;
  readonly extras: readonly ProjectionExtra[];
  readonly role: () => MasterRole;
  readonly time: Pick<ClusterTime, 'after'>;
  log(line: string): void;
}

export interface Projector {
  /** What keeps it from writing; null: nothing that it knows of. */
  readonly trouble: string | null;
  /** Ends what is under way and lets another master go on. */
  close(): Promise<void>;
}

/** Between two looks at the journal: rows that change again meanwhile are written once. */
const ROUND_MS = 500;
/** Of one transaction. */
const ROWS = 1000;
/** A look whether the master that writes is still there. */
const IDLE_MS = 2000;
const RENEW_MS = 2000;
const TROUBLE_MS = { first: 1000, most: 30_000 };
const SAME_TROUBLE_MS = 60_000;

/**
 * Keeps the tables for SQL up, from a working copy of its own that follows the journal: neither the owner nor a standby does
 * anything for it. One master at a time does it. Whatever goes wrong, it falls behind, says so, and tries again.
 */
export function startProjector(options: ProjectorOptions): Projector {
  const { id, database, tables, extras, time } = options;
  const wantedExtras = extras.toSorted().join(',');
  let trouble: string | null = null;
  let told = { text: '', at: -Infinity };
  let closing = false;
  let wake = (): void => {};
  let claim: ProjectionClaim | null = null;
  let open: { readonly copy: TrackedCopy; readonly replica: Replica } | null = null;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      if (closing) return resolve();
      const cancel = time.after(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });

  function tell(error: unknown): void {
    trouble = errorMessage(error);
    const now = performance.now();
    if (trouble === told.text && now - told.at < SAME_TROUBLE_MS) return;
    told = { text: trouble, at: now };
    options.log(`projection: ${trouble}; it falls behind, trying again`);
  }

  /** What may take minutes: whoever holds the claim says so meanwhile. */
  async function holding<T>(held: ProjectionClaim, work: () => Promise<T>): Promise<T> {
    let done = false;
    const renewing = (async () => {
      while (!done) {
        await tables.renew(held, options.role(), trouble).catch(() => {});
        if (!done) await pause(RENEW_MS);
      }
    })();
    try {
      return await work();
    } finally {
      done = true;
      wake();
      await renewing;
    }
  }

  async function openCopy(): Promise<NonNullable<typeof open>> {
    const copy = options.openCopy();
    const log = (line: string): void => options.log(`projection: ${line}`);
    return { copy, replica: await openReplica({ copy, database, log }) };
  }

  async function letGo(): Promise<void> {
    const was = open;
    open = null;
    await was?.replica.close().catch(() => {});
  }

  /** Writes what the journal has by now. False: another master does it. */
  async function round(): Promise<boolean> {
    claim ??= await tables.prepare().then(() => tables.claim(id, options.role()));
    if (claim === null) return false;
    open ??= await holding(claim, openCopy);
    const { copy, replica } = open;
    const state = await tables.renew(claim, options.role(), trouble);
    if (state === null) return false;
    if (state.wanted) {
      // From a snapshot and the journal, whatever this copy holds.
      await copy.discard();
      await letGo();
      await tables.begin(claim, uuidv7(), wantedExtras);
      options.log('projection: it is written anew, as somebody asked for');
      return round();
    }
    await holding(claim, replica.catchUp);
    const known = await copy.tracked();
    if (known === null) {
      if (replica.position === null) return true;
      throw new Error('the state is of an older version: it is written once the owner is upgraded');
    }
    const isWhole = state.turn > 0 ? known.since <= state.turn : known.build !== '' && known.build === state.build;
    if (!isWhole || state.extras !== wantedExtras) {
      const build = uuidv7();
      await tables.begin(claim, build, wantedExtras);
      await copy.markAll(build);
    }
    for (let isLast = false; !isLast && !closing;) {
      const changes = await copy.changes(ROWS, extras);
      if (changes.tables.length > 0 || changes.turn > state.turn)
        await tables.write(claim, changes.tables, changes.turn);
      await copy.written(changes.upTo);
      isLast = changes.isLast;
    }
    return true;
  }

  async function run(): Promise<void> {
    let troubleMs = TROUBLE_MS.first;
    while (!closing) {
      try {
        if (await round()) {
          trouble = null;
          troubleMs = TROUBLE_MS.first;
          await pause(ROUND_MS);
          continue;
        }
        trouble = null;
        claim = null;
        await letGo();
        await pause(IDLE_MS);
      } catch (error) {
        if (closing) break;
        tell(error);
        // The copy is opened anew, and made anew where it does not follow the journal.
        await letGo();
        await sayTrouble();
        await pause(troubleMs);
        troubleMs = Math.min(TROUBLE_MS.most, troubleMs * 2);
      }
    }
    await letGo();
    if (claim) await tables.release(claim).catch(() => {});
  }

  /** So that the others tell of it too. */
  async function sayTrouble(): Promise<void> {
    if (claim && (await tables.renew(claim, options.role(), trouble).catch(() => undefined)) === null) claim = null;
  }

  const running = run();
  return {
    get trouble() {
      return trouble;
    },
    async close() {
      closing = true;
      wake();
      await running;
    },
  };
}
