import { itemAt } from '../../../lib/item-at.ts';
import { BACKOFF, createBackoff } from '../../../lib/backoff.ts';
import { join } from 'node:path';
import { errorMessage } from '../../../lib/errors.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PipelineStats } from '../../../contract/logs.ts';
import { MIN_REDACTED_CHARACTERS } from '../../../contract/secret-names.ts';
import { createPace } from '../../../lib/pace.ts';
import { createRedactor, type NamedSecret } from '../../../lib/redact.ts';
import { DEAD_LETTERS, QUEUE } from './folders.ts';
import { openDeadLetters } from './dead-letters.ts';
import { createDeliverer } from './deliver.ts';
import { createIntake } from './intake.ts';
import type { Answer, IdentifySender, PipelineDamage, PipelineTarget, Question } from './port.ts';
import { openQueue } from './queue.ts';
import { createShipping } from './shipping.ts';

export interface PipelineOptions {
  /** Holds the queue and the dead letters; made where it is missing. */
  folder: string;
  host: string;
  target: PipelineTarget;
  tls: { cert: string | Buffer; key: string | Buffer; required: boolean } | null;
  lineBytes: number;
  heldBytes: number;
  connections: number;
  connectionsPerAddress: number;
  firstLineMs: number;
  /** Only who begins with a valid `AUTH <token>` may write. */
  tokenRequired: boolean;
  queueBytes: number;
  batchBytes: number;
  flushMs: number;
  deadLetterBytes: number;
  /** Throw lines away while the queue is full, rather than make the senders wait. */
  dropWhenFull: boolean;
  /** A line counts as accepted only once it is on the disk itself, so that a power cut takes none either. */
  durable: boolean;
}

/** Lines in memory that make a write at once, rather than at the end of the turn. */
const WRITE_LINES = 2000;
/** A replay of letters gives way to the lines that arrive after so long. */
const SLICE_MS = 5;

