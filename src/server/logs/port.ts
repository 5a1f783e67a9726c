import type { NamedSecret } from '../../lib/redact.ts';
import type { LogHits, LogRecord, LogSearch } from '../../contract/api.ts';

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
}

/** The master's view of logs. `pipeline` takes lines over TCP; the store keeps and finds them. */
export interface Logs {
  search(query: LogFilter & { limit: number; order: 'asc' | 'desc'; cursor?: string }): Promise<LogSearch>;
  /** `stepMs` null: a minute, or as much longer as the time range asks for. */
  hits(query: LogFilter & { stepMs: number | null; field?: string }): Promise<LogHits>;
  /** Live records that match, in batches, until the signal aborts. */
  tail(filter: LogFilter, deliver: (records: readonly LogRecord[]) => void, signal: AbortSignal): void;
  /** The port that the pipeline listens on. */
  readonly pipelinePort: number;
  /** From now on lines are kept with `[secret NAME]` in the place of these values. */
  redact(secrets: readonly NamedSecret[]): void;
  stats(): { records: number; bytes: number; queued: number; dropped: number };
  /** Flushes what was accepted. */
  close(): Promise<void>;
}
