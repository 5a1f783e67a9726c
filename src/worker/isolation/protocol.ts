import type { LogLevel } from '../../contract/vocabulary.ts';
import type { ReportedFailure } from '../../contract/worker-protocol.ts';

/** What the worker hands to one of its threads or processes. Values travel as JSON text, so that no number changes. */
export type IsolateJob =
  | { kind: 'expression'; source: string; input: string; outputBytes: number; timeoutMs: number }
  | {
      kind: 'code';
      source: string;
      input: string;
      attempt: number;
      taskId: string;
      /** JSON: the secrets that the source names, by name. */
      secrets: string;
      memoryBytes: number;
      outputBytes: number;
      logLines: number;
      timeoutMs: number;
    };

export interface CodeLogLine {
  level: LogLevel;
  message: string;
  fields: Record<string, unknown>;
}

export type IsolateMessage =
  /** Said once, before all else. */
  | { t: 'ready' }
  | { t: 'log'; line: CodeLogLine }
  /** `text` is JSON; empty where an expression has no value. */
  | { t: 'done'; text: string }
  | { t: 'fail'; error: ReportedFailure };
