/**
 * Every limit of the product, by name, with its default. The master takes overrides from its options and environment
 * (`YARDMASTER_<NAME>`); `GET /api/v1/settings` shows what is in force.
 */
export const LIMITS = {
  /** Bytes of a request body, after decompression. */
  bodyBytes: 5 * 1024 * 1024,
  /** Depth of nested arrays and objects in a JSON body. */
  jsonDepth: 200,
  /** Values in a JSON body: more would hold the event loop while they are parsed. */
  jsonValues: 100_000,
  /** The same for a batch job, whose inputs an operator sends in one piece. */
  batchJsonValues: 2_000_000,
  /** Event calls a second of one API key, bursts of a second's worth. 0: no limit. */
  eventsPerSecondPerKey: 0,
  /** The most seconds that `Prefer: wait` may ask for. */
  preferWaitSeconds: 3600,
  /** Input objects of one event call. */
  eventInputs: 1000,
  /** Seconds an event call waits without `Prefer`. */
  eventWaitSeconds: 60,
  /** Hours an idempotency key is remembered. */
  idempotencyHours: 24,
  /** READY tasks above which event calls are refused with 503 OVERLOADED. 0: no limit. */
  queueDepth: 100_000,
  /** Retries of a task where its node names none. */
  retries: 3,
  retryBackoffSeconds: 1,
  retryBackoffMaxSeconds: 60,
  /** ± share of a back-off that is random. */
  retryJitter: 0.2,
  retryCheckSeconds: 1,
  /** Since READY. */
  scheduleTimeoutSeconds: 300,
  /** Since RUNNING. */
  runTimeoutSeconds: 600,
  heartbeatSeconds: 2,
  /** A worker silent for longer is Unstable. */
  workerUnstableSeconds: 6,
  /** A worker silent for longer is Down. */
  workerDownSeconds: 15,
  /** Nodes of a definition. */
  definitionNodes: 2000,
  /** Bytes of a definition. */
  definitionBytes: 2 * 1024 * 1024,
  /** Bytes of an input schema. */
  schemaBytes: 64 * 1024,
  /** Steps of checking the inputs of one call against their schema; a million is some tens of milliseconds. */
  schemaSteps: 1_000_000,
  /** Commits kept ready to run in memory. */
  runnableCommits: 500,
  /** Characters of the message of a task's failure that are kept. */
  taskMessageCharacters: 4096,
  /** Bytes of one frame between master and worker. */
  workerFrameBytes: 32 * 1024 * 1024,
  /** A crash that an executor or worker caused counts against the worker for this long (contract §7, Unstable). */
  workerOutcomeSeconds: 600,
  /** A worker that is Down for longer is forgotten. */
  workerForgetSeconds: 3600,
  /** Bytes of a task's output. */
  taskOutputBytes: 5 * 1024 * 1024,
  /** Bytes above which payloads are cut in lists (contract §5). */
  payloadPreviewBytes: 64 * 1024,
  pageSize: 20,
  pageSizeMax: 500,
  /** Memory of one `code` run. */
  codeMemoryBytes: 64 * 1024 * 1024,
  /** Seconds of one `code` run where its node names none. */
  codeTimeoutSeconds: 30,
  /** Log lines of one `code` run; those beyond are dropped and one line says so. */
  codeLogLines: 10_000,
  /** Seconds that the JSONata of one node may run. */
  expressionSeconds: 10,
  delayMaxSeconds: 3600,
  httpTimeoutSeconds: 30,
  httpBodyBytes: 5 * 1024 * 1024,
  logLineBytes: 1024 * 1024,
  /** Bytes of log lines that a worker keeps while the pipeline is away; the oldest are dropped and counted. */
  workerLogBufferBytes: 16 * 1024 * 1024,
  /** Bytes of log lines that the pipeline holds before it stops reading its sockets. */
  logQueueBytes: 16 * 1024 * 1024,
  /** Bytes of log records kept on disk; the oldest go first. */
  logStoreBytes: 10 * 1024 * 1024 * 1024,
  logSearchLimit: 500,
  logSearchLimitMax: 10_000,
  metricsLimit: 1000,
  /** Metric points kept; the oldest go first. */
  metricsPoints: 20_000_000,
  /** Points that wait for the store; those beyond are dropped and counted. */
  metricsQueuePoints: 200_000,
  sessionHours: 12,
  drainSeconds: 30,
  /** Live events of one entity in a second (contract §11). */
  streamPerEntityPerSecond: 4,
} as const;

export type Limits = { -readonly [K in keyof typeof LIMITS]: number };

export const DEFAULT_PORTS = { master: 8700, logStore: 9428, metrics: 8086, logstash: 9000 } as const;
