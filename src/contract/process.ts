import type { Limits } from './limits.ts';

/** How one process of Yardmaster starts another: options, ready line, and the file that a running master leaves in its data folder. */

/**
 * Flags of the Node.js that runs a master or a worker. Left to itself V8 lets the space for new objects grow to 128 MiB,
 * which costs memory and, because it does not fit the processor's cache, a tenth of the speed. It also keeps four helper
 * threads that collect garbage together with the main thread: where processors are scarce the main thread waits for a
 * helper that waits for a processor, which was half of the longest pauses of the event loop. And it lets garbage grow to
 * several times of what lives: less is enough.
 */
export const NODE_FLAGS: readonly string[] = [
  '--max-semi-space-size=8',
  '--v8-pool-size=1',
  '--no-parallel-scavenge',
  '--heap-growing-percent=40',
];

/**
 * What the C library of Linux is told before a process begins; who set it already is heeded. It gives each thread an
 * arena of its own to take memory from, and keeps what threads give back there: a master has a dozen threads. And what is
 * this large (bytes) goes back to the system as soon as it is given back; else the library learns to keep ever larger pieces.
 */
export const NODE_ENVIRONMENT: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
};

export interface MasterPorts {
  master: number;
  /** Null until this master serves that protocol. */
  logStore: number | null;
  metrics: number | null;
  logstash: number;
}

export interface MasterOptions {
  host: string;
  /** A number: exactly that port, or an error. Null: the default, or the next free one. 0: any. The same holds for the other ports. */
  port: number | null;
  logStorePort: number | null;
  metricsPort: number | null;
  logstashPort: number | null;
  /** Data folder; made where it is missing. */
  data: string;
  workers: number;
  capacity: number;
  /** `sqlite`. */
  store: string;
  durability: 'normal' | 'full';
  drainSeconds: number;
  behindProxy: boolean;
  /** Goes on with a data folder that lacks one of its parts. */
  adopt: boolean;
  /** Names that clients may reach the master by, besides loopback, addresses and those of its certificate. */
  allowedHosts: string[];
  tls: { certFile: string; keyFile: string } | null;
  adminToken: string | null;
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
}

/** Where a worker finds its master. */
export interface MasterAddress {
  /** Origin, such as `http://127.0.0.1:8700`. */
  master: string;
  /** A socket file of that master on this machine, which is quicker than its port; null: the port. */
  socket: string | null;
}

export interface WorkerOptions extends MasterAddress {
  token: string;
  capacity: number;
  handlers: string | null;
  /** Shown to operators beside the worker. */
  labels: Record<string, string>;
  /** Overrides the pipeline address that the master names. */
  logstash: { host: string; port: number } | null;
  log(line: string): void;
}

export interface RunningWorker {
  workerId: string;
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
  /** Base address of the log store, and the token that it asks for. */
  logStore: string;
  token: string | null;
  replicas: number;
  gzip: boolean;
  /** `only`: whoever does not speak TLS is hung up on. */
  tls: { certFile: string; keyFile: string; only: boolean } | null;
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
