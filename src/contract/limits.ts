import { fixed, live } from './limit.ts';
import { CLUSTER_LIMITS } from './cluster-limits.ts';
import { PEOPLE_LIMITS } from './people-limits.ts';
import { SEARCH_LIMITS } from './search-limits.ts';
import { WAIT_LIMITS } from './wait-limits.ts';
import { WEBHOOK_LIMITS } from './webhook-limits.ts';
import { keysOf, tableOf } from './tables.ts';

export type { Bounds } from './limit.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const TIB = 1024 * GIB;

/**
 * Every limit of the product, by name: its default, the least, the most. The master takes overrides from its options and environment
 * (`YARDMASTER_<NAME>`); `GET /api/v1/settings` shows what is in force.
 */
const TABLE = {
  /** Maximum size of a request body after decompression, in bytes. */
  bodyBytes: fixed(5 * MIB, 1024, 256 * MIB),
  /** Maximum nesting depth of a JSON body. */
  jsonDepth: fixed(200, 4, 1000),
  /** Maximum number of values in a JSON body. */
  jsonValues: fixed(100_000, 100, 10_000_000),
  /** Maximum number of values in the JSON body of a batch job. */
  batchJsonValues: fixed(2_000_000, 100, 50_000_000),
  /** Request bodies of this size or larger are parsed and validated in a worker thread, in bytes. */
  heavyBodyBytes: fixed(64 * KIB, 1024, MIB),
  /** Definitions of this size or larger are validated in a worker thread, in bytes. */
  heavyDefinitionBytes: fixed(4096, 256, 256 * KIB),
  /** Maximum size of bodies waiting for the worker thread, in bytes; further requests get 503 `OVERLOADED`. */
  heavyQueueBytes: fixed(64 * MIB, MIB, 4 * GIB),
  /** Payloads and responses of this size or larger are read and redacted in a worker thread, in bytes. */
  heavyAnswerBytes: fixed(64 * KIB, 1024, MIB),
  /** Event calls per second and API key; bursts of one second are allowed. 0: no limit. */
  eventsPerSecondPerKey: live(0, 1, 1_000_000, 0),
  /** Longest wait that `Prefer: wait` may request, in seconds. */
  preferWaitSeconds: live(3600, 1, 86_400),
  /** Maximum number of inputs in one event call. */
  eventInputs: live(1000, 1, 100_000),
  /** How long an event call without `Prefer` waits for the job, in seconds. */
  eventWaitSeconds: live(60, 0, 3600),
  /** How long idempotency keys are kept, in hours. */
  idempotencyHours: live(24, 1, 8760),
  /** Maximum number of READY tasks; above it, event calls get 503 `OVERLOADED`. 0: no limit. */
  queueDepth: live(100_000, 1, 10_000_000, 0),
  /** Maximum size of the bodies of event calls waiting for a response, in bytes; above it, calls get 503 `OVERLOADED`. 0: no limit. */
  eventWaitingBytes: live(256 * MIB, MIB, 64 * GIB, 0),
  /** Maximum number of event calls waiting for a response; above it, calls get 503 `OVERLOADED`. 0: no limit. */
  eventWaitingCalls: live(20_000, 1, 1_000_000, 0),
  /** Default number of retries of a task. */
  retries: live(3, 0, 100),
  /** Default back-off before the first retry, in seconds; it doubles with each retry. */
  retryBackoffSeconds: live(1, 0, 86_400),
  /** Longest back-off, in seconds. */
  retryBackoffMaxSeconds: live(60, 0.1, 86_400),
  /** Longest wait before a retry that an upstream (`Retry-After`) or a handler may request, in seconds; longer values are reduced to it. */
  retryAfterMaxSeconds: live(86_400, 1, 31_536_000),
  /** Random share of a back-off (±). */
  retryJitter: live(0.2, 0, 1),
  /** Interval of checks for due retries, timeouts and recovery, in seconds. */
  retryCheckSeconds: fixed(1, 0.05, 60),
  /** Default schedule timeout: the longest wait of a READY task for a worker, in seconds. */
  scheduleTimeoutSeconds: live(300, 1, 604_800),
  /** How long a worker may take to start an assigned task, in seconds; then the attempt fails with `WORKER_LOST` and is retried as usual. */
  startSeconds: live(60, 5, 86_400),
  /** Interval at which a worker is asked whether it is still running a task, in seconds; if not, the attempt fails with `WORKER_LOST` and is retried as usual. */
  leaseCheckSeconds: live(30, 1, 86_400),
  /** Default run timeout: the longest duration of one attempt, in seconds. */
  runTimeoutSeconds: fixed(600, 1, 604_800),
  /** Interval of worker heartbeats, in seconds. */
  heartbeatSeconds: fixed(2, 0.5, 60),
  /** A worker without a heartbeat for longer is Unstable, in seconds. */
  workerUnstableSeconds: fixed(6, 1, 600),
  /** A worker without a heartbeat for longer is Down, in seconds. */
  workerDownSeconds: fixed(15, 2, 3600),
  /** Maximum number of nodes in a definition. */
  definitionNodes: fixed(2000, 1, 10_000),
  /** Maximum size of a definition, in bytes. */
  definitionBytes: live(2 * MIB, 1024, 16 * MIB),
  /** Maximum size of an input schema, in bytes. */
  schemaBytes: fixed(64 * KIB, 256, MIB),
  /** Maximum number of validation steps for the inputs of one call; a million steps take some tens of milliseconds. */
  schemaSteps: fixed(1_000_000, 1000, 100_000_000),
  /** Commits and drafts cached in memory, ready to run; the least recently used are evicted first. */
  runnableCommits: fixed(500, 10, 10_000),
  /** Maximum size of the definitions in that cache, in bytes. */
  runnableBytes: fixed(64 * MIB, MIB, 4 * GIB),
  /** Maximum length of a task's error message, in characters; longer messages are truncated. */
  taskMessageCharacters: live(4096, 100, 65_536),
  /** Maximum size of one frame between master and worker, in bytes. */
  workerFrameBytes: fixed(32 * MIB, MIB, 256 * MIB),
  /** Maximum number of leases, reports, metric points or progress entries in one frame of a worker; a frame with more ends its link. */
  workerFrameItems: fixed(100_000, 10_000, 1_000_000),
  /** How long a lost task or a crash counts against a worker (Unstable), in seconds. */
  workerOutcomeSeconds: fixed(600, 1, 86_400),
  /** A worker that is Down for longer is removed from the list, in seconds. */
  workerForgetSeconds: live(3600, 60, 2_592_000),
  /** Maximum number of items of a forEach node. */
  forEachItems: live(100_000, 1, 1_000_000),
  /** Maximum nesting depth of child jobs. */
  childDepth: live(8, 1, 64),
  /** Maximum size of a task output, and of the joined outputs of a forEach node, in bytes. */
  taskOutputBytes: live(5 * MIB, 1024, 64 * MIB),
  /** Maximum size of a job output, in bytes; larger ones fail with `OUTPUT_TOO_LARGE`. The outputs of the tasks are kept. */
  jobOutputBytes: fixed(32 * MIB, 1024, 256 * MIB),
  /** Payloads larger than this are truncated in lists, in bytes. */
  payloadPreviewBytes: live(64 * KIB, 256, MIB),
  /** Maximum size of all payloads on one page of tasks, in bytes; on long pages, each payload is truncated further. */
  payloadPageBytes: fixed(8 * MIB, 64 * KIB, 64 * MIB),
  /** Default page size of lists. */
  pageSize: fixed(20, 1, 500),
  /** Largest page size that a request may ask for. */
  pageSizeMax: fixed(500, 10, 5000),
  /** Memory of one run of a `code` node, in bytes. */
  codeMemoryBytes: live(64 * MIB, 8 * MIB, 4 * GIB),
  /** Default timeout of a `code` node, in seconds. */
  codeTimeoutSeconds: live(30, 0.1, 86_400),
  /** Maximum number of log lines in one run of a `code` node; further lines are dropped, and one line says so. */
  codeLogLines: live(10_000, 1, 1_000_000),
  /** Timeout for the JSONata of one node, in seconds. */
  expressionSeconds: live(10, 0.1, 600),
  /** Timeout for a JSONata expression of the master itself, such as that of a webhook, in seconds. */
  masterExpressionSeconds: live(2, 0.1, 60),
  /** Memory of one JSONata expression that may be expensive, in bytes. */
  expressionMemoryBytes: fixed(256 * MIB, 16 * MIB, 4 * GIB),
  /** Longest `delay`, in seconds. */
  delayMaxSeconds: live(3600, 1, 86_400),
  /** Default timeout of an `http` node, in seconds. */
  httpTimeoutSeconds: live(30, 0.1, 3600),
  /** Maximum size of the response to an `http` node, in bytes. */
  httpBodyBytes: live(5 * MIB, 1024, 64 * MIB),
  /**
   * Maximum size of one log line over TCP, in bytes; longer lines are truncated. At the HTTP port of the log store, a JSON record may be six times as long
   * plus 64 KiB, because characters may be escaped.
   */
  logLineBytes: fixed(MIB, 1024, 16 * MIB),
  /** The same with `--logs`, if that is less: VictoriaLogs drops lines over 256 KiB (`-insert.maxLineSizeBytes`), with the fields that are added. */
  remoteLogLineBytes: fixed(240 * KIB, 1024, 16 * MIB),
  /** Log lines that a worker buffers while the log pipeline is unreachable, in bytes; the oldest are dropped and counted. */
  workerLogBufferBytes: live(16 * MIB, 64 * KIB, GIB),
  /** Maximum size of the log store on disk, in bytes; the oldest records are deleted first. */
  logStoreBytes: live(10 * GIB, 16 * MIB, 1024 * TIB),
  /** Retention of log lines, in days. 0: forever. */
  logRetentionDays: live(0, 0, 36_500),
  /** Free disk space that the log store keeps, in bytes; below it, the store rejects new lines but stays searchable. */
  logReserveBytes: fixed(64 * MIB, 0, 1024 * TIB),
  /** Maximum size of batches waiting for the log store, in bytes; above it, requests get 503 `OVERLOADED`. */
  logWaitingBytes: fixed(64 * MIB, 1024 * 1024, 4 * 1024 * MIB),
  /** Maximum number of fields in a log line; lines with more are skipped. */
  logFields: fixed(1000, 10, 10_000),
  /** Maximum length of a field name, in bytes; longer names are truncated. */
  logFieldNameBytes: fixed(128, 32, 4096),
  /** Maximum number of concurrent log queries, for quick queries and for long queries (which run in a thread of their own) separately. */
  logReads: fixed(16, 1, 1000),
  /** Maximum number of waiting log queries of each kind; further queries get 503 `OVERLOADED`. */
  logReadQueue: fixed(64, 0, 10_000),
  /** Longest wait of such a query, in seconds. */
  logReadWaitSeconds: fixed(10, 0.1, 600),
  /** Cache of decompressed columns shared by the two log query threads, in bytes; it is freed after one minute without queries. */
  logCacheBytes: fixed(64 * MIB, MIB, 4 * GIB),
  /** Maximum size of a log pipeline's disk queue, in bytes; when it is full, senders are paused. */
  pipelineQueueBytes: fixed(GIB, MIB, TIB),
  /** 1: drop and count new lines while the queue is full, instead of pausing senders. */
  pipelineDropWhenFull: fixed(0, 0, 1),
  /** Maximum size of the dead letters, in bytes; the oldest are deleted first. */
  pipelineDeadLetterBytes: fixed(64 * MIB, 64 * KIB, 4 * GIB),
  /** How long a line may wait for others before its batch is sent, in milliseconds. */
  pipelineFlushMs: fixed(100, 1, 5000),
  /** Maximum number of sender connections to a log pipeline. */
  pipelineConnections: fixed(1000, 1, 100_000),
  /** Maximum number of these connections from one address of another machine. */
  pipelineConnectionsPerAddress: fixed(200, 1, 100_000),
  /** Time a sender has for its first line where a token is required, in seconds. Elsewhere, a sender that is silent for longer is disconnected when all connections are in use. */
  pipelineFirstLineSeconds: fixed(10, 0.1, 3600),
  /** Maximum size of incomplete lines over all connections, in bytes; above it, lines are truncated. */
  pipelineUnfinishedBytes: fixed(64 * MIB, MIB, 4 * GIB),
  /** Number of log pipelines that share one port. */
  pipelineReplicas: fixed(1, 1, 16),
  /** Maximum size of a request body at the log store's port after decompression, in bytes. */
  logInsertBytes: fixed(64 * MIB, 64 * KIB, GIB),
  /** Maximum size of all request bodies in memory at the log store's port, in bytes; above it, requests get 503. */
  logInsertHeldBytes: fixed(256 * MIB, MIB, 16 * GIB),
  /** Maximum number of names in a list of fields in a request, such as `ignore_fields`. */
  logInsertNames: fixed(100, 1, 10_000),
  /** Timeout of a query at the log store's port, in seconds. */
  logQuerySeconds: fixed(30, 0.1, 3600),
  /** Memory of a log query for sorting and grouping, in bytes; above it, the query fails with `QUERY_TOO_LARGE`. */
  logQueryBytes: fixed(128 * MIB, MIB, 4 * GIB),
  /** Maximum number of concurrent queries at the log store's port; others wait up to 10 s, then get 503. */
  logQueries: fixed(8, 1, 1000),
  /** Maximum number of live tails at the log store's port. */
  logTails: fixed(50, 1, 10_000),
  /** Default number of records of a log search. */
  logSearchLimit: fixed(500, 1, 10_000),
  /** Largest number of records that a log search may ask for. */
  logSearchLimitMax: fixed(10_000, 1, 100_000),
  /** Maximum number of concurrent log exports. */
  logExports: live(4, 1, 100),
  /** Records that a log view of the console keeps in memory; the oldest are removed first and loaded again on demand. */
  logViewRecords: live(1_000_000, 1000, 10_000_000),
  /** Characters of records that a log view of the console keeps in memory. */
  logViewCharacters: live(200_000_000, 1_000_000, 1_000_000_000),
  /** Default number of data points of a metric query. */
  metricsLimit: fixed(1000, 1, 100_000),
  /** Maximum size of the metric store, in bytes; the oldest points are deleted first, then the oldest roll-ups. */
  metricsStoreBytes: live(10 * GIB, MIB, 1024 * TIB),
  /** Retention of metric points, in days; those of series with few points are kept as long as roll-ups. 0: forever. */
  metricsRetentionDays: live(0, 0, 36_500),
  /** Retention of one-minute roll-ups of metrics, in days. 0: forever. */
  metricsRollupRetentionDays: live(0, 0, 36_500),
  /** Maximum number of series (measurement and tags, without `job_id` and `task_id`) in the metric store; points of further series are dropped and counted. */
  metricsSeries: live(200_000, 100, 10_000_000),
  /** Maximum number of fields over all measurements of the metric store; points with further fields are dropped and counted. */
  metricsFields: live(20_000, 100, 1_000_000),
  /** Timeout of a metric query, in seconds. */
  metricsQuerySeconds: live(30, 1, 3600),
  /** Maximum number of values that a metric query may read. */
  metricsQueryValues: live(50_000_000, 10_000, 1_000_000_000),
  /** Memory of each metric query thread, in bytes. */
  metricsQueryBytes: live(256 * MIB, 16 * MIB, 8 * GIB),
  /** Maximum number of concurrent metric queries; further queries get 503 `OVERLOADED`. */
  metricsQueries: live(64, 1, 1000),
  /** Maximum size of one write of line protocol at the metric store's port after decompression, in bytes. */
  influxBodyBytes: live(64 * MIB, 64 * KIB, GIB),
  /** Maximum size of all request bodies in memory at the metric store's port, in bytes; above it, requests get 503. */
  influxHeldBytes: live(256 * MIB, MIB, 16 * GIB),
  /** Maximum size of a Flux query with its dialect, in bytes. */
  fluxQueryBytes: live(256 * KIB, KIB, 16 * MIB),
  /** Maximum number of concurrent Flux queries; others wait up to 10 s, then get 429. */
  fluxQueries: live(16, 1, 64),
  /** Maximum size of each queue on disk for metrics that are delivered elsewhere, in bytes; when it is full, the oldest are dropped and counted. */
  metricsRemoteQueueBytes: live(GIB, MIB, TIB),
  /** Interval at which metrics are sent by Prometheus remote write, in seconds. */
  remoteWriteSeconds: live(15, 0.1, 3600),
  /** Maximum number of series sent by Prometheus remote write; points of further series are left out and counted. */
  remoteWriteSeries: live(20_000, 100, 1_000_000),
  /** Maximum number of points waiting for the metric store; further points are dropped and counted. */
  metricsQueuePoints: live(200_000, 1000, 10_000_000),
  /** Maximum size of the points waiting for the metric store, or for remote write, in bytes; further points are dropped and counted. */
  metricsQueueBytes: live(128 * MIB, MIB, 16 * GIB),
  /** Maximum number of labels of a job. */
  labels: fixed(32, 1, 256),
  /** Maximum number of failure groups; those without failures for the longest time are deleted first. */
  failureGroups: live(10_000, 10, 1_000_000),
  /** Maximum number of commits, and of workers, that a failure group counts; those without failures for the longest time are removed first. */
  failureParts: live(50, 1, 1000),
  /** Maximum length of a failure group's message pattern, in characters. */
  failureMessageCharacters: live(300, 20, 4096),
  /** Number of failed jobs of a group, and of successful jobs, that are compared to find likely causes. */
  failureSample: fixed(500, 10, 10_000),
  /** Number of latest jobs of a failure group whose current status is counted. */
  failureStanding: fixed(10_000, 10, 1_000_000),
  ...SEARCH_LIMITS,
  /** Maximum number of waiting lists and searches, and of waiting comparisons and other expensive reads; further requests get 503 `OVERLOADED`. */
  readQueue: live(64, 1, 10_000),
  /** Retention of finished jobs, in days. 0: forever. */
  jobRetentionDays: live(0, 0, 36_500),
  /** Maximum number of finished jobs; the oldest are deleted first. 0: no limit. */
  jobRetentionCount: live(0, 0, 1_000_000_000),
  /** Time after which all data is read again to find damage, in days. 0: only when asked for. */
  dataCheckDays: live(7, 0, 365),
  /** Speed at which data is read to find damage, in bytes per second. */
  dataCheckBytesPerSecond: live(20 * 1024 * 1024, 64 * 1024, 10 * 1024 ** 3),
  /** Approximate event loop time of one retention step, in milliseconds. */
  retentionStepMs: live(4, 1, 50),
  /** Retention of audit log entries, in days. 0: forever. */
  auditRetentionDays: live(365, 0, 36_500),
  /** Maximum number of audit log entries; the oldest are deleted first. 0: no limit. */
  auditRetentionCount: live(1_000_000, 0, 1_000_000_000),
  /** Maximum number of audit log entries about used secrets and read payloads, which come with every job and do not count for the limit above. 0: no limit. */
  auditSecretUseCount: live(200_000, 0, 1_000_000_000),
  /** Maximum number of publish history entries; current publications are always kept. 0: no limit. */
  publicationRetentionCount: live(100_000, 0, 1_000_000_000),
  /** How long revoked and expired API keys and tokens are listed, in days. 0: forever. */
  credentialRetentionDays: live(90, 0, 36_500),
  /** Retention of finished bulk operations, in days. 0: forever. */
  operationRetentionDays: live(90, 0, 36_500),
  /** Maximum number of finished bulk operations; the oldest are deleted first. */
  operationRetentionCount: live(1000, 1, 1_000_000),
  /** Maximum number of job IDs in one bulk operation. */
  bulkIds: live(10_000, 1, 100_000),
  /** Maximum number of jobs that one bulk operation may match. */
  bulkJobs: live(5_000_000, 1, 100_000_000),
  /** How long a request for approval stays open, and keeps the jobs that it is for, in seconds. */
  approvalSeconds: live(259_200, 60, 2_592_000),
  /** Maximum number of open requests for approval; further requests get 409 `TOO_MANY_APPROVALS`. */
  approvalsOpen: live(200, 1, 10_000),
  /** How old an account, token, role or password must be at the time of a request before somebody may decide who has it from the requester, in hours. */
  approverSettleHours: live(24, 0, 720),
  /** Retention of decided requests for approval, in days. 0: forever. */
  approvalRetentionDays: live(365, 0, 36_500),
  /** Number of dry runs of bulk operations whose matched jobs are kept for the start of the operation; the oldest are deleted first. */
  bulkSnapshots: live(200, 1, 10_000),
  /** Maximum number of concurrent bulk operations; further requests get 503 `OVERLOADED`. */
  bulkOperations: live(50, 1, 1000),
  /** Maximum number of concurrent draft runs; further requests get 503 `OVERLOADED`. */
  draftRuns: fixed(50, 1, 10_000),
  /** Maximum number of inputs of one draft run. */
  draftRunInputs: fixed(10, 1, 1000),
  /** Timeout of each input of a draft run, in seconds. */
  draftRunSeconds: fixed(300, 1, 86_400),
  /** How long a draft run is kept after it finishes, in seconds. */
  draftRunKeepSeconds: fixed(3600, 1, 2_592_000),
  /** Number of READY tasks at which a larger bulk retry or rerun slows down, so that queued tasks do not reach their schedule timeout. 0: never. */
  bulkReadyTasks: live(2000, 0, 1_000_000),
  /** How long the dry run of a bulk rerun validates inputs against a changed input schema, in seconds; the remaining jobs are reported as `unchecked`. */
  bulkCheckSeconds: live(3, 0, 60),
  /** Maximum number of concurrent job exports; further requests get 503 `OVERLOADED`. */
  jobExports: live(8, 1, 100),
  /** How long the client of an export may read nothing before its connection is closed, in seconds. */
  exportStallSeconds: live(300, 1, 86_400),
  /** Maximum number of secrets. */
  secrets: live(1000, 1, 10_000),
  /** Maximum size of one secret, in bytes. */
  secretBytes: live(64 * KIB, 16, MIB),
  /** Maximum number of redirects that an `http` node follows. */
  httpRedirects: live(10, 0, 100),
  /** Maximum number of alert rules, including the built-in ones. */
  alertRules: live(500, 1, 100_000),
  /** Maximum number of series of one alert rule that are evaluated; further series are ignored and reported. */
  alertInstances: live(1000, 1, 5000),
  /** Timeout of the query of an alert rule, in seconds. */
  alertQuerySeconds: live(20, 0.1, 600),
  /** Maximum number of concurrent queries of alert rules. */
  alertConcurrency: live(4, 1, 64),
  /** Maximum number of open silences. */
  alertSilences: live(1000, 1, 100_000),
  /** Maximum number of alert channels. */
  alertChannels: live(100, 1, 10_000),
  /** Maximum number of alerts listed in one message; the others are counted. */
  alertMessageAlerts: live(100, 1, 1000),
  /** Maximum number of messages being sent at the same time. */
  alertSenders: live(8, 1, 256),
  /** Timeout for sending a message, in seconds. */
  alertSendSeconds: live(15, 0.1, 300),
  /** Wait before a failed message is sent again, in seconds; it doubles with each attempt. */
  alertRetrySeconds: live(5, 0.1, 3600),
  /** Longest such wait, in seconds. */
  alertRetryMaxSeconds: live(300, 0.1, 3600),
  /** Retention of the alert history and of ended silences, in days. 0: forever. */
  alertHistoryDays: live(90, 0.01, 36_500, 0),
  /** Maximum number of alert history entries; the oldest are deleted first. 0: no limit. */
  alertHistoryCount: live(100_000, 1, 100_000_000, 0),
  /** Maximum number of inputs of one backtest. */
  shadowInputs: fixed(500, 1, 10_000),
  /** Number of backtests kept per workflow; when a new one starts, the oldest finished one is deleted. */
  shadowReplaysKept: fixed(20, 1, 1000),
  /** Maximum number of concurrent backtests; further requests get 503 `OVERLOADED`. */
  shadowReplays: fixed(2, 1, 16),
  /** Timeout of one input of a backtest, in seconds. */
  shadowInputSeconds: fixed(60, 1, 3600),
  /** Maximum size of the recorded data of one input, in characters; larger inputs are not replayed. */
  shadowRecordingBytes: fixed(2 * MIB, 1024, 64 * MIB),
  /** Memory of a backtest process, in bytes. */
  shadowMemoryBytes: fixed(256 * MIB, 64 * MIB, 8 * GIB),
  /** Maximum number of schedules. */
  schedules: live(200_000, 1, 10_000_000),
  /** Number of due times whose outcome is kept per schedule; older ones are deleted. */
  scheduleRunsKept: live(1000, 10, 1_000_000),
  /** Maximum number of jobs that one backfill starts. */
  scheduleBackfillRuns: live(10_000, 1, 1_000_000),
  /** Maximum number of backfills that run at the same time; further requests get 503 `OVERLOADED`. */
  scheduleBackfills: live(5, 1, 100),
  /** Number of times that the start of a due job is repeated while the master is overloaded, with a growing wait. */
  scheduleStartRetries: live(5, 0, 100),
  /** A job that starts so much later than it was due counts as late for alerts, in seconds. */
  scheduleLateSeconds: live(60, 1, 86_400),
  /** Maximum number of custom dashboards. */
  dashboards: live(500, 1, 100_000),
  /** Maximum number of tasks of both jobs that a comparison reads. */
  compareTasks: fixed(500_000, 1000, 10_000_000),
  /** Maximum number of tasks, and of kinds of log lines, that a comparison lists. */
  compareRows: fixed(200, 10, 5000),
  /** Maximum size of payloads that a comparison of two jobs reads, in characters. */
  compareBytes: fixed(64 * MIB, MIB, 1024 * MIB),
  /** Maximum size of one payload that is compared field by field, in bytes. */
  comparePayloadBytes: fixed(20 * MIB, 1024, 256 * MIB),
  /** Maximum number of differences listed for one payload. */
  compareChanges: fixed(1000, 10, 100_000),
  /** Maximum size of log lines of one job that a comparison reads, in bytes; identical lines count once. */
  compareLogBytes: fixed(4 * MIB, 65_536, 64 * MIB),
  /** Maximum number of jobs in an incident bundle: the requested job, its parents and its children. */
  incidentJobs: fixed(50, 1, 1000),
  /** Maximum number of tasks in an incident bundle, over all jobs. */
  incidentTasks: fixed(100_000, 1, 10_000_000),
  /** Maximum number of log lines in an incident bundle, over all jobs. */
  incidentLogLines: fixed(200_000, 1, 100_000_000),
  /** Maximum size of an incident bundle before compression, in bytes; the bundle lists what was omitted. */
  incidentBytes: fixed(512 * MIB, MIB, 65_536 * MIB),
  /** Maximum size of one payload in an incident bundle, in bytes; larger payloads are omitted and listed. */
  incidentPayloadBytes: fixed(5 * MIB, 1024, 256 * MIB),
  /** Maximum number of incident bundles created at the same time. */
  incidentBundles: fixed(2, 1, 64),
  /** Maximum number of parts of an incident bundle that the console opens. */
  incidentParts: fixed(250_000, 100, 10_000_000),
  /** How long a browser session lasts, in hours. */
  sessionHours: fixed(12, 1, 8760),
  /** Memory for spans, for log lines and for values that wait to be exported by OTLP, each, in bytes; above it, the oldest are dropped and counted. */
  otlpQueueBytes: fixed(16 * MIB, 64 * KIB, GIB),
  /** Maximum number of spans, log lines or values in one request by OTLP. */
  otlpBatchRecords: fixed(512, 1, 10_000),
  ...PEOPLE_LIMITS,
  ...WAIT_LIMITS,
  ...WEBHOOK_LIMITS,
  ...CLUSTER_LIMITS,
  /** How long running tasks may take to finish at shutdown (`--drain-seconds`), in seconds. */
  drainSeconds: fixed(30, 0, 3600),
  /** Maximum number of live events per entity and second. */
  streamPerEntityPerSecond: fixed(4, 1, 1000),
};

const column = <T>(of: (row: (typeof TABLE)[keyof typeof TABLE]) => T): Readonly<Record<keyof typeof TABLE, T>> =>
  tableOf(keysOf(TABLE), (name) => of(TABLE[name]));

export const LIMITS = column(({ value }) => value);
export const LIMIT_BOUNDS = column(({ bounds }) => bounds);
export const IS_LIVE = column(({ taken }) => taken === 'when needed');
export const IS_OF_MASTER = column(({ taken }) => taken === 'of each master');

/** Limits of which one must not be above the other. */
export const LIMIT_ORDER: readonly (readonly [lesser: keyof Limits, greater: keyof Limits])[] = [
  ['heartbeatSeconds', 'workerUnstableSeconds'],
  ['workerUnstableSeconds', 'workerDownSeconds'],
  ['taskOutputBytes', 'workerFrameBytes'],
  ['bodyBytes', 'workerFrameBytes'],
  ['pageSize', 'pageSizeMax'],
  ['logSearchLimit', 'logSearchLimitMax'],
];

export type Limits = { -readonly [K in keyof typeof LIMITS]: number };

export const DEFAULT_PORTS = { master: 8700, logStore: 9428, metrics: 8086, logstash: 9000 } as const;
