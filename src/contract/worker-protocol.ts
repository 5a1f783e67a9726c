import type { StackFrame } from './tasks.ts';
import { tableOf } from './tables.ts';
import type { Limits } from './limits.ts';
import type { LogLevel } from './vocabulary.ts';

/**
 * The worker protocol, version 1: JSON text frames over one WebSocket (`GET /api/v1/worker`, `Authorization: Bearer`
 * with a token of role `worker`). A frame is one object with a `t`. Documented in docs/worker-protocol.md.
 *
 * An assignment is a lease (task id, attempt). Reports under an old lease are answered by `lost` and change nothing.
 */
export const WORKER_PROTOCOL = 1;
/** Where a master takes the WebSocket of a worker. */
export const WORKER_PATH = '/api/v1/worker';

/** A fatal close code of the WebSocket: the worker must not reconnect (mismatch of protocol, token revoked). */
export const CLOSE_REFUSED = 4001;

/** Limits that a worker takes from its master. */
export const WORKER_LIMITS = [
  'codeMemoryBytes',
  'codeTimeoutSeconds',
  'codeLogLines',
  'expressionSeconds',
  'expressionMemoryBytes',
  'delayMaxSeconds',
  'httpTimeoutSeconds',
  'httpBodyBytes',
  'httpRedirects',
  'taskOutputBytes',
  'workerLogBufferBytes',
  'workerDownSeconds',
] as const satisfies readonly (keyof Limits)[];
export type WorkerLimits = Pick<Limits, (typeof WORKER_LIMITS)[number]>;
export const workerLimits = (limits: Readonly<Limits>): WorkerLimits => tableOf(WORKER_LIMITS, (name) => limits[name]);

/** Which addresses `http` nodes may call besides public ones. Link-local and metadata addresses are refused always. */
export interface HttpPolicy {
  /** True where the master itself is bound to loopback: loopback and private addresses are allowed. */
  allowPrivate: boolean;
  /** Host names, addresses and ranges (CIDR) that are allowed though they are loopback or private. */
  allow: readonly string[];
  /** Never called, whoever allows it: all ports that the master listens on, at these addresses of its machine and, on its machine, at loopback. */
  master?: { ports: readonly number[]; addresses: readonly string[] };
}

/** A secret as a lease carries it: its value, or why there is none. */
export type LeasedSecret = { value: string } | { missing: string };

export interface LeasedNode {
  id: string;
  type: string;
  name: string;
  config: Record<string, unknown>;
  runTimeoutSeconds: number;
}

/** One task handed to a worker. Payloads are JSON values inside the frame. */
/** Frames of a stack that are kept. */
export const STACK_FRAMES = 10;
/** Longest name of a function in a stack. */
export const FRAME_NAME_CHARS = 100;

export interface Lease {
  id: string;
  attempt: number;
  jobId: string;
  workflowId: string;
  environment: string | null;
  commit: string;
  node: string;
  replica: number;
  item: number | null;
  input: unknown;
  /**
   * A linear chain leased at once: when this task completes, the worker runs the next with its output as input, under
   * the id given here and attempt 1, and reports each as a task of its own.
   */
  chain: { id: string; node: string }[];
  /** The trace that its job is part of, where it is part of one: `TRACE-PARENT-FLAGS` of W3C Trace Context. */
  trace?: string;
  /** The secrets that its nodes (the first and those of the chain) name, where they name any. Never to be kept or logged. */
  secrets?: Record<string, LeasedSecret>;
}

export interface ReportedFailure {
  code: string;
  message: string;
  retryable: boolean;
  /** Of code: where it was thrown, then who called it; at most `STACK_FRAMES`. */
  stack?: readonly StackFrame[];
  /** Seconds before the next attempt, where the upstream asked for them (`Retry-After`). */
  retryAfterSeconds?: number | undefined;
}

/** Times are milliseconds since the epoch by the worker's clock. `Items`: what a list is held as; an array on the wire. */
export type Report<Items = unknown[]> =
  | { e: 'start'; id: string; attempt: number; at: number }
  | {
      e: 'done';
      id: string;
      attempt: number;
      startedAt: number;
      at: number;
      output: unknown;
      port?: 'true' | 'false' | undefined;
    }
  /** A part of the list of a forEach, whose lease has `item: null`: `first` is the index of its first item; `more`: others follow. */
  | {
      e: 'items';
      id: string;
      attempt: number;
      startedAt: number;
      at: number;
      first: number;
      items: Items;
      more: boolean;
    }
  | { e: 'fail'; id: string; attempt: number; startedAt: number | null; at: number; error: ReportedFailure };

