import type { Limits } from './limits.ts';
import type { ProjectionExtra } from './vocabulary.ts';

/** How one process of Yardmaster starts another: options, ready line, and the file that a running master leaves in its data folder. */

/**
 * Flags of the Node.js that runs a master or a worker. Left to itself V8 lets the space for new objects grow to 128 MiB,
 * which costs memory and, because it does not fit the processor's cache, a tenth of the speed. It also keeps four helper
 * threads that collect garbage together with the main thread: where processors are scarce the main thread waits for a
 * helper that waits for a processor, which was half of the longest pauses of the event loop.
 */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=4', '--v8-pool-size=1', '--no-parallel-scavenge'];

/**
 * What the C library of Linux is told before a process begins; who set it already is heeded. It gives each thread an
 * arena of its own to take memory from, and keeps what threads give back there: a master has a dozen threads. And what is
 * this large (bytes) goes back to the system as soon as it is given back; else the library learns to keep ever larger pieces. It is
 * more than the 64 KiB that Node reads from a socket or a file at a time, which would cost a call of the system each.
 */
export const NODE_ENVIRONMENT: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '73728',
};

/** What survives: `normal` a crash of the process, `full` a power failure too. */
export interface Durability {
  level: 'normal' | 'full';
  /** How long a sync of the disk took when it was chosen, in milliseconds; null: it was asked for. */
  syncMs: number | null;
}

export interface MasterPorts {
  master: number;
  /** Null until this master serves that protocol. */
  logStore: number | null;
  metrics: number | null;
  logstash: number;
}

/** Where the audit log is sent; null: nowhere. */
export interface AuditExportOptions {
  /** A file that JSON lines are appended to. */
  file: string | null;
  /** `tls://HOST:PORT`, `tcp://…` or `udp://…`. */
  syslog: string | null;
  webhook: string | null;
  /** Signs what is posted. */
  webhookSecret: string | null;
}

/** The provider of OpenID Connect that people sign in at. */
export interface OidcOptions {
  /** `https://…`; `http://` only on this machine. */
  issuer: string;
  clientId: string;
  /** Null: a public client, with PKCE alone. */
  clientSecret: string | null;
  /** On the button of the sign-in page. */
  name: string;
  scopes: string[];
  /** Claim with the names of groups; a path with dots. */
  groupsClaim: string;
  /** Only people with a verified e-mail address of these; empty: all that the provider lets in. */
  allowedDomains: string[];
  /** People are made at their first sign-in. */
  createUsers: boolean;
}

/** A store elsewhere, in the place of one of the master's own. */
export interface RemoteStoreOptions {
  /** Base address, without credentials. */
  url: string;
  /** What requests prove who they are with; null: nothing. */
  credentials: { user: string; password: string } | { token: string } | null;
  /** Certificate authority (PEM file) that the address is checked against; null: those of the system. */
  caFile: string | null;
}

export interface RemoteLogsOptions extends RemoteStoreOptions {
  /** Base address that lines are sent to; null: the same. */
  insertUrl: string | null;
  /** `AccountID:ProjectID`; null: none is named, which is 0:0. */
  tenant: string | null;
}

/** An InfluxDB 2 in the place of the embedded metric store. */
export interface RemoteMetricsOptions extends RemoteStoreOptions {
  organization: string;
  /** Bucket of all points; those of single jobs are in `<bucket>_jobs`, one-minute roll-ups in `<bucket>_1m`. */
  bucket: string;
}

/** Where metrics are sent by Prometheus remote write, beside the metric store. */
export interface RemoteWriteOptions extends RemoteStoreOptions {
  /** Labels that each series gets. */
  labels: Readonly<Record<string, string>>;
}

/** Where OTLP is sent over HTTP. */
export interface OtlpTarget {
  /** The whole address, such as `https://collector:4318/v1/traces`. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Files (PEM); null: the system's authorities, and no certificate of ours. */
  tls: { caFile: string | null; client: { certFile: string; keyFile: string } | null };
  timeoutMs: number;
  /** Bodies are compressed with gzip. */
  compression: boolean;
  encoding: 'protobuf' | 'json';
}

/** What is exported by OTLP; null: that is not. */
export interface OtlpOptions {
  traces: OtlpTarget | null;
  metrics: OtlpTarget | null;
  logs: OtlpTarget | null;
  /** Which jobs are traced: a share of them (0 to 1); with `parentBased`, those whose caller decided as the caller did. */
  sampling: { parentBased: boolean; ratio: number };
  /** Attributes of the resource, over those that the master gives itself. */
  resource: Readonly<Record<string, string>>;
  /** How long records wait for others. */
  delayMs: number;
  metricIntervalMs: number;
}

