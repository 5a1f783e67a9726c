import { errorCode } from '../../../../lib/errors.ts';
import { itemAt } from '../../../../lib/item-at.ts';
import type { NamedSecret } from '../../../../lib/redact.ts';
import { notifyParent, serveThread, threadData } from '../../../offload/serve-thread.ts';
import { oldestQuery } from '../read/reader.ts';
import { createMerger } from '../merge/merger.ts';
import { openMigration } from './migrate.ts';
import type { LogAck, LogBatch, StoreDamage } from '../port.ts';
import { lingerMs, turnOf, type Turn } from './turns.ts';
import { openWriter, type WriterOptions, type WriterStats } from './writer.ts';

/** `arrived`: the number of the newest line. */
export type WriterAck = LogAck & { arrived: number };

/** Writes lines. See `ReaderData` for `oldest`. */
export type WriterData = Omit<WriterOptions, 'now' | 'log' | 'oldestQuery' | 'merge' | 'report' | 'removed'> & {
  oldest: SharedArrayBuffer;
};
export type WriterEvent =
  | { kind: 'log'; line: string }
  | { kind: 'damage'; damage: StoreDamage }
  | { kind: 'removed'; file: string }
  | { kind: 'stats'; stats: WriterStats };

interface Waiting {
  batch: LogBatch;
  /** Of its lines that were written already. */
  stored: number;
  skipped: number;
  resolve(ack: WriterAck): void;
  reject(error: unknown): void;
}

const WORK_MS = 200;
const STATS_MS = 1000;
/** Nothing came in for so long: time for what can wait. */
const IDLE_MS = 300;
/** After a start it waits so long: whoever started the master asks something first, and needs the processor. */
const START_MS = 5000;
/** A batch that takes longer lets the others go first, and goes on then. */
const TURN_MS = 250;

const { oldest, ...given } = threadData<WriterData>();
const merger = createMerger(given.folder, () => wake());
const writer = openWriterOrSay();
let waiting: Waiting[] = [];
let waitingBytes = 0;
let lastTurn: Turn = { batches: 0, bytes: 0 };
/** What waits is written then. */
let due: { at: 'once' | 'later'; cancel(): void } | null = null;
let lastInsert = 0;
let closed = false;

function log(line: string): void {
  notifyParent<WriterEvent>({ kind: 'log', line });
}
function openWriterOrSay(): ReturnType<typeof openWriter> | Error {
  try {
    return openWriter({
      ...given,
      now: Date.now,
      log,
      report: (damage) => notifyParent<WriterEvent>({ kind: 'damage', damage }),
      removed: (file) => notifyParent<WriterEvent>({ kind: 'removed', file }),
      merge: merger.merge,
      oldestQuery: () => oldestQuery(oldest),
    });
  } catch (error) {
    return error as Error;
  }
}
function theWriter(): ReturnType<typeof openWriter> {
  if (writer instanceof Error) throw writer;
  return writer;
}

function flushSoon(): void {
  const ms = closed ? 0 : lingerMs(lastTurn, waitingBytes, Math.abs(Date.now() - lastInsert));
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
function flush(turnMs = given.turnMs ?? TURN_MS): void {
  due?.cancel();
  due = null;
  const later: Waiting[] = [];
  // Those that had a turn come last.
  waiting.sort((a, b) => Number(hadTurn(a)) - Number(hadTurn(b)));
  while (waiting.length > 0) {
    lastTurn = turnOf(waiting);
    waitingBytes -= lastTurn.bytes;
    later.push(...write(waiting.splice(0, lastTurn.batches), turnMs));
  }
  lastInsert = Date.now();
  if (later.length === 0) return;
  waiting = later;
  waitingBytes = later.reduce((sum, { batch }) => sum + batch.ndjson.length, 0);
  flushSoon();
}
const hadTurn = ({ stored, skipped }: Waiting): boolean => stored + skipped > 0;
/** Gives those that are not done. */
function write(together: Waiting[], turnMs: number): Waiting[] {
  const left: Waiting[] = [];
  try {
    const acks = theWriter().insert(
      together.map(({ batch }) => batch),
      turnMs,
    );
    const { arrived } = theWriter();
    together.forEach((one, i) => {
      const { rest, ...ack } = itemAt(acks, i);
      const [stored, skipped] = [one.stored + ack.stored, one.skipped + ack.skipped];
      if (rest === undefined) one.resolve({ ...ack, stored, skipped, arrived: arrived() });
      else left.push({ ...one, batch: { ...one.batch, ndjson: rest }, stored, skipped });
    });
  } catch (error) {
    // One alone may fail where the others need not.
    if (together.length > 1 && errorCode(error) !== 'STORE_FULL')
      for (const one of together) left.push(...write([one], turnMs));
    else for (const { reject } of together) reject(error);
  }
  return left;
}

const move = writer instanceof Error ? null : openMigration(given.folder, writer, log);
let worked: NodeJS.Timeout | null = null;
/** There is work again before the time. */
function wake(): void {
  if (worked === null) return;
  clearTimeout(worked);
  worked = setTimeout(work, 0);
}
function work(): void {
  if (closed) return;
  const idle = Math.abs(Date.now() - lastInsert) >= IDLE_MS && performance.now() >= START_MS;
  const more = theWriter().work(idle) || (idle && (move?.step() ?? false));
  worked = setTimeout(work, more ? 0 : WORK_MS);
}

const methods = {
  opened: () => {
    const arrived = theWriter().arrived();
    worked ??= setTimeout(work, WORK_MS);
    return arrived;
  },
  insert: (id: string | null, ndjson: Uint8Array<ArrayBuffer>, options: LogBatch['options']) =>
    new Promise<WriterAck>((resolve, reject) => {
      waiting.push({ batch: { id, ndjson, options }, stored: 0, skipped: 0, resolve, reject });
      waitingBytes += ndjson.length;
      flushSoon();
    }),
  redact: (secrets: readonly NamedSecret[]) => theWriter().redact(secrets),
  configure: (options: Pick<WriterOptions, 'storeBytes' | 'retentionDays'>) => theWriter().configure(options),
  stats: () => theWriter().stats(),
  close: async () => {
    flush(Infinity);
    closed = true;
    clearInterval(telling);
    move?.close();
    await merger.end();
    // What came meanwhile.
    flush(Infinity);
    if (!(writer instanceof Error)) writer.close();
  },
};
export type WriterMethods = typeof methods;
serveThread(methods);

const telling = setInterval(() => {
  if (!(writer instanceof Error)) notifyParent<WriterEvent>({ kind: 'stats', stats: writer.stats() });
}, STATS_MS);
