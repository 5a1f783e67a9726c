import { BACKOFF, jitteredBackoffMs } from '../../lib/backoff.ts';
import { networkWords } from '../../lib/remote-text.ts';
import type { Codec, Origin } from './codec.ts';
import type { SignalStats } from './port.ts';
import type { OtlpSignal } from '../../contract/vocabulary.ts';
import type { Answer } from './post.ts';

export interface ExporterOptions {
  readonly signal: OtlpSignal;
  readonly codec: Codec;
  readonly origin: Origin;
  /** Bytes of records that wait; the oldest go where more come. */
  readonly queueBytes: number;
  /** Records of one request. */
  readonly batchRecords: number;
  /** How long a record waits for others. */
  readonly delayMs: number;
  post(body: Buffer): Promise<Answer>;
  /** Told in one line when requests begin to fail, and when they succeed again. */
  log(line: string): void;
  random?(): number;
}

/** Sends the records of one signal. */
export interface Exporter {
  put(record: Buffer): void;
  stats(): SignalStats;
  /** Sends what waits, for so long at most; the rest is dropped. */
  close(ms: number): Promise<void>;
}

/** Bytes of one request. */
const BATCH_BYTES = 1024 * 1024;
/** An answer with one of these may be another one later (OTLP specification). */
const MAY_PASS = new Set([429, 502, 503, 504]);
/** Longest wait that a receiver may ask for. */
const RETRY_AFTER_MS = 300_000;
const JITTER = 0.2;
/** Characters of a receiver's answer that are shown. */
const SHOWN = 300;

/**
 * A bounded queue in memory and one request at a time. What the receiver may take later is sent again, with back-off, until
 * newer records need its room; what it refuses is dropped, counted and told.
 */
export function createExporter(options: ExporterOptions): Exporter {
  const { signal, codec, origin, queueBytes, batchRecords, delayMs, random = Math.random } = options;
  const queue: Buffer[] = [];
  /** When each of them came, Unix ms. */
  const times: number[] = [];
  let bytes = 0;
  let exported = 0;
  let dropped = 0;
  let failing: string | null = null;
  let inFlight = 0;
  let inFlightBytes = 0;
  let inFlightSince: number | null = null;
  let since: number | null = null;
  let lostReason: string | null = null;
  let failures = 0;
  let running: Promise<void> | null = null;
  let endBy: number | null = null;
  let wake: (() => void) | null = null;

  /** Until the time is over, or `isDone` says so when it is woken. */
  async function wait(ms: number, isDone: () => boolean): Promise<void> {
    const until = performance.now() + ms;
    while (!isDone() && performance.now() < until) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const timer = setTimeout(resolve, Math.max(0, until - performance.now()));
      await promise;
      clearTimeout(timer);
      wake = null;
    }
  }
  const isOver = () => endBy !== null && performance.now() >= endBy;
  const isClosing = () => endBy !== null;

  async function run(): Promise<void> {
    while (queue.length > 0 && !isOver()) {
      await wait(delayMs, () => queue.length >= batchRecords || bytes >= BATCH_BYTES || isClosing());
      await deliver(nextBatch());
    }
    running = null;
  }

  function nextBatch(): Buffer[] {
    let size = 0;
    let count = 0;
    while (count < queue.length && count < batchRecords) {
      size += queue[count]?.length ?? 0;
      if (count > 0 && size > BATCH_BYTES) break;
      count++;
    }
    inFlightSince = times[0] ?? null;
    times.splice(0, count);
    const batch = queue.splice(0, count);
    inFlightBytes = batch.reduce((sum, { length }) => sum + length, 0);
    bytes -= inFlightBytes;
    return batch;
  }

  async function deliver(batch: readonly Buffer[]): Promise<void> {
    if (batch.length === 0) return;
    inFlight = batch.length;
    const body = codec.request(signal, origin, batch);
    try {
      for (;;) {
        const isLast = isClosing();
        const again = await attempt(body, batch.length);
        if (again === null) return;
        if (isLast) break;
        await wait(again, isClosing);
      }
      drop(batch.length, 'the master stopped');
    } finally {
      inFlight = inFlightBytes = 0;
      inFlightSince = null;
    }
  }

  /** How long to wait before it is sent again; null: it is done with. */
  async function attempt(body: Buffer, records: number): Promise<number | null> {
    let asked = 0;
    try {
      const answer = await options.post(body);
      if (answer.status >= 200 && answer.status < 300) {
        taken(answer, records);
        return null;
      }
      const why = `status ${answer.status}${textOf(answer.body)}`;
      if (!MAY_PASS.has(answer.status)) {
        drop(records, why);
        fail(`${why}; ${records} records dropped`);
        return null;
      }
      asked = Math.min(answer.retryAfterMs, RETRY_AFTER_MS);
      fail(why);
    } catch (error) {
      fail(networkWords(error));
    }
    return jitteredBackoffMs({ ...BACKOFF.telemetry, jitter: JITTER }, ++failures, random(), asked);
  }

  function taken(answer: Answer, records: number): void {
    let refused = 0;
    let message = '';
    try {
      const partial = codec.partialSuccess(signal, answer.body);
      refused = Math.min(Math.max(0, partial?.rejected ?? 0), records);
      message = partial?.message ?? '';
    } catch {
      // Accepted, whatever the body says.
    }
    exported += records - refused;
    if (refused > 0) drop(refused, `the receiver refused them: ${message.slice(0, SHOWN)}`);
    failures = 0;
    if (refused > 0) return fail(`the receiver refused ${refused} of ${records} records: ${message.slice(0, SHOWN)}`);
    if (failing !== null) options.log(`${signal} are exported again; ${dropped} records were dropped since the start`);
    if (failing !== null || since === null) since = Date.now();
    failing = null;
  }

  function drop(records: number, why: string): void {
    dropped += records;
    lostReason = why;
  }

  function fail(why: string): void {
    if (failing === null) {
      options.log(`cannot export ${signal}: ${why}`);
      since = Date.now();
    }
    failing = why;
  }

  return {
    put(record) {
      if (isClosing() || record.length > queueBytes)
        return drop(1, isClosing() ? 'the master stopped' : 'a record is larger than the queue');
      queue.push(record);
      times.push(Date.now());
      bytes += record.length;
      while (bytes > queueBytes) {
        bytes -= queue.shift()?.length ?? 0;
        times.shift();
        drop(1, 'the queue was full');
      }
      if (queue.length >= batchRecords || bytes >= BATCH_BYTES) wake?.();
      running ??= run();
    },
    stats: () => ({
      ...{ exported, dropped, queued: queue.length + inFlight, failing, since, lostReason },
      bytes: bytes + inFlightBytes,
      oldestAt: inFlightSince ?? times[0] ?? null,
    }),
    async close(ms) {
      endBy = performance.now() + ms;
      wake?.();
      await Promise.race([running, new Promise<void>((resolve) => void setTimeout(resolve, ms))]);
      if (queue.length > 0) drop(queue.length, 'the master stopped');
      queue.length = times.length = 0;
    },
  };
}

/** The beginning of an answer, where it is a text. */
function textOf(body: Buffer): string {
  const text = body.subarray(0, SHOWN).toString().trim();
  // oxlint-disable-next-line no-control-regex
  return text === '' || /[\u0000-\u0008\u000e-\u001f\uFFFD]/.test(text) ? '' : `: ${text}`;
}
