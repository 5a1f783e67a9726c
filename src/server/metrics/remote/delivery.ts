import type { StoreInfo } from '../../../contract/settings.ts';
import { BACKOFF, backoffMs } from '../../../lib/backoff.ts';
import { iso } from '../../../lib/clock.ts';
import { errorMessage } from '../../../lib/errors.ts';
import type { Spool, SpoolBatch } from './spool.ts';

/** How a store took a batch. */
export type Sent =
  /** `lost` of its items will never be taken: `reason` says why. */
  | { readonly kind: 'stored'; readonly lost: number; readonly reason: string | null }
  /** Try again later; `afterMs` where the store said when. */
  | { readonly kind: 'later'; readonly why: string; readonly afterMs: number | null };

/** Where batches go. Never rejects. */
export interface Target {
  send(body: Buffer, items: number, signal: AbortSignal): Promise<Sent>;
  close(): void;
}

export interface DeliveryStats {
  readonly state: 'connecting' | 'ok' | 'failing';
  /** Why it is failing; null: it is not. */
  readonly reason: string | null;
  /** Since when it is in this state, Unix ms. */
  readonly since: number;
  /** On disk, not yet delivered. */
  readonly items: number;
  readonly bytes: number;
  /** Unix ms; null: nothing waits. */
  readonly oldestAt: number | null;
  /** Since the start. */
  readonly delivered: number;
  readonly retried: number;
  /** Gone for good: rejected by the store, dropped for want of room, or damaged on disk. */
  readonly lost: number;
  readonly lostReason: string | null;
}

/** The same as the settings show it. */
export const deliveryInfo = (kind: StoreInfo['kind'], address: string, stats: DeliveryStats): StoreInfo => {
  const { state, reason, since, items, bytes, oldestAt, lost, lostReason } = stats;
  return {
    ...{ kind, address, state, reason, since: iso(since) },
    queue: { items, bytes, oldestAt: oldestAt === null ? null : iso(oldestAt), lost, lostReason },
  };
};

export interface Delivery {
  /** Something was put into the queue. */
  kick(): void;
  /** Resolves once the queue is empty, the store is failing, or `ms` have passed. */
  settle(ms: number): Promise<void>;
  /** Items that were lost before they came here. */
  lose(items: number, reason: string): void;
  stats(): DeliveryStats;
  /** Goes on for at most `ms`; the rest stays on disk. */
  close(ms: number): Promise<void>;
}

export interface DeliveryOptions {
  /** What the target is, in the words of a log line: "the metric store https://…". */
  readonly name: string;
  /** What it gets: "points". */
  readonly what: string;
  readonly spool: Spool;
  readonly target: Target;
  now(): number;
  random(): number;
  log(line: string): void;
  /** `stats` has changed. */
  onChange(): void;
}

/** Takes batch after batch from the queue to the store, the oldest first, one at a time, each until the store has taken it. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { name, what, spool, target, now, random, log, onChange } = options;
  const ended = new AbortController();
  let closing = false;
  let failures = 0;
  let state: DeliveryStats['state'] = 'connecting';
  let reason: string | null = null;
  let since = now();
  const counts = { delivered: 0, retried: 0, lost: 0, lostReason: null as string | null };
  let toldLost = 0.1;
  let wake: (() => void) | null = null;
  const settled = new Set<() => void>();

  function become(next: DeliveryStats['state'], why: string | null): void {
    if (state !== next) since = now();
    state = next;
    reason = why;
    onChange();
  }

  /** Until `ms` have passed or `wake` is called; null: only the latter. */
  const rest = (ms: number | null): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === null ? undefined : setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        wake = null;
        resolve();
      }
      wake = done;
    });

  async function backOff(ms: number): Promise<void> {
    for (let left = ms, until = now() + ms; left > 0 && !closing; left = until - now()) await rest(left);
  }

  function lose(items: number, why: string): void {
    if (items === 0) return;
    counts.lost += items;
    counts.lostReason = why;
    // Told once and then at each tenfold.
    if (counts.lost >= 10 * toldLost) {
      toldLost = counts.lost;
      log(`${counts.lost} ${what} for ${name} were lost since the start; the last because: ${why}`);
    }
    onChange();
  }

  async function deliver(batch: SpoolBatch): Promise<void> {
    const body = spool.read(batch);
    if (body === null) {
      spool.done(batch);
      return lose(batch.items, 'a file of the queue is damaged');
    }
    const sent = await target.send(body, batch.items, ended.signal);
    if (ended.signal.aborted && sent.kind === 'later') return;
    if (sent.kind === 'later') {
      counts.retried++;
      failures++;
      // Evenly spread over the second half, so that several masters do not come back together.
      const wait = Math.max(backoffMs(BACKOFF.metricDelivery, failures) * (0.5 + random() / 2), sent.afterMs ?? 0);
      // Told once and then ever more rarely, with the back-off.
      if ((failures & (failures - 1)) === 0)
        log(
          `${name} did not take ${what}: ${sent.why}; ${spool.items} are queued on disk, retrying in ${(wait / 1000).toFixed(1)} s`,
        );
      become('failing', sent.why);
      release();
      return backOff(wait);
    }
    spool.done(batch);
    counts.delivered += batch.items - sent.lost;
    lose(sent.lost, sent.reason ?? 'rejected');
    if (failures > 0) log(`${name} takes ${what} again`);
    failures = 0;
    become('ok', null);
  }

  function release(): void {
    for (const done of [...settled]) done();
  }

  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      const batch = spool.first();
      if (batch === null) {
        release();
        if (closing) return;
        await rest(null);
        continue;
      }
      try {
        await deliver(batch);
      } catch (error) {
        failures++;
        become('failing', `the queue on disk cannot be read: ${errorMessage(error)}`);
        release();
        await backOff(backoffMs(BACKOFF.metricDelivery, failures));
      }
      // After a failure once more, at once, is all there is time for.
      if (closing && failures > 0) return;
    }
  }
  const running = run();

  return {
    kick() {
      wake?.();
      onChange();
    },
    settle(ms) {
      if (spool.first() === null || state === 'failing') return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(done, ms);
        function done(): void {
          clearTimeout(timer);
          settled.delete(done);
          resolve();
        }
        settled.add(done);
      });
    },
    lose,
    stats: () => ({
      ...{ state, reason, since, ...counts },
      ...{ items: spool.items, bytes: spool.bytes, oldestAt: spool.oldestAt },
    }),
    async close(ms) {
      closing = true;
      wake?.();
      const timer = setTimeout(() => ended.abort(), ms);
      await running;
      clearTimeout(timer);
      ended.abort();
      release();
      target.close();
    },
  };
}