export interface MetricPoint {
  /** Milliseconds since the epoch. */
  time: number;
  measurement: string;
  tags: Record<string, string>;
  fields: Record<string, number>;
}

export type WorkerFrame<Items = unknown[]> =
  | {
      t: 'hello';
      protocol: number;
      /** Kept over reconnects and restarts of the link; a fresh process makes a fresh id. */
      workerId: string | null;
      version: string;
      /** The worker's own HTTP address, shown to operators. */
      url: string;
      capacity: number;
      labels: Record<string, string>;
      handlers: string[];
      /** It runs nodes of type `handler` alone, and is given no others. Absent: it runs all types. */
      only?: 'handlers' | undefined;
      /** It takes leases of short tasks beyond its capacity, and runs them as they come. Absent: it takes none. */
      ahead?: boolean | undefined;
      /** Leases that it still holds after a reconnect. */
      running: { id: string; attempt: number }[];
    }
  /** cpu: 0 to 1 of one core-set; memory: bytes resident; memoryTotal: bytes of the machine. */
  | { t: 'beat'; cpu: number; memory: number; memoryTotal: number; running: number }
  | { t: 'report'; items: Report<Items>[] }
  /** Points of the worker's own. `task_metrics` and `worker_metrics` are made by the master, from reports and beats. */
  | { t: 'metrics'; points: MetricPoint[] }
  /** How far running tasks are, 0 to 1: shown while they run, kept nowhere. */
  | { t: 'progress'; items: { id: string; attempt: number; fraction: number; message: string | null }[] }
  /** Answers `check`: leases that it does not hold, and of which it has nothing to report. They are lost. */
  | { t: 'gone'; leases: { id: string; attempt: number }[] }
  /** It ends soon: send it no more leases. Those under way are still reported, then comes `bye`. */
  | { t: 'drain' }
  | { t: 'bye' };

/** Where workers ship their log lines. */
export interface AnnouncedPipeline {
  host: string;
  port: number;
  /** It takes TLS with the certificate of the master. */
  tls?: boolean;
  /** Its first line may be `AUTH <token>`. */
  auth?: boolean;
  /** The name in the certificate; absent: that of the master's URL. */
  name?: string;
}

export type MasterFrame =
  | {
      t: 'welcome';
      workerId: string;
      protocol: number;
      heartbeatSeconds: number;
      logstash: AnnouncedPipeline | null;
      limits: WorkerLimits;
      http: HttpPolicy;
      /** Addresses of all masters of a cluster: a worker that loses its master goes on at another. Absent: a single master. */
      masters?: readonly string[];
    }
  /** The masters that there are now. */
  | { t: 'masters'; masters: readonly string[] }
  /** Limits and rules that changed since the welcome. */
  | { t: 'limits'; limits: WorkerLimits; http: HttpPolicy }
  | { t: 'refuse'; code: 'PROTOCOL_MISMATCH' | 'BAD_HELLO' | 'WORKER_ID_TAKEN'; message: string }
  /** Sent once per link before the first lease of that commit: the nodes that make tasks. */
  | { t: 'commit'; commit: string; nodes: LeasedNode[] }
  | { t: 'run'; leases: Lease[] }
  | { t: 'kill'; ids: string[]; reason: string }
  /** These leases are old ones; stop whatever still runs under them. `attempts[i]` belongs to `ids[i]`: a newer attempt goes on. */
  | { t: 'lost'; ids: string[]; attempts: number[] }
  /** Tasks that were with this worker for long: it answers `gone` with those that it does not hold, if there are any. */
  | { t: 'check'; leases: { id: string; attempt: number }[] }
  | { t: 'drain' };

/** One line that a worker ships to the log pipeline. Custom fields stand beside these. */
export interface ShippedLine {
  _time: string;
  _msg: string;
  level: LogLevel;
  job_id: string;
  task_id: string;
  worker_id: string;
  source: string;
  [field: string]: unknown;
}
