import type { Limits } from '../../contract/limits.ts';
import type { LogSearch } from '../../contract/logs.ts';
import type { RemoteTarget } from '../../lib/remote-http.ts';
import type { Clock } from '../../lib/clock.ts';
import { parseJson } from '../../lib/json.ts';
import type { DataPart, DataWarning } from '../../contract/data-health.ts';
import type { DamageRegistry, FoundDamage } from '../observability/port.ts';
import type { LogBackend } from './backend.ts';
import type { LogFilter, LogRange, Logs } from './port.ts';
import { coveredBy, nextCursorIn, rangeOf, withWarnings } from './warnings.ts';
import { recordBytes } from './record-bytes.ts';
import { openLogStore } from './store/store.ts';
import { createTailLosses } from './tail-losses.ts';

export interface LogsOptions {
  /** Where the records are kept; made where it is missing. */
  folder: string;
  limits: Readonly<Limits>;
  /** Commits survive a power cut too. */
  durable?: boolean;
  clock: Clock;
  log?(line: string): void;
  damage?: Pick<DamageRegistry, 'report' | 'forget' | 'warnings'>;
  /** A VictoriaLogs that keeps the records; null: the folder does. */
  remote?: RemoteTargets | null;
}

/** Where the records of a store elsewhere are read, and where lines are sent. */
export interface RemoteTargets {
  readonly select: RemoteTarget;
  readonly insert: RemoteTarget;
}

/** Lines are missing from the store that are damaged there, or were on their way to it. */
const PARTS: readonly DataPart[] = ['logs', 'pipeline'];

/** Opens the log store. The work is done in threads. */
export async function createLogs(options: LogsOptions): Promise<Logs> {
  const { folder, limits, durable = false, clock, log = () => {}, damage } = options;
  const found: FoundDamage[] = [];
  const pathOf = (file: string) => `logs/${file}`;
  const { remote = null } = options;
  let isVerifying = false;
  const openEmbedded = () =>
    openLogStore({
      folder,
      durable,
      limits: { lineBytes: recordBytes(limits), fields: limits.logFields, nameBytes: limits.logFieldNameBytes },
      storeBytes: limits.logStoreBytes,
      retentionDays: limits.logRetentionDays,
      reserveBytes: limits.logReserveBytes,
      queueBytes: limits.logWaitingBytes,
      queries: {
        most: limits.logReads,
        waiting: limits.logReadQueue,
        waitMs: limits.logReadWaitSeconds * 1000,
        bytes: limits.logQueryBytes,
      },
      cacheBytes: limits.logCacheBytes,
      log,
      report(one) {
        const whole: FoundDamage = { ...one, part: 'logs', file: pathOf(one.file) };
        if (isVerifying) found.push(whole);
        damage?.report(whole);
      },
      removed: (file) => damage?.forget('logs', pathOf(file)),
    });
  // With the embedded store nothing of the other is loaded.
  const openElsewhere = async (targets: RemoteTargets) =>
    (await import('./remote/remote-store.ts')).openRemoteStore({ ...targets, limits, log });
  const store: LogBackend = remote === null ? await openEmbedded() : await openElsewhere(remote);
  const warningsIn = ({ from, to }: LogRange): DataWarning[] => damage?.warnings(PARTS, from, to) ?? [];
  const warnings = (filter: LogFilter): DataWarning[] => warningsIn(rangeOf(filter, clock.now()));
  const losses = createTailLosses(log, () => performance.now());
  async function searchJson(query: Parameters<Logs['search']>[0], signal?: AbortSignal): Promise<Uint8Array> {
    const json = await store.search(query, clock.now(), signal);
    if (warningsIn({ from: null, to: null }).length === 0) return json;
    const range = rangeOf(query, clock.now());
    const text = textOfBytes(json);
    return Buffer.from(
      withWarnings(text, warningsIn(coveredBy(range, query.order, query.cursor ?? null, nextCursorIn(text)))),
    );
  }
  /** What an answer lacks is known once it is there: damage that it met was reported before. */
  async function told<T extends object>(query: LogFilter, answer: Promise<T>): Promise<T> {
    const whole = await answer;
    const lacking = warnings(query);
    return lacking.length === 0 ? whole : { ...whole, warnings: lacking };
  }
  return {
    search: async (query) => parseJson<LogSearch>(textOfBytes(await searchJson(query))),
    searchJson,
    recordsText: (query, signal) => store.records(query, clock.now(), signal),
    hits: (query, signal) => told(query, store.hits(query, clock.now(), signal)),
    fields: (query, signal) => told(query, store.values(query, clock.now(), signal)),
    values: (query, signal) => told(query, store.values(query, clock.now(), signal)),
    warnings,
    warningsIn,
    async verify({ bytesPerSecond, signal }) {
      found.length = 0;
      isVerifying = true;
      try {
        const bytes = await store.verify(bytesPerSecond, signal);
        return { bytes, damages: [...found] };
      } finally {
        isVerifying = false;
      }
    },
    run: store.run,
    arrived: store.arrived,
    insert: store.insert,
    tail: (filter, deliver, signal) =>
      store.tail(
        filter,
        (records, count, missed = 0) => {
          if (missed > 0) losses.missed(missed);
          deliver(records, count, missed);
        },
        signal,
      ),
    tailLosses: losses,
    redact: store.redact,
    configure: () => store.configure({ storeBytes: limits.logStoreBytes, retentionDays: limits.logRetentionDays }),
    stats() {
      const stats = store.stats();
      return { ...stats, ...losses.stats(), records: stats.rows };
    },
    info: store.info,
    close: store.close,
  };
}

const textOfBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
