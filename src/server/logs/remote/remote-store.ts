import type { Limits } from '../../../contract/limits.ts';
import type { StoreInfo } from '../../../contract/settings.ts';
import { iso } from '../../../lib/clock.ts';
import type { NamedSecret } from '../../../lib/redact.ts';
import type { RemoteTarget } from '../../../lib/remote-http.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { createThread } from '../../offload/thread.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseCheaply } from '../logsql/parse.ts';
import type { LogBackend } from '../backend.ts';
import type { Deliver, LogFilter } from '../port.ts';
import type { LogRun, LogStoreStats } from '../store/port.ts';
import { remoteLineBytes } from '../remote-targets.ts';
import { filterOf } from '../store/read/filter.ts';
import { createQuerySlots } from '../store/read/query-slots.ts';
import type { RemoteCounts, RemoteEvent, RemoteMethods, RemoteThreadData } from './remote-thread.ts';
import type { SeenState } from './watch.ts';

export interface RemoteStoreSettings {
  readonly select: RemoteTarget;
  readonly insert: RemoteTarget;
  readonly limits: Readonly<Limits>;
  log(line: string): void;
}

const RESTART_MS = 1000;
const CLOSE_MS = 2000;

interface Tail {
  readonly filter: LogFilter;
  readonly deliver: Deliver;
}

/** A VictoriaLogs elsewhere in the place of the embedded log store. All work with its answers is done in one thread. */
export async function openRemoteStore({ select, insert, limits, log }: RemoteStoreSettings): Promise<LogBackend> {
  const tails = new Map<number, Tail>();
  let secrets: readonly NamedSecret[] = [];
  let seen: SeenState = { state: 'connecting', reason: null, since: Date.now() };
  let counts: RemoteCounts = { answered: 0, failed: 0, duplicates: 0 };
  /** Of threads that ended before. */
  let before = counts;
  let last = 0;
  let stored = 0;
  let skipped = 0;
  let refused = 0;
  let lagMs = 0;
  let closed = false;
  const slots = createQuerySlots({
    most: limits.logReads,
    waiting: limits.logReadQueue,
    waitMs: limits.logReadWaitSeconds * 1000,
  });

  const thread = createThread<RemoteMethods, RemoteEvent>({
    file: threadFile(import.meta.url, './remote-thread.ts', 'log-remote.js'),
    name: 'the VictoriaLogs query thread',
    data: () => ({ select, insert, lineBytes: remoteLineBytes(limits) }) satisfies RemoteThreadData,
    restartMs: RESTART_MS,
    onStart(call) {
      call('redact', secrets).catch(() => {});
      for (const [id, { filter }] of tails) call('tail', id, filter).catch(() => {});
    },
    onEvent(event) {
      if (event.kind === 'tail') return tails.get(event.id)?.deliver(event.records, event.count);
      counts = event.counts;
      if (event.state.state !== seen.state && !(seen.state === 'connecting' && event.state.state === 'ok'))
        log(event.state.reason === null ? 'VictoriaLogs answers again' : event.state.reason);
      seen = event.state;
    },
    onExit(why) {
      before = total();
      counts = { answered: 0, failed: 0, duplicates: 0 };
      if (why !== null) log(`the VictoriaLogs query thread ended (${why}); restarting it`);
    },
    queue: {
      most: () => limits.logWaitingBytes,
      refusal: (queued) =>
        new Fault('OVERLOADED', `${queued} bytes of log lines are waiting to be sent: retry in a moment`),
    },
  });
  await thread.started;

  const total = (): RemoteCounts => ({
    answered: before.answered + counts.answered,
    failed: before.failed + counts.failed,
    duplicates: before.duplicates + counts.duplicates,
  });
  /** What is plainly wrong is refused before it is in anybody's way. */
  function asked<T>(filter: LogFilter, request: () => Promise<T>): Promise<T> {
    filterOf(filter, parseCheaply);
    return slots.run(request);
  }

  async function* pages(run: LogRun, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const release = await slots.acquire(signal);
    const id = ++last;
    const session = thread.session();
    const close = () => void session.call('close', id).catch(() => {});
    signal.addEventListener('abort', close, { once: true });
    try {
      await session.call('open', id, run);
      for (
        let page = await session.call('next', id);
        page !== null && !signal.aborted;
        page = await session.call('next', id)
      )
        yield page;
    } catch (error) {
      // Nobody waits any more for what was cancelled.
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', close);
      close();
      session.release();
      release();
    }
  }

  return {
    search: async (query, now) => asked(query, () => thread.call('search', query, now)),
    records: async (query, now) => textOf(await asked(query, () => thread.call('records', query, now))),
    hits: async (query, now) => asked(query, () => thread.call('hits', query, now)),
    values: async (query, now) => asked(query, () => thread.call('values', query, now)),
    run: pages,
    arrived: () => null,
    tail(filter, deliver, signal) {
      filterOf(filter, parseCheaply);
      if (signal.aborted) return;
      const id = ++last;
      tails.set(id, { filter, deliver });
      thread.call('tail', id, filter).catch(() => {});
      signal.addEventListener(
        'abort',
        () => {
          tails.delete(id);
          thread.notify('untail', id);
        },
        { once: true },
      );
    },
    async insert({ id, ndjson, options }) {
      const began = performance.now();
      try {
        const ack = await thread.call('insert', id, ndjson, options);
        stored += ack.stored;
        skipped += ack.skipped;
        return ack;
      } catch (error) {
        refused++;
        throw error;
      } finally {
        lagMs = performance.now() - began;
      }
    },
    redact(given) {
      secrets = given;
      thread.notify('redact', secrets);
    },
    /** How long lines are kept is a matter of VictoriaLogs. */
    configure: () => {},
    verify: async () => 0,
    info: (): StoreInfo => ({
      kind: 'victorialogs',
      address: select.url,
      state: seen.state,
      reason: seen.reason,
      since: iso(seen.since),
    }),
    stats: (): LogStoreStats => ({
      ...NOTHING,
      stored,
      skipped,
      refused,
      queuedBytes: thread.queuedBytes,
      lagMs,
      remote: { up: seen.state === 'ok', ...total() },
    }),
    async close() {
      if (closed) return;
      closed = true;
      const ended = thread.call('end').catch(() => {});
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
      await thread.close();
    },
  };
}

/** What the master does not know of a store elsewhere. */
const NOTHING = {
  rows: 0,
  bytes: 0,
  blocks: 0,
  oldest: null,
  newest: null,
  refusing: null,
  damaged: 0,
  duplicates: 0,
};

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
