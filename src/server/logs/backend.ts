import type { LogHits, LogValues } from '../../contract/logs.ts';
import type { StoreInfo } from '../../contract/settings.ts';
import type { NamedSecret } from '../../lib/redact.ts';
import type { Deliver, LogFilter } from './port.ts';
import type { LogStore } from './store/port.ts';
import type { HitsQuery } from './store/read/hits.ts';
import type { SearchQuery } from './store/read/search.ts';
import type { ValuesQuery } from './store/read/values.ts';

/**
 * What keeps the lines: the embedded store, or one elsewhere. `now`: the moment of relative times, Unix ms. `signal`: where it
 * aborts, nobody waits for the result any more.
 */
export interface LogBackend extends LogStore {
  /** A `LogSearch` as JSON text. */
  search(query: SearchQuery, now: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** The records alone, the oldest first, as the JSON text of an array. */
  records(query: SearchQuery, now: number, signal?: AbortSignal): Promise<string>;
  hits(query: HitsQuery, now: number, signal?: AbortSignal): Promise<LogHits>;
  values(query: ValuesQuery, now: number, signal?: AbortSignal): Promise<LogValues>;
  tail(filter: LogFilter, deliver: Deliver, signal: AbortSignal): void;
  redact(secrets: readonly NamedSecret[]): void;
  configure(options: { storeBytes: number; retentionDays: number }): void;
  /** Reads all that is kept here; resolves to the bytes. What is damaged is reported as it is found. */
  verify(bytesPerSecond: number, signal: AbortSignal): Promise<number>;
  info(): StoreInfo;
}