export interface MasterOptions {
  host: string;
  /** A number: exactly that port, or an error. Null: the default, or the next free one. 0: any. The same holds for the other ports. */
  port: number | null;
  logStorePort: number | null;
  metricsPort: number | null;
  logstashPort: number | null;
  /** A VictoriaLogs that keeps the log lines; left out or null: the master keeps them itself. */
  logs?: RemoteLogsOptions | null;
  /** An InfluxDB 2 that keeps the metrics; left out or null: the master keeps them itself. */
  metrics?: RemoteMetricsOptions | null;
  /** Left out or null: nowhere. */
  remoteWrite?: RemoteWriteOptions | null;
  /** Data folder; made where it is missing. */
  data: string;
  workers: number;
  capacity: number;
  /** `sqlite`, or `postgres://…` for masters that share their state. */
  store: string;
  /** Where the other masters and the workers of other machines reach this one; default: its host and port. */
  advertiseUrl?: string | null;
  /** Where the internet reaches webhooks and one-time links (origin); default: the address by which the master is asked. */
  publicUrl?: string | null;
  /** A folder that all masters of a cluster see, or `s3://BUCKET/PREFIX`, for snapshots of the state; default: they are kept in PostgreSQL. */
  snapshots?: string | null;
  /** Masters of a cluster keep tables for SQL up in PostgreSQL, with these columns beside the plain ones; null: this one does not. */
  projection?: readonly ProjectionExtra[] | null;
  /** Null: `full` where the disk syncs quickly. */
  durability: Durability['level'] | null;
  drainSeconds: number;
  /** Addresses and ranges of the proxies before this master; null: there are none. */
  proxies: string[] | null;
  /** The ports of logs and metrics need a token on loopback too. */
  protectLoopback: boolean;
  /** Goes on with a data folder that lacks one of its parts. */
  adopt: boolean;
  /** Names that clients may reach the master by, besides loopback, addresses and those of its certificate. */
  allowedHosts: string[];
  tls: { certFile: string; keyFile: string } | null;
  adminToken: string | null;
  /** Tokens that programs are given before the master first starts; null: there is none. */
  presetTokens?: { worker: string | null; viewer: string | null };
  auditExport: AuditExportOptions;
  /** Left out or null: nothing is exported, and no code for it is loaded. */
  otlp?: OtlpOptions | null;
  /** Left out or null: people sign in here alone. */
  oidc?: OidcOptions | null;
  /** Keys of the secrets (`YARDMASTER_SECRETS_KEY`); null: the file in the data folder. */
  secretsKey: string | null;
  /** Loopback and private hosts, addresses and ranges that `http` nodes may call. */
  httpAllow: string[];
  /** Folder of example workflows that an empty store is filled with, published to dev; null: none. */
  examples: string | null;
  limits: Partial<Limits>;
  /** Progress and warnings for people, one line each. */
  log(line: string): void;
}

export interface RunningMaster {
  ready: ReadyLine;
  /** Console address that signs a browser in once, within five minutes. */
  signInUrl(): string;
  /** Works in the curl line of the start screen; null where no local key was made. */
  apiKey: string | null;
  durability: Durability;
  /** Takes no new work, lets running tasks end, flushes. Idempotent. */
  close(): Promise<void>;
  /** Rejects where the master had to stop by itself. */
  closed: Promise<void>;
}

/** First line of `yardmaster master --json`, once it serves. */
export interface ReadyLine {
  event: 'ready';
  url: string;
  token: string;
  ports: MasterPorts;
  pid: number;
}

/** `<data>/local.json`, mode 0600, while a master runs: how the command line and the desktop find it. */
export interface LocalFile {
  url: string;
  token: string;
  ports: MasterPorts;
  pid: number;
  startedAt: string;
  apiKey: string | null;
  /** What the master proves with that it is the one of this file (`GET /api/v1/master/proof`). Made anew at each start. */
  proofKey: string;
}

/** Where a worker finds its master. */
export interface MasterAddress {
  /** Origin, such as `http://127.0.0.1:8700`. */
  master: string;
  /** A socket file of that master on this machine, which is quicker than its port; null: the port. */
  socket: string | null;
}

export interface WorkerOptions extends MasterAddress {
  /** Other masters of the same cluster (origins), for where that one does not answer. */
  others?: readonly string[];
  /** Goes on at other masters of a cluster where it loses its own; false: it belongs to the machine of its master. */
  follows: boolean;
  token: string;
  capacity: number;
  handlers: string | null;
  /** Shown to operators beside the worker. */
  labels: Record<string, string>;
  /** Overrides the pipeline address that the master names. `token`: sent to it as the first line; null: none. */
  logstash: { host: string; port: number; tls: boolean; token: string | null } | null;
  /** Where it serves its own health; port 0: any free one. Left out: on loopback. */
  health?: { host: string; port: number };
  log(line: string): void;
}

export interface RunningWorker {
  workerId: string;
  /** Origin of the master that it has, or tries. */
  master: string;
  /** Resolves where it ended by `close`, rejects where the master refused it. */
  closed: Promise<void>;
  /** Takes no more tasks, lets running ones end (at most `seconds`), says goodbye. */
  close(seconds: number): Promise<void>;
}

/** `yardmaster pipeline`: log pipelines by themselves, before a log store anywhere. */
export interface PipelineProcessOptions {
  host: string;
  port: number | null;
  /** Folder of the queue and the dead letters; made where it is missing. */
  data: string;
  logStore: RemoteStoreOptions;
  /** `AccountID:ProjectID` in VictoriaLogs; null: none is named. */
  tenant: string | null;
  /** A file or a folder with values that are taken out of lines; null: there are none. */
  redact: string | null;
  replicas: number;
  gzip: boolean;
  /** `only`: whoever does not speak TLS is hung up on. */
  tls: { certFile: string; keyFile: string; only: boolean } | null;
  /** One of these is the first line of each connection; null: none is asked for. */
  tokens: readonly string[] | null;
  /** Other machines may write without token and TLS. */
  open: boolean;
  durability: 'normal' | 'full';
  limits: Partial<Limits>;
  log(line: string): void;
}

export interface RunningPipeline {
  port: number;
  stats(): object;
  /** Takes no more lines, and gives the store a moment to take what is queued; the rest stays on disk. */
  close(): Promise<void>;
}

/** How a process ended by itself: `code` or `signal`, and the last lines of its standard error. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly lines: readonly string[];
}

/** The local worker of this number ended. */
export type LocalWorkerEnded = (number: number, exit: ProcessExit) => void;