/** One pipeline: TCP → lines → records → queue on disk → batches over HTTP. All of it runs in the thread that calls this. */
export function openPipeline(
  options: PipelineOptions,
  log: (line: string) => void,
  random: () => number = Math.random,
  senders: {
    identify: IdentifySender;
    vouch(tokenId: string, question: Question): Promise<Answer>;
  } | null = null,
  report: (damage: PipelineDamage) => void = () => {},
) {
  const { folder, flushMs } = options;
  const queue = openQueue({
    folder: join(folder, QUEUE),
    maxBytes: options.queueBytes,
    batchBytes: options.batchBytes,
    durable: options.durable,
    now: Date.now,
    log,
    report,
  });
  const dead = openDeadLetters(join(folder, DEAD_LETTERS), options.deadLetterBytes, (damage) =>
    report({ ...damage, file: DEAD_LETTERS }),
  );
  let redactor = createRedactor([], MIN_REDACTED_CHARACTERS);
  let arrived: string[] = [];
  let writing: NodeJS.Immediate | NodeJS.Timeout | null = null;
  const diskBackoff = createBackoff(BACKOFF.logQueueDisk);
  let refusing: string | null = null;
  let closed = false;
  const counts = { accepted: 0, dropped: 0, pauses: 0, paused: false };

  const shipping = createShipping({
    queue,
    deliverer: createDeliverer(options.target),
    dead,
    flushMs,
    now: Date.now,
    random,
    log,
    onRoom: relax,
  });
  const intake = createIntake({
    ...options,
    identify: senders && senders.identify,
    vouch: senders ? senders.vouch : () => Promise.reject(new Error('nobody here knows what workers run')),
    now: Date.now,
    take(events) {
      if (options.dropWhenFull && queue.full) {
        counts.dropped += events.length;
        return;
      }
      for (const event of events) arrived.push(event);
      if (refusing !== null) return;
      if (arrived.length >= WRITE_LINES) write();
      else writing ??= setImmediate(write);
    },
  });

  /** What has arrived goes to the disk. While the disk refuses, it stays in memory and the sockets are not read. */
  function write(): void {
    writing?.[Symbol.dispose]();
    writing = null;
    if (arrived.length === 0) return;
    try {
      for (let i = 0; i < arrived.length; i++) arrived[i] = redacted(arrived[i] ?? '');
      const taken = queue.append(arrived);
      counts.accepted += taken;
      arrived = taken === arrived.length ? [] : arrived.slice(taken);
      if (arrived.length > 0) return write();
      if (refusing !== null) log('log lines can be written to disk again');
      refusing = null;
      diskBackoff.reset();
    } catch (error) {
      if (refusing === null)
        log(`log lines cannot be written (${errorMessage(error)}): free disk space in ${folder}; senders are paused`);
      refusing = errorMessage(error);
      writing = setTimeout(write, diskBackoff.next());
    }
    shipping.kick();
    if (refusing !== null || (queue.full && !options.dropWhenFull)) hold();
    else relax();
  }
  /** A line ends with its newline, which no value of a secret may take with it. */
  const redacted = (line: string): string => {
    const text = line.slice(0, -1);
    const clean = redactor.json(text);
    return clean === text ? line : `${clean}\n`;
  };
  function hold(): void {
    if (counts.paused) return;
    counts.paused = true;
    counts.pauses++;
    intake.pause();
  }
  function relax(): void {
    // Some room first: else every batch that goes would start and stop all senders.
    if (!counts.paused || refusing !== null || queue.bytes > options.queueBytes * 0.9) return;
    counts.paused = false;
    intake.resume();
  }
  if (queue.full) hold();
  shipping.kick();

  /** What is done with letters is done one after the other. */
  let atWork: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = atWork.then(work);
    atWork = done.catch(() => {});
    return done;
  }

  return {
    listen: intake.listen,
    endTokens: intake.endTokens,
    redact(secrets: readonly NamedSecret[]) {
      // What came under the old ones is written under them.
      write();
      redactor = createRedactor(secrets, MIN_REDACTED_CHARACTERS);
    },
    stats: (): PipelineStats => ({
      ...counts,
      ...shipping.counts,
      ...intake.counts,
      queueBytes: queue.bytes,
      queueLines: queue.lines + arrived.length,
      lagMs: queue.oldest === null ? 0 : Math.max(0, Math.round(Date.now() - queue.oldest)),
      connections: intake.connections,
      failing: shipping.failing,
      refusing,
    }),
    listDead: (page: number, size: number) => dead.list(page, size),
    /**
     * Each goes as a batch of its own whose id is the letter's: a replay that a crash makes twice is stored once. Some go
     * in each turn, and are gone from the letters in the very turn: one that is refused again comes after that.
     */
    replay: (ids: readonly string[] | null) =>
      inTurn(async () => {
        const letters = await dead.find(ids);
        let at = 0;
        while (at < letters.length && !closed) {
          const struck: string[] = [];
          const began = performance.now();
          try {
            do {
              const letter = itemAt(letters, at);
              queue.put(letter.id, { ndjson: Buffer.from(`${letter.line}\n`), lines: 1 });
              struck.push(letter.id);
            } while (++at < letters.length && performance.now() - began < SLICE_MS);
          } finally {
            if (struck.length > 0) dead.strike(struck);
          }
          shipping.kick();
          await nextTurn();
        }
        if (at > 0 && !closed) dead.tidy();
        return at;
      }),
    discard: (ids: readonly string[] | null) => inTurn(async () => dead.remove(ids)),
    /** Reads all that waits and all letters. */
    async verify(bytesPerSecond: number, signal: AbortSignal): Promise<{ bytes: number; damages: PipelineDamage[] }> {
      const pace = createPace(bytesPerSecond, signal);
      let bytes = 0;
      const damages = [
        ...(await queue.verify((read) => {
          bytes += read;
          return pace(read);
        })),
      ];
      const letters = await dead.verify();
      bytes += letters.bytes;
      if (letters.damage) damages.push({ ...letters.damage, file: DEAD_LETTERS });
      return { bytes, damages };
    },
    /** Takes no more lines; sends what is queued for at most `ms`. */
    async close(ms: number): Promise<void> {
      if (closed) return;
      closed = true;
      await intake.close();
      write();
      await shipping.close(ms);
      writing?.[Symbol.dispose]();
      queue.close();
    },
  };
}
export type Pipeline = ReturnType<typeof openPipeline>;
