import { errorCode } from '../../../../lib/errors.ts';
import { itemAt } from '../../../../lib/item-at.ts';
import type { LogAck, LogBatch } from '../port.ts';
import type { Encoders } from './encoders.ts';
import { isBusy, isWhole, lingerMs, turnOf, type Turn } from './turns.ts';
import type { LogWriter, NumberedBatches } from './writer.ts';

/** `arrived`: the number of the newest line. */
export type WriterAck = LogAck & { arrived: number };

interface Waiting {
  readonly batch: LogBatch;
  /** Of its lines that were written already. */
  readonly stored: number;
  readonly skipped: number;
  resolve(ack: WriterAck): void;
  reject(error: unknown): void;
}

/** Gathers batches into turns, and has them encoded: here, and in the threads beside this one where many come. */
export interface TurnWriter {
  /** Resolves once its lines are stored. */
  insert(batch: LogBatch): Promise<WriterAck>;
  /** Nothing came in for so long, ms; 0 while something is under way. */
  idleMs(): number;
  /** Writes what waits, as soon as it can. */
  close(): Promise<void>;
}

/** A batch that takes longer lets the others go first, and goes on then. */
const TURN_MS = 250;
/** After a thread beside this one failed, all is encoded here for so long: what came of it may be what made it fail. */
const ALONE_MS = 60_000;
/** A batch without an id that is larger is written in parts here: others would have to wait for the whole of it. */
const SLICED_BYTES = 8 * 1024 * 1024;
const ID_CHARACTERS = 200;

