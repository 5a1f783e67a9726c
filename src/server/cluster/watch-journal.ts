import { errorMessage } from '../../lib/errors.ts';
import type { DamageRegistry } from '../observability/port.ts';
import { isWhole } from './journal/entry-codec.ts';
import { createJournalSums, type EntriesSum, type JournalSums } from './journal/journal-sums.ts';
import type { JournalDatabase, JournalEntry, NamedStatement } from './journal/port.ts';
import type { ClusterTime } from './time.ts';

export const JOURNAL_LOOK_MS = 30_000;
/** At each look: groups that PostgreSQL adds up, and bytes of what this master did not append that it reads. */
const GROUPS = 4;
const READ_BYTES = 1024 * 1024;
/** Damage that a snapshot has made harmless is shown for so long. */
const SHOWN_MS = 600_000;
/** How the list of damages calls the place. */
const PLACE = 'yardmaster.journal_entry (PostgreSQL)';
const STATEMENTS = 'yardmaster.journal_statement (PostgreSQL)';
const WHO = 'Find out who can write to the schema yardmaster, and whether the disk of PostgreSQL is sound';

interface Trouble {
  readonly from: number;
  readonly to: number;
  /** When a snapshot was there that no longer needs it, by `time`. */
  mendedAt: number | null;
}

export interface JournalWatch {
  /** An entry that this master has appended. */
  note(entry: JournalEntry): void;
  /** Statements that it has named. */
  named(statements: readonly NamedStatement[]): void;
  /** Looks now; every `lookMs` by itself once it was started. */
  look(): Promise<void>;
  start(): void;
  stop(): void;
}

/**
 * Looks whether the journal behind the newest snapshot is still what was appended: whether a turn is missing, and, a few MiB
 * each time, whether an entry is another one by now. Nobody else would notice before a state has to be rebuilt from it. The owner
 * has the whole state: a snapshot of its own makes what is damaged dispensable, and is taken at once.
 */
