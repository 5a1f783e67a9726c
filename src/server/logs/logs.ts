import type { Limits } from '../../contract/limits.ts';
import type { LogSearch } from '../../contract/logs.ts';
import type { Clock } from '../../lib/clock.ts';
import { parseJson } from '../../lib/json.ts';
import type { Logs } from './port.ts';
import { recordBytes } from './record-bytes.ts';
import { openLogStore } from './store/store.ts';

export interface LogsOptions {
  /** Where the records are kept; made where it is missing. */
  folder: string;
  limits: Readonly<Limits>;
  /** Commits survive a power cut too. */
  durable?: boolean;
  clock: Clock;
  log?(line: string): void;
}

/** Opens the log store. The work is done in threads. */
export async function createLogs(options: LogsOptions): Promise<Logs> {
  const { folder, limits, durable = false, clock, log = () => {} } = options;
  const store = await openLogStore({
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
  });
  return {
    search: async (query) => parseJson<LogSearch>(await store.search(query, clock.now())),
    searchText: (query) => store.search(query, clock.now()),
    recordsText: (query) => store.records(query, clock.now()),
    hits: (query) => store.hits(query, clock.now()),
    fields: (query) => store.values(query, clock.now()),
    values: (query) => store.values(query, clock.now()),
    run: store.run,
    insert: store.insert,
    tail: store.tail,
    redact: store.redact,
    configure: () => store.configure({ storeBytes: limits.logStoreBytes, retentionDays: limits.logRetentionDays }),
    stats() {
      const stats = store.stats();
      return { ...stats, records: stats.rows };
    },
    close: store.close,
  };
}
