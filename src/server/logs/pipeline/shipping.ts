import { BACKOFF, backoffMs } from '../../../lib/backoff.ts';
import type { DeadLetterFile } from './dead-letters.ts';
import { errorMessage } from '../../../lib/errors.ts';
import type { Deliverer } from './deliver.ts';
import type { Batch, Queue } from './queue.ts';
import type { SegmentData } from './segment.ts';

export interface ShippingOptions {
  queue: Queue;
  deliverer: Deliverer;
  dead: DeadLetterFile;
  /** How long a line may wait for others before its batch is sent. */
  flushMs: number;
  now(): number;
  random(): number;
  log(line: string): void;
  /** The queue has become smaller. */
  onRoom(): void;
}

export interface Shipping {
  /** Lines were appended. */
  kick(): void;
  readonly counts: { delivered: number; retried: number; dead: number; deadDropped: number; skipped: number };
  /** Why the store did not take the last batch; null: it did. */
  readonly failing: string | null;
  /** Sends what is queued for at most `ms`, then stops. */
  close(ms: number): Promise<void>;
}

/** Takes batch after batch from the queue to the store: the oldest first, one at a time, each until it is stored or dead. */
export function createShipping(options: ShippingOptions): Shipping {
  const { queue, deliverer, dead, flushMs, now, log } = options;
  const counts = { delivered: 0, retried: 0, dead: 0, deadDropped: 0, skipped: 0 };
  const ended = new AbortController();
  let closing = false;
  let failures = 0;
  let failing: string | null = null;
  let wake: (() => void) | null = null;
  const wakeUp = () => wake?.();
  ended.signal.addEventListener('abort', wakeUp);

  /** Until `ms` have passed or something happened; null: only the latter. */
  function rest(ms: number | null): Promise<void> {
    if (ended.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = ms === null ? null : setTimeout(done, ms);
      function done(): void {
        if (timer) clearTimeout(timer);
        wake = null;
        resolve();
      }
      wake = done;
    });
  }
  /** A pause that no arriving line cuts short. */
  async function backOff(ms: number): Promise<void> {
    const until = Date.now() + ms;
    for (let left = ms; left > 0 && !closing; left = until - Date.now()) await rest(left);
    if (closing && !ended.signal.aborted) await rest(Math.min(ms, BACKOFF.logDelivery.firstMs));
  }

  async function next(): Promise<Batch | null> {
    for (;;) {
      if (ended.signal.aborted) return null;
      const batch = queue.first();
      if (batch) return batch;
      const since = queue.openSince;
      const left = since === null ? null : closing ? 0 : since + flushMs - now();
      if (left !== null && (left <= 0 || left > flushMs)) queue.cut();
      else if (left === null && closing) return null;
      else await rest(left);
    }
  }

  async function run(): Promise<void> {
    for (let batch = await next(); batch !== null; batch = await next()) {
      try {
        await ship(batch);
      } catch (error) {
        // The disk: the batch could not be read, removed or split.
        failures++;
        log(`the log queue cannot be processed: ${errorMessage(error)}`);
        await backOff(waitOf());
      }
    }
  }
  const waitOf = () => backoffMs(BACKOFF.logDelivery, failures) * (0.5 + options.random() / 2);

  async function ship(batch: Batch): Promise<void> {
    const data = queue.read(batch);
    if (data.lines > 0) {
      const outcome = await deliverer.deliver(batch.id, data.ndjson, ended.signal);
      if (outcome.kind === 'later') {
        if (ended.signal.aborted) return;
        counts.retried++;
        failing = outcome.why.replace(/\s+/g, ' ').slice(0, 500);
        const wait = Math.max(++failures === 1 ? 0 : waitOf(), outcome.afterMs ?? waitOf());
        // Told once and then ever more rarely, with the back-off.
        if ((failures & (failures - 1)) === 0)
          log(
            `the log store did not accept a batch (${outcome.why}); ${queue.lines} lines are queued on disk; retrying in ${(wait / 1000).toFixed(1)} s`,
          );
        return backOff(wait);
      }
      if (failures > 0) log('the log store accepts batches again');
      failures = 0;
      failing = null;
      if (outcome.kind === 'refused') {
        if (data.lines > 1) queue.split(batch, halvesOf(data));
        else bury(batch, data, outcome);
        return options.onRoom();
      }
      counts.delivered += data.lines - outcome.skipped;
      counts.skipped += outcome.skipped;
      if (outcome.skipped > 0) log(`the log store skipped ${outcome.skipped} of ${data.lines} lines of a batch`);
    }
    queue.done(batch);
    options.onRoom();
  }

  function bury(batch: Batch, data: SegmentData, { status, reason }: { status: number; reason: string }): void {
    counts.deadDropped += dead.add({
      id: batch.id,
      at: new Date(now()).toISOString(),
      status,
      reason,
      line: data.ndjson.toString().trimEnd(),
    });
    counts.dead++;
    log(`the log store rejected a line (${status} ${reason.slice(0, 200)}); it was moved to the dead letters`);
    queue.done(batch);
  }

  const running = run();
  return {
    kick: wakeUp,
    counts,
    get failing() {
      return failing;
    },
    async close(ms) {
      closing = true;
      wakeUp();
      const timer = setTimeout(() => ended.abort(), ms);
      await running;
      clearTimeout(timer);
      ended.abort();
      deliverer.close();
    },
  };
}

/** Two batches of half the lines each. */
function halvesOf({ ndjson, lines }: SegmentData): [SegmentData, SegmentData] {
  const first = lines >> 1;
  let at = 0;
  for (let i = 0; i < first; i++) at = ndjson.indexOf(10, at) + 1;
  return [
    { ndjson: ndjson.subarray(0, at), lines: first },
    { ndjson: ndjson.subarray(at), lines: lines - first },
  ];
}
