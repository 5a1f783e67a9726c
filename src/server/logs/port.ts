import type { DataWarning } from '../../contract/data-health.ts';
import type { Verify } from '../observability/port.ts';
import type { NamedSecret } from '../../lib/redact.ts';
import type { StoreInfo } from '../../contract/settings.ts';
import type { LogHits, LogSearch, LogValues } from '../../contract/logs.ts';
import type { LogAck, LogBatch, LogRun, LogStoreStats } from './store/port.ts';

export interface LogFilter {
  /** LogsQL. A bad one is a `Fault` QUERY_INVALID with `extra.position`. */
  query?: string;
  job_id?: string;
  task_id?: string;
  worker_id?: string;
  level?: string;
  source?: string;
  /** ISO times; `from` inclusive, `to` exclusive. */
  from?: string;
  to?: string;
  /** Records of these workflows alone (those with their `workflow_id`), whatever the query says. */
  within?: readonly string[];
}

/** Gets a JSON array of `count` records, as it is sent on: the master's own loop reads none of them. `missed`: so many more were too much. */
export type Deliver = (records: string, count: number, missed?: number) => void;

/** Unix ms, `from` inclusive, `to` exclusive; null: open. */
export interface LogRange {
  readonly from: number | null;
  readonly to: number | null;
}

export interface LogStats extends LogStoreStats {
  records: number;
  /** Lines that live tails missed, and live tails that were ended, as they were read too slowly; since the start. */
  tailMissed: number;
  tailsEnded: number;
}

/** Counts what live tails lose, and logs it now and then. */
export interface TailLosses {
  /** So many lines were too much for one who follows. */
  missed(lines: number): void;
  /** One who reads too slowly was hung up on. */
  ended(): void;
}

/**
 * The master's view of logs. Lines come over the log store's port, also those of the pipeline. `signal`: where it aborts, nobody
 * waits for the result any more, and it is worked on no longer.
 */
export interface Logs {
  /** `chars`: characters of records after which the page ends: reading them is work for the event loop. */
  search(
    query: LogFilter & { limit: number; order: 'asc' | 'desc'; cursor?: string; chars?: number },
  ): Promise<LogSearch>;
  /** The same as bytes of JSON, for what is only sent on: the event loop makes nothing of it. */
  searchJson(
    query: LogFilter & { limit: number; order: 'asc' | 'desc'; cursor?: string },
    signal?: AbortSignal,
  ): Promise<Uint8Array>;
  /** The records of one page alone as the JSON text of an array, the oldest first however they were looked for. */
  recordsText(query: LogFilter & { limit: number; order: 'asc' | 'desc' }, signal?: AbortSignal): Promise<string>;
  /** `stepMs` null: a minute, or as much longer as the time range asks for. */
  hits(query: LogFilter & { stepMs: number | null; field?: string }, signal?: AbortSignal): Promise<LogHits>;
  /** Names of the fields of what matches with the number of records that have them (LogsQL `field_names`), the most frequent first. `contains`: in any case. */
  fields(query: LogFilter & { limit: number; contains?: string }, signal?: AbortSignal): Promise<LogValues>;
  /** The same for the values of one field (LogsQL `field_values`). */
  values(
    query: LogFilter & { field: string; limit: number; contains?: string },
    signal?: AbortSignal,
  ): Promise<LogValues>;
  /** Live records that match, in batches, until the signal aborts. */
  tail(filter: LogFilter, deliver: Deliver, signal: AbortSignal): void;
  readonly tailLosses: TailLosses;
  /** Runs LogsQL with its pipes; see `LogStore`. */
  run(run: LogRun, signal: AbortSignal): AsyncIterable<Uint8Array>;
  arrived(): number | null;
  /** Stores a batch of lines; see `LogStore`. */
  insert(batch: LogBatch): Promise<LogAck>;
  /** From now on lines are kept, and found, with `[secret NAME]` in the place of these values. */
  redact(secrets: readonly NamedSecret[]): void;
  /** Takes over limits that were changed. */
  configure(): void;
  stats(): LogStats;
  /** Where the records are kept, and whether they can be read and written there. */
  info(): StoreInfo;
  /** What an answer about these records lacks because it is damaged; empty: it is whole. To be asked once the answer is there. */
  warnings(filter: LogFilter): DataWarning[];
  warningsIn(range: LogRange): DataWarning[];
  readonly verify: Verify;
  close(): Promise<void>;
}