export function watchJournal({
  database,
  damage,
  time,
  held,
  appended,
  takeSnapshot,
  lookMs = JOURNAL_LOOK_MS,
  log,
  trouble,
}: {
  readonly database: Pick<JournalDatabase, 'gaps' | 'sumOfEntries' | 'entriesAfter' | 'restoreStatements'>;
  readonly damage: () => Pick<DamageRegistry, 'report' | 'forget'> | null;
  readonly time: Pick<ClusterTime, 'elapsed' | 'after'>;
  /** The last turn that was in the journal when this master took it over. */
  readonly held: number;
  /** The last turn that the journal has of this master; 0: none yet. */
  appended(): number;
  /** From the owner's own copy. */
  takeSnapshot(): Promise<void>;
  readonly lookMs?: number;
  log(line: string): void;
  /** It could not look. */
  trouble(message: string): void;
}): JournalWatch {
  /** What this master appended, and what was there before it and could be read. */
  const [own, before] = [createJournalSums(), createJournalSums()];
  const troubles = new Map<number, Trouble>();
  const texts = new Map<string, NamedStatement>();
  /** When texts were put right last. */
  let restoredAt: number | null = null;
  let readTo = 0;
  let next = 0;
  let stopped = false;
  let cancel = (): void => {};

  function found(from: number, to: number, how: string): void {
    if (troubles.has(from)) return;
    troubles.set(from, { from, to, mendedAt: null });
    damage()?.report({
      ...{ part: 'database', file: PLACE, place: String(from), from: null, to: null, lost: 0 },
      what: `${from === to ? `turn ${from} of the journal is` : `turns ${from} to ${to} of the journal are`} ${how}: until there is a newer snapshot, a master without a working copy cannot rebuild the state. The owner takes one from its own copy now, and this is shown for ten minutes after that. ${WHO}`,
    });
  }

  /** An entry says by hashes what it does: without the texts nobody can apply it. */
  async function restoreTexts(): Promise<void> {
    const restored = texts.size === 0 ? [] : await database.restoreStatements([...texts.values()]);
    if (restored.length > 0) {
      restoredAt = time.elapsed();
      damage()?.report({
        ...{ part: 'database', file: STATEMENTS, place: '', from: null, to: null, lost: 0 },
        what: `${restored.length} statements of the journal were missing or others. The owner has put them right, and this is shown for ten minutes. ${WHO}`,
      });
    } else if (restoredAt !== null && time.elapsed() - restoredAt > SHOWN_MS) {
      restoredAt = null;
      damage()?.forget('database', STATEMENTS);
    }
  }

  /** Of what came before this master: it can be read at least, and is known from then on. */
  async function readOn(): Promise<void> {
    if (readTo >= held) return;
    for (const entry of await database.entriesAfter(readTo, READ_BYTES)) {
      if (entry.first > held || stopped) break;
      // A gap is found by the numbers; what stands behind it is another group.
      if (isWhole(entry.body)) before.note(entry);
      else {
        before.cut();
        found(entry.first, entry.last, 'damaged');
      }
      readTo = entry.last;
    }
  }

  async function compare(sums: JournalSums, group: EntriesSum): Promise<void> {
    const { snapshot, entries, sum } = await database.sumOfEntries(group.first, group.last);
    if (group.first <= snapshot || (entries === group.entries && sum === group.sum)) return;
    // Missing ones are found by their numbers.
    if (entries >= group.entries) found(group.first, group.last, 'no longer what was appended (at least one of them)');
    sums.drop(group.first);
  }

  async function look(): Promise<void> {
    await restoreTexts();
    const atLeast = Math.max(held, appended());
    const { snapshot, last, gaps } = await database.gaps();
    if (stopped) return;
    for (const { from, to } of gaps) found(from, to, 'missing');
    if (last < atLeast) found(last + 1, atLeast, 'missing');
    for (const sums of [before, own]) sums.forgetTo(snapshot);
    readTo = Math.max(readTo, snapshot);
    await readOn();
    const groups = [before, own].flatMap((sums) => sums.groups().map((group) => ({ sums, group })));
    for (let i = 0; i < Math.min(GROUPS, groups.length) && !stopped; i++) {
      const one = groups[next++ % groups.length];
      if (one) await compare(one.sums, one.group);
    }
    await mend(snapshot);
  }

  async function mend(snapshot: number): Promise<void> {
    const isOpen = (): boolean => [...troubles.values()].some(({ to, mendedAt }) => mendedAt === null && to > snapshot);
    if (isOpen() && !stopped) {
      await takeSnapshot();
      ({ snapshot } = await database.gaps());
    }
    for (const [from, trouble] of troubles) {
      if (trouble.mendedAt === null && trouble.to <= snapshot) {
        trouble.mendedAt = time.elapsed();
        log(
          `the journal is damaged from turn ${from} to ${trouble.to}; the snapshot at turn ${snapshot} takes its place, older snapshots are of no use`,
        );
      } else if (trouble.mendedAt !== null && time.elapsed() - trouble.mendedAt > SHOWN_MS) forget(from);
    }
  }

  function forget(from: number): void {
    troubles.delete(from);
    damage()?.forget('database', PLACE, String(from));
  }

  function again(): void {
    cancel = time.after(lookMs, () => {
      look()
        .catch((error: unknown) => {
          if (!stopped) trouble(`the journal could not be checked: ${errorMessage(error)}`);
        })
        .finally(() => {
          if (!stopped) again();
        });
    });
  }

  return {
    note: (entry) => own.note(entry),
    named(statements) {
      for (const one of statements) texts.set(one.hash, one);
    },
    look,
    start: again,
    stop() {
      stopped = true;
      cancel();
      // The next owner looks for itself.
      for (const from of [...troubles.keys()]) forget(from);
      if (restoredAt !== null) damage()?.forget('database', STATEMENTS);
    },
  };
}
