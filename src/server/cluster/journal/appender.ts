import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import type { LogSync } from '../../store/sqlite/log-sync.ts';
import { encodeEntry } from './entry-codec.ts';
import type { JournalDatabase, JournalEntry, NamedStatement } from './port.ts';
import type { ClusterTime } from '../time.ts';
import type { RecordedTurn } from './turn-recorder.ts';

type Told = (error: Error | null) => void;

/** Whether this master may still speak for the state (ownership.ts). */
export interface OwnershipProof {
  /** Calls back at once where it was proved a moment ago, else with the next proof, or with NO_OWNER. */
  whenProved(told: Told): void;
}

export interface AppenderOptions {
  readonly database: Pick<JournalDatabase, 'append' | 'epochAt' | 'nameStatements'>;
  readonly owner: string;
  readonly epoch: number;
  readonly ownership: OwnershipProof;
  readonly limits: { readonly entryBytes: number; readonly pendingBytes: number };
  readonly time: Pick<ClusterTime, 'elapsed' | 'sleep'>;
  /** Another master owns the partition: nothing of this one is appended any more. */
  onDeposed(): void;
  /** The database did not answer; it is tried again. */
  onTrouble(message: string): void;
  /** The journal names these statements. */
  statementsNamed?(statements: readonly NamedStatement[]): void;
  /** The journal has this entry. */
  entryAppended?(entry: JournalEntry): void;
  /** How long each append took, in milliseconds. */
  measured(ms: number): void;
}

export interface Appender extends LogSync {
  /** Takes a turn that is committed locally. */
  take(turn: RecordedTurn): void;
  /** Nothing that waits is known to be appended by now, and who waits is told so; the turns themselves go on waiting. */
  giveUpWaiting(): void;
  /** Ends for good: another master owns the partition. */
  depose(): void;
  readonly pendingBytes: number;
  /** The last turn that the journal has of this master; 0: none yet. */
  readonly appended: number;
}

const FIRST_RETRY_MS = 50;
const MOST_RETRY_MS = 1000;

/** Why nobody is told what was written: the master that wrote it may be the owner no more. */
export const noOwner = (): Fault =>
  new Fault(
    'NO_OWNER',
    'this master could not make sure of its ownership, so it is not known whether the change was kept: repeat the request, with the same idempotency key where it has one',
  );

/**
 * Brings the turns of the owner into the journal, in order. All turns that were committed while an append was under way
 * are the next one: the busier the master, the more turns an append has. Who committed a turn is told when the journal
 * has it. An append whose outcome is not known is looked up and, where it is not there, sent again; the fence within the
 * append itself decides whether this master still may.
 */
export function createAppender(options: AppenderOptions): Appender {
  const { database, owner, epoch, ownership, limits, time } = options;
  let turns: RecordedTurn[] = [];
  let pendingBytes = 0;
  let waiting: { turn: number; told: Told }[] = [];
  let newest = 0;
  let appended = 0;
  let running: Promise<void> | null = null;
  let ended = false;
  const named = new Set<string>();

  function begin(): void {
    if (running || ended || turns.length === 0) return;
    running = appendAll().finally(() => {
      running = null;
      begin();
    });
  }

  async function appendAll(): Promise<void> {
    while (turns.length > 0 && !ended) {
      const batch = nextBatch();
      if (!(await appendForSure(batch))) return depose();
      const last = batch.at(-1)?.number ?? 0;
      appended = last;
      turns = turns.slice(batch.length);
      for (const { bytes } of batch) pendingBytes -= bytes.length;
      const told = waiting.filter(({ turn }) => turn <= last);
      waiting = waiting.slice(told.length);
      for (const one of told) one.told(null);
    }
  }

  function nextBatch(): RecordedTurn[] {
    let bytes = 0;
    const end = turns.findIndex((turn) => (bytes += turn.bytes.length) > limits.entryBytes);
    // A copy: turns come in while it is appended.
    return turns.slice(0, end < 0 ? undefined : Math.max(1, end));
  }

  /** False: this master owns the partition no more. */
  async function appendForSure(batch: readonly RecordedTurn[]): Promise<boolean> {
    const statements = [...new Map(batch.flatMap((turn) => turn.statements.map((one) => [one.number, one]))).values()];
    const first = batch[0]?.number ?? 0;
    const body = await encodeEntry(
      statements,
      first,
      batch.map(({ bytes }) => bytes),
    );
    const entry = { first, last: batch.at(-1)?.number ?? first, epoch, body };
    let waitMs = FIRST_RETRY_MS;
    for (let unknown = false; !ended; unknown = true) {
      const startedAt = time.elapsed();
      try {
        if (unknown) {
          const there = await database.epochAt(first);
          if (there !== null) {
            if (there === epoch) options.entryAppended?.(entry);
            return there === epoch;
          }
        }
        const unnamed = statements.filter(({ hash }) => !named.has(hash));
        if (unnamed.length > 0) {
          await database.nameStatements(unnamed);
          options.statementsNamed?.(unnamed);
          for (const { hash } of unnamed) named.add(hash);
        }
        if (!(await database.append(owner, entry))) return false;
        options.entryAppended?.(entry);
        options.measured(time.elapsed() - startedAt);
        return true;
      } catch (error) {
        options.onTrouble(errorMessage(error));
        await time.sleep(waitMs);
        waitMs = Math.min(waitMs * 2, MOST_RETRY_MS);
      }
    }
    return false;
  }

  function tellAll(error: Error): void {
    const told = waiting;
    waiting = [];
    for (const one of told) one.told(error);
  }

  function depose(): void {
    if (ended) return;
    ended = true;
    turns = [];
    pendingBytes = 0;
    tellAll(noOwner());
    options.onDeposed();
  }

  function wait(told: Told): void {
    if (ended) told(noOwner());
    else if (turns.length > 0) waiting.push({ turn: newest, told });
    else ownership.whenProved(told);
  }

  return {
    take(turn) {
      if (ended) return;
      turns.push(turn);
      newest = turn.number;
      pendingBytes += turn.bytes.length;
      begin();
    },
    after: wait,
    settled: wait,
    refusal() {
      if (ended) return noOwner();
      return pendingBytes <= limits.pendingBytes
        ? null
        : new Fault(
            'OVERLOADED',
            `${Math.round(pendingBytes / 1024 / 1024)} MiB of changes wait for PostgreSQL, the limit is ${Math.round(limits.pendingBytes / 1024 / 1024)} MiB: try again in a moment`,
          );
    },
    giveUpWaiting: () => tellAll(noOwner()),
    depose,
    get pendingBytes() {
      return pendingBytes;
    },
    get appended() {
      return appended;
    },
    async close() {
      while (running !== null && !ended) await running;
      ended = true;
      tellAll(noOwner());
    },
  };
}