export function createTurnWriter(
  writer: LogWriter,
  encoders: Pick<Encoders, 'count' | 'free' | 'encode'>,
  turnMs = TURN_MS,
): TurnWriter {
  let waiting: Waiting[] = [];
  let waitingBytes = 0;
  let lastTurn: Turn = { batches: 0, bytes: 0 };
  let lastInsert = 0;
  let closing = false;
  /** What waits is written then. */
  let due: { at: 'once' | 'later'; cancel(): void } | null = null;
  /** Turns that are numbered and not stored yet, in the order of their numbers; resolves with the last of them. */
  let underWay = 0;
  let committed: Promise<void> = Promise.resolve();
  const idsUnderWay = new Set<string>();
  let aloneUntil = 0;
  /** What waits is what the threads had no time for. */
  let isLeftOver = false;

  const sinceLast = () => Math.abs(Date.now() - lastInsert);

  function flushSoon(): void {
    const ms = closing ? 0 : lingerMs(lastTurn, waitingBytes, sinceLast());
    if (due?.at === 'once' || (due !== null && ms > 0)) return;
    due?.cancel();
    if (ms === 0) {
      const immediate = setImmediate(flush);
      due = { at: 'once', cancel: () => clearImmediate(immediate) };
    } else {
      const timer = setTimeout(flush, ms);
      due = { at: 'later', cancel: () => clearTimeout(timer) };
    }
  }

  function flush(): void {
    due?.cancel();
    due = null;
    const given = waiting;
    waiting = [];
    waitingBytes = 0;
    // Those that had a turn come last; but where there were too many for one time, each as it came, or they would never have another.
    if (!isLeftOver) given.sort((a, b) => Number(hadTurn(a)) - Number(hadTurn(b)));
    isLeftOver = false;
    while (given.length > 0) {
      const turn = turnOf(given);
      const together = given.splice(0, turn.batches);
      const isMuch = isWhole(turn) && (isBusy(lastTurn, sinceLast()) || isWhole(turnOf(given)));
      // What became of a batch is known once it is stored.
      if (together.some(({ batch: { id } }) => id !== null && idsUnderWay.has(id))) later(together);
      else if (isMuch && isForThreads(together)) {
        if (!encoders.free()) {
          // Encoded here it would keep what is ready from being stored. They are asked again when one has done its turn.
          keep([...together, ...given]);
          isLeftOver = true;
          break;
        }
        writeElsewhere(together);
      } else writeHere(together);
      lastTurn = turn;
    }
    lastInsert = Date.now();
  }
  const isForThreads = (together: readonly Waiting[]): boolean =>
    encoders.count > 0 &&
    !closing &&
    performance.now() >= aloneUntil &&
    !together.some(({ batch: { id, ndjson } }) => (id === null ? ndjson.length > SLICED_BYTES : writer.knows(id)));

  function keep(left: readonly Waiting[]): void {
    waiting.push(...left);
    waitingBytes += left.reduce((sum, { batch }) => sum + batch.ndjson.length, 0);
  }
  function again(left: readonly Waiting[]): void {
    if (left.length === 0) return;
    keep(left);
    flushSoon();
  }
  const later = (together: readonly Waiting[]): void => void committed.then(() => again(together));

  function writeHere(together: readonly Waiting[]): void {
    let numbered: NumberedBatches;
    try {
      numbered = writer.encode(batchesOf(together), closing ? Infinity : turnMs);
    } catch (error) {
      return failed(together, error);
    }
    if (underWay === 0) commit(together, numbered);
    else behind(together, Promise.resolve(numbered));
  }

  function writeElsewhere(together: readonly Waiting[]): void {
    const batches = batchesOf(together);
    let reserved: ReturnType<LogWriter['reserve']>;
    try {
      reserved = writer.reserve(batches);
    } catch (error) {
      return failed(together, error);
    }
    const { at, from, ...numbers } = reserved;
    const encoded = encoders.encode(batches, at, from).then(
      (blocks) => ({ ...blocks, ...numbers }),
      (error: unknown) => {
        aloneUntil = performance.now() + ALONE_MS;
        writer.refused(batches.length);
        throw error;
      },
    );
    behind(together, encoded);
  }

  /** Stores them once those that were numbered before are. */
  function behind(together: readonly Waiting[], numbered: Promise<NumberedBatches>): void {
    const ids = together.flatMap(({ batch: { id } }) => id ?? []);
    for (const id of ids) idsUnderWay.add(id);
    underWay++;
    // One that is done leaves a thread free. It may fail while others are waited for.
    numbered.then(askAgain, askAgain);
    committed = committed.then(async () => {
      try {
        // Whoever sent them sends them again where this fails: what came of them may be what ended the thread.
        const ready = await numbered.catch((error: unknown) => void together.forEach(({ reject }) => reject(error)));
        for (const id of ids) idsUnderWay.delete(id);
        if (ready) commit(together, ready);
      } finally {
        underWay--;
        lastInsert = Date.now();
        askAgain();
      }
    });
  }
  const askAgain = (): void => void (waiting.length > 0 && flushSoon());

  function commit(together: readonly Waiting[], numbered: NumberedBatches): void {
    let outcomes: ReturnType<LogWriter['commit']>;
    try {
      outcomes = writer.commit(numbered);
    } catch (error) {
      return failed(together, error);
    }
    const arrived = writer.arrived();
    const left: Waiting[] = [];
    together.forEach((one, i) => {
      const { rest, ...ack } = itemAt(outcomes, i);
      const [stored, skipped] = [one.stored + ack.stored, one.skipped + ack.skipped];
      if (rest === undefined) one.resolve({ ...ack, stored, skipped, arrived });
      else left.push({ ...one, batch: { ...one.batch, ndjson: rest }, stored, skipped });
    });
    again(left);
  }

  /** One alone may fail where the others need not. */
  function failed(together: readonly Waiting[], error: unknown): void {
    const isAlone = together.length === 1 || errorCode(error) === 'STORE_FULL';
    for (const one of together) {
      const { id, ndjson } = one.batch;
      // Bytes that were handed over are gone: whoever sent them sends them again.
      if (isAlone || ndjson.byteLength === 0) one.reject(error);
      else if (id !== null && idsUnderWay.has(id)) later([one]);
      else writeHere([one]);
    }
  }

  return {
    insert: ({ id, ...batch }) =>
      new Promise((resolve, reject) => {
        again([
          { batch: { ...batch, id: id?.slice(0, ID_CHARACTERS) ?? null }, stored: 0, skipped: 0, resolve, reject },
        ]);
      }),
    idleMs: () => (underWay > 0 ? 0 : sinceLast()),
    async close() {
      closing = true;
      while (waiting.length > 0 || underWay > 0) {
        flush();
        await committed;
      }
    },
  };
}

const hadTurn = ({ stored, skipped }: Waiting): boolean => stored + skipped > 0;
const batchesOf = (together: readonly Waiting[]) => together.map(({ batch }) => batch);
