import type { NamedSecret } from '../../../../lib/redact.ts';
import { releaseBytes } from '../../../../lib/own-buffer.ts';
import { notifyParent, serveThread, threadData } from '../../../offload/serve-thread.ts';
import { oldestQuery } from '../read/reader.ts';
import { createMerger } from '../merge/merger.ts';
import { openMigration } from './migrate.ts';
import type { LogBatch, StoreDamage } from '../port.ts';
import { createEncoders } from './encoders.ts';
import { createTurnWriter, type TurnWriter } from './turn-writer.ts';
import { openWriter, type WriterOptions, type WriterStats } from './writer.ts';

/** Writes lines. See `ReaderData` for `oldest`. */
export type WriterData = Omit<WriterOptions, 'now' | 'log' | 'oldestQuery' | 'merge' | 'report' | 'removed'> & {
  oldest: SharedArrayBuffer;
};
export type WriterEvent =
  | { kind: 'log'; line: string }
  | { kind: 'damage'; damage: StoreDamage }
  | { kind: 'removed'; file: string }
  | { kind: 'stats'; stats: WriterStats };

const WORK_MS = 200;
const STATS_MS = 1000;
/** Nothing came in for so long: time for what can wait. */
const IDLE_MS = 300;
/** After a start it waits so long: whoever started the master asks something first, and needs the processor. */
const START_MS = 5000;

const { oldest, ...given } = threadData<WriterData>();
const merger = createMerger(given.folder, () => wake());
const encoders = createEncoders(given.limits);
const writer = openWriterOrSay();
let turns: TurnWriter | null = null;
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

function theTurns(): TurnWriter {
  if (writer instanceof Error) throw writer;
  return (turns ??= createTurnWriter(writer, encoders, given.turnMs));
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
  const idle = theTurns().idleMs() >= IDLE_MS && performance.now() >= START_MS;
  const more = theWriter().work(idle) || (idle && (move?.step() ?? false));
  worked = setTimeout(work, more ? 0 : WORK_MS);
}

const methods = {
  opened: () => {
    const arrived = theWriter().arrived();
    worked ??= setTimeout(work, WORK_MS);
    return arrived;
  },
  insert: async (id: string | null, ndjson: Uint8Array, options: LogBatch['options']) => {
    try {
      return await theTurns().insert({ id, ndjson, options });
    } finally {
      releaseBytes(ndjson);
    }
  },
  redact: (secrets: readonly NamedSecret[]) => {
    theWriter().redact(secrets);
    encoders.redact(secrets);
  },
  configure: (options: Pick<WriterOptions, 'storeBytes' | 'retentionDays'>) => theWriter().configure(options),
  stats: () => theWriter().stats(),
  close: async () => {
    closed = true;
    clearInterval(telling);
    await turns?.close();
    move?.close();
    await Promise.all([merger.end(), encoders.end()]);
    // What came meanwhile.
    await turns?.close();
    if (!(writer instanceof Error)) writer.close();
  },
};
export type WriterMethods = typeof methods;
serveThread(methods);

const telling = setInterval(() => {
  if (!(writer instanceof Error)) notifyParent<WriterEvent>({ kind: 'stats', stats: writer.stats() });
}, STATS_MS);
