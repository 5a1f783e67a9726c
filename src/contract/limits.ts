import { keysOf, tableOf } from './tables.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const TIB = 1024 * GIB;

/** The least and the most that a limit may be set to; a third value is allowed beside these. */
export type Bounds = readonly [least: number, most: number, or?: number];

/** What lies outside the bounds cripples the master or its workers, or is a slip of the hand. */
const limit =
  (isLive: boolean) =>
  (value: number, ...bounds: Bounds) => ({ value, bounds, isLive });
/** Read each time it is needed, so that it can be changed while the master runs. */
const live = limit(true);
/** Taken at the start of the master. */
const fixed = limit(false);

/**
 * Every limit of the product, by name: its default, the least, the most. The master takes overrides from its options and environment
 * (`YARDMASTER_<NAME>`); `GET /api/v1/settings` shows what is in force.
 */
const TABLE = {
  /** Bytes of a request body, after decompression. */
  bodyBytes: fixed(5 * MIB, 1024, 256 * MIB),
  /** Depth of nested arrays and objects in a JSON body. */
  jsonDepth: fixed(200, 4, 1000),
  /** Values in a JSON body: more would hold the event loop while they are parsed. */
  jsonValues: fixed(100_000, 100, 10_000_000),
  /** The same for a batch job, whose inputs an operator sends in one piece. */
  batchJsonValues: fixed(2_000_000, 100, 50_000_000),
  /** Bytes from which a body is parsed and checked in a thread of its own, so that it cannot hold the event loop. */
  heavyBodyBytes: fixed(64 * KIB, 1024, MIB),
  /** The same for a definition, of which a little can take long to check. */
  heavyDefinitionBytes: fixed(4096, 256, 256 * KIB),
  /** Bytes of bodies that wait for that thread; more are refused with 503 OVERLOADED. */
  heavyQueueBytes: fixed(64 * MIB, MIB, 4 * GIB),
  /** Bytes from which a payload is read, and an answer searched for values of secrets, in a thread, so that it cannot hold the event loop. */
  heavyAnswerBytes: fixed(64 * KIB, 1024, MIB),
  /** Event calls a second of one API key, bursts of a second's worth. 0: no limit. */
  eventsPerSecondPerKey: live(0, 1, 1_000_000, 0),
  /** The most seconds that `Prefer: wait` may ask for. */
  preferWaitSeconds: live(3600, 1, 86_400),
  /** Input objects of one event call. */
  eventInputs: live(1000, 1, 100_000),
  /** Seconds an event call waits without `Prefer`. */
  eventWaitSeconds: live(60, 0, 3600),
  /** Hours an idempotency key is remembered. */
  idempotencyHours: live(24, 1, 8760),
  /** READY tasks above which event calls are refused with 503 OVERLOADED. 0: no limit. */
  queueDepth: live(100_000, 1, 10_000_000, 0),
  /** Bytes of the bodies of event calls that wait for their answer, above which calls are refused with 503 OVERLOADED. 0: no limit. */
  eventWaitingBytes: live(256 * MIB, MIB, 64 * GIB, 0),
  /** Event calls that wait for their answer, above which calls are refused with 503 OVERLOADED. 0: no limit. */
  eventWaitingCalls: live(20_000, 1, 1_000_000, 0),
  /** Retries of a task where its node names none. */
  retries: live(3, 0, 100),
  retryBackoffSeconds: live(1, 0, 86_400),
  retryBackoffMaxSeconds: live(60, 0.1, 86_400),
  /** The most that an upstream or a handler may ask for (`Retry-After`). */
  retryAfterMaxSeconds: live(86_400, 1, 31_536_000),
  /** ± share of a back-off that is random. */
  retryJitter: live(0.2, 0, 1),
  retryCheckSeconds: fixed(1, 0.05, 60),
  /** Since READY. */
  scheduleTimeoutSeconds: live(300, 1, 604_800),
  /** Since SCHEDULED: a worker that is there and has not begun the task by then loses it. */
  startSeconds: live(60, 5, 86_400),
  /** A worker is asked this often whether it still holds a task. */
  leaseCheckSeconds: live(30, 1, 86_400),
  /** Since RUNNING. */
  runTimeoutSeconds: fixed(600, 1, 604_800),
  heartbeatSeconds: fixed(2, 0.5, 60),
  /** A worker silent for longer is Unstable. */
  workerUnstableSeconds: fixed(6, 1, 600),
  /** A worker silent for longer is Down. */
  workerDownSeconds: fixed(15, 2, 3600),
  /** Nodes of a definition. */
  definitionNodes: fixed(2000, 1, 10_000),
  /** Bytes of a definition. */
  definitionBytes: live(2 * MIB, 1024, 16 * MIB),
  /** Bytes of an input schema. */
  schemaBytes: fixed(64 * KIB, 256, MIB),
  /** Steps of checking the inputs of one call against their schema; a million is some tens of milliseconds. */
  schemaSteps: fixed(1_000_000, 1000, 100_000_000),
  /** Commits and drafts kept ready to run in memory, and characters of their definitions. */
  runnableCommits: fixed(500, 10, 10_000),
  runnableBytes: fixed(64 * MIB, MIB, 4 * GIB),
  /** Characters of the message of a task's failure that are kept. */
  taskMessageCharacters: live(4096, 100, 65_536),
  /** Bytes of one frame between master and worker. */
  workerFrameBytes: fixed(32 * MIB, MIB, 256 * MIB),
  /** A crash that an executor or worker caused counts against the worker for this long. */
  workerOutcomeSeconds: fixed(600, 1, 86_400),
  /** A worker that is Down for longer is forgotten. */
  workerForgetSeconds: live(3600, 60, 2_592_000),
  /** Items of the list of a forEach. */
  forEachItems: live(100_000, 1, 1_000_000),
  /** Jobs above a child job (a workflow node's): a deeper one is not started. */
  childDepth: live(8, 1, 64),
  /** Bytes of a task's output, and of the joined outputs of a forEach. */
  taskOutputBytes: live(5 * MIB, 1024, 64 * MIB),
  /** Bytes of the output of a whole job, as its endpoint answers it; a job with more fails with OUTPUT_TOO_LARGE. */
  jobOutputBytes: fixed(32 * MIB, 1024, 256 * MIB),
  /** Bytes above which payloads are cut in lists. */
  payloadPreviewBytes: live(64 * KIB, 256, MIB),
  /** Bytes of payloads on one page of tasks: where many are shown, each shows less of a long one. */
  payloadPageBytes: fixed(8 * MIB, 64 * KIB, 64 * MIB),
  pageSize: fixed(20, 1, 500),
  pageSizeMax: fixed(500, 10, 5000),
  /** Memory of one `code` run. */
  codeMemoryBytes: live(64 * MIB, 8 * MIB, 4 * GIB),
  /** Seconds of one `code` run where its node names none. */
  codeTimeoutSeconds: live(30, 0.1, 86_400),
  /** Log lines of one `code` run; those beyond are dropped and one line says so. */
  codeLogLines: live(10_000, 1, 1_000_000),
  /** Seconds that the JSONata of one node may run. */
  expressionSeconds: live(10, 0.1, 600),
  /** Memory of one expression that is not known to be small. */
  expressionMemoryBytes: fixed(256 * MIB, 16 * MIB, 4 * GIB),
  delayMaxSeconds: live(3600, 1, 86_400),
  httpTimeoutSeconds: live(30, 0.1, 3600),
  httpBodyBytes: live(5 * MIB, 1024, 64 * MIB),
  /** Bytes of a log line; as JSON, with its escapes and other fields, six times as many and 64 KiB. */
  logLineBytes: fixed(MIB, 1024, 16 * MIB),
  /** Bytes of log lines that a worker keeps while the pipeline is away; the oldest are dropped and counted. */
  workerLogBufferBytes: live(16 * MIB, 64 * KIB, GIB),
  /** Bytes of log records kept on disk; the oldest go first. */
  logStoreBytes: live(10 * GIB, 16 * MIB, 1024 * TIB),
  /** Days after which log lines go; 0: never. */
  logRetentionDays: live(0, 0, 36_500),
  /** Bytes of the disk that the log store leaves free. */
  logReserveBytes: fixed(64 * MIB, 0, 1024 * TIB),
  /** Bytes of batches that wait for the log store; more are refused with 503. */
  logWaitingBytes: fixed(64 * MIB, 1024 * 1024, 4 * 1024 * MIB),
  /** Fields of a log line; one with more is skipped. */
  logFields: fixed(1000, 10, 10_000),
  /** Bytes of a field's name, after which it is cut. */
  logFieldNameBytes: fixed(128, 32, 4096),
  /** Queries of logs that run at once, that wait for their turn, and for how long: of quick ones, and as many of long ones. */
  logReads: fixed(16, 1, 1000),
  logReadQueue: fixed(64, 0, 10_000),
  logReadWaitSeconds: fixed(10, 0.1, 600),
  /** Bytes of unpacked columns that the threads which read logs keep together for the next query. */
  logCacheBytes: fixed(64 * MIB, MIB, 4 * GIB),
  /** Bytes of batches that a log pipeline keeps on disk while the log store does not take them; then the senders wait. */
  pipelineQueueBytes: fixed(GIB, MIB, TIB),
  /** 1: lines that find the queue full are thrown away and counted, and no sender waits. */
  pipelineDropWhenFull: fixed(0, 0, 1),
  /** Bytes of lines that the log store refused for good; the oldest go first. */
  pipelineDeadLetterBytes: fixed(64 * MIB, 64 * KIB, 4 * GIB),
  /** Milliseconds that a line may wait for others before its batch is sent. */
  pipelineFlushMs: fixed(100, 1, 5000),
  pipelineConnections: fixed(1000, 1, 100_000),
  /** Bytes of lines that have not ended yet, over all connections; one that finds no room is cut there. */
  pipelineUnfinishedBytes: fixed(64 * MIB, MIB, 4 * GIB),
  /** Log pipelines that run side by side on one port. */
  pipelineReplicas: fixed(1, 1, 16),
  /** Bytes of a body that the port of the log store takes, after decompression. */
  logInsertBytes: fixed(64 * MIB, 64 * KIB, GIB),
  /** Bytes of such bodies that are held at once; more are refused with 503. */
  logInsertHeldBytes: fixed(256 * MIB, MIB, 16 * GIB),
  /** Names in one list of fields that a sender gives beside a body, such as `ignore_fields`: each is looked at for each line. */
  logInsertNames: fixed(100, 1, 10_000),
  /** Seconds that a query on the port of the log store may run. */
  logQuerySeconds: fixed(30, 0.1, 3600),
  /** Bytes that a query of logs may hold for sorting and grouping. */
  logQueryBytes: fixed(128 * MIB, MIB, 4 * GIB),
  /** Queries that run there at once; others wait up to 10 s, then they are refused with 503. */
  logQueries: fixed(8, 1, 1000),
  /** Callers that follow logs there at once. */
  logTails: fixed(50, 1, 10_000),
  logSearchLimit: fixed(500, 1, 10_000),
  logSearchLimitMax: fixed(10_000, 1, 100_000),
  /** Exports of logs that run at once. */
  logExports: live(4, 1, 100),
  /** Records that a log view of the console holds, and characters of them; the oldest go first. */
  logViewRecords: live(1_000_000, 1000, 10_000_000),
  logViewCharacters: live(200_000_000, 1_000_000, 1_000_000_000),
  metricsLimit: fixed(1000, 1, 100_000),
  /** Bytes of the metric store; its oldest points go first, then its oldest roll-ups. */
  metricsStoreBytes: live(10 * GIB, MIB, 1024 * TIB),
  /** Days that metric points are kept; 0: without end. */
  metricsRetentionDays: live(0, 0, 36_500),
  /** Days that one-minute roll-ups of metrics are kept; 0: without end. */
  metricsRollupRetentionDays: live(0, 0, 36_500),
  /** Series (measurement and tags, without job_id and task_id) of the metric store; points of further ones are dropped and counted. */
  metricsSeries: live(200_000, 100, 10_000_000),
  /** Fields of all measurements of the metric store; points with further ones are dropped and counted. */
  metricsFields: live(20_000, 100, 1_000_000),
  /** Seconds that a query of metrics may take. */
  metricsQuerySeconds: live(30, 1, 3600),
  /** Values that a query of metrics may read. */
  metricsQueryValues: live(50_000_000, 10_000, 1_000_000_000),
  /** Bytes of memory that queries of metrics may take in one of their threads. */
  metricsQueryBytes: live(256 * MIB, 16 * MIB, 8 * GIB),
  /** Queries of metrics under way; more are refused with 503 OVERLOADED. */
  metricsQueries: live(64, 1, 1000),
  /** Bytes of line protocol in one write at the metric store's port, after decompression. */
  influxBodyBytes: live(64 * MIB, 64 * KIB, GIB),
  /** Bytes of bodies that are held there at once; more are refused with 503. */
  influxHeldBytes: live(256 * MIB, MIB, 16 * GIB),
  /** Bytes of a Flux query with its dialect. */
  fluxQueryBytes: live(256 * KIB, KIB, 16 * MIB),
  /** Flux queries that run at once; others wait up to 10 s, then they are refused with 429. */
  fluxQueries: live(16, 1, 64),
  /** Points that wait for the store; those beyond are dropped and counted. */
  metricsQueuePoints: live(200_000, 1000, 10_000_000),
  /** Labels of a job; their keys have at most 64 characters, their values 256. */
  labels: fixed(32, 1, 256),
  /** Failure groups kept; those longest quiet go first. */
  failureGroups: live(10_000, 10, 1_000_000),
  /** Commits, and workers, that a failure group counts; those longest quiet go first. */
  failureParts: live(50, 1, 1000),
  /** Characters of a failure group's message, once what differs is taken out. */
  failureMessageCharacters: live(300, 20, 4096),
  /** Failed jobs of a group, and successes beside them, that are compared to find its causes. */
  failureSample: fixed(500, 10, 10_000),
  /** Jobs of a failure group, the newest, of which is said what they came to by now. */
  failureStanding: fixed(10_000, 10, 1_000_000),
  /** Inputs of a job that a search finds it by; the first ones. */
  searchInputs: fixed(100, 1, 10_000),
  /** Fields of an input that can be searched, and how deep they may lie. */
  searchFields: fixed(100, 1, 10_000),
  searchDepth: fixed(8, 1, 64),
  /** Characters of a field's value above which only its words are searched. */
  searchValueCharacters: fixed(256, 16, 4096),
  /** Bytes of an input above which it is not searched. */
  searchInputBytes: fixed(4 * MIB, 1024, 64 * MIB),
  /** Characters of one text whose words are searched. */
  searchTextCharacters: fixed(16 * KIB, 256, MIB),
  /** Different words of a job's inputs that can be searched. */
  searchWords: fixed(500, 10, 100_000),
  /** Jobs that a search may find before other filters. */
  searchMatches: fixed(2_000_000, 1000, 100_000_000),
  /** Jobs not indexed yet that a search reads one by one. */
  searchScan: fixed(2000, 1, 100_000),
  /** Lists and searches that wait for the reading thread, and what else waits for the other one; more are refused with 503. */
  readQueue: live(64, 1, 10_000),
  /** Days after which a finished job is removed; 0: never. */
  jobRetentionDays: live(0, 0, 36_500),
  /** Finished jobs kept; the oldest go first. 0: all of them. */
  jobRetentionCount: live(0, 0, 1_000_000_000),
  /** Milliseconds of the event loop that one step of removing old jobs takes, about. */
  retentionStepMs: live(4, 1, 50),
  /** Days that entries of the audit log are kept, and how many of them; 0: without end. */
  auditRetentionDays: live(365, 0, 36_500),
  auditRetentionCount: live(1_000_000, 0, 1_000_000_000),
  /** Entries of the log of publications kept; what an environment points to now always is. 0: all. */
  publicationRetentionCount: live(100_000, 0, 1_000_000_000),
  /** Days that revoked and expired API keys and tokens are still listed; 0: without end. */
  credentialRetentionDays: live(90, 0, 36_500),
  /** Days that bulk operations that have ended are kept; 0: without end. */
  operationRetentionDays: live(90, 0, 36_500),
  /** Bulk operations that have ended that are kept; the oldest go first. */
  operationRetentionCount: live(1000, 1, 1_000_000),
  /** Job ids that one bulk operation may name. */
  bulkIds: live(10_000, 1, 100_000),
  /** Jobs that one bulk operation may match. */
  bulkJobs: live(5_000_000, 1, 100_000_000),
  /** Dry runs of bulk operations whose jobs are kept for a start; the oldest go first. */
  bulkSnapshots: live(200, 1, 10_000),
  /** Bulk operations that run at once. */
  bulkOperations: live(50, 1, 1000),
  /** Draft runs under way at once; more are refused with 503. */
  draftRuns: fixed(50, 1, 10_000),
  /** Inputs of one draft run. */
  draftRunInputs: fixed(10, 1, 1000),
  /** Seconds that each input of a draft run may take. */
  draftRunSeconds: fixed(300, 1, 86_400),
  /** Seconds that a draft run is kept after its end. */
  draftRunKeepSeconds: fixed(3600, 1, 2_592_000),
  /** READY tasks from which a bulk retry or rerun of more jobs than this slows down, so that what it queues does not time out. 0: it never does. */
  bulkReadyTasks: live(2000, 0, 1_000_000),
  /** Seconds that the dry run of a bulk rerun checks inputs against an input schema that changed. */
  bulkCheckSeconds: live(3, 0, 60),
  /** Exports of jobs that run at once. */
  jobExports: live(8, 1, 100),
  /** Seconds that a reader of an export may take nothing before its connection is cut. */
  exportStallSeconds: live(300, 1, 86_400),
  /** Secrets, and bytes of one. */
  secrets: live(1000, 1, 10_000),
  secretBytes: live(64 * KIB, 16, MIB),
  /** Redirects that an `http` node follows. */
  httpRedirects: live(10, 0, 100),
  /** Alert rules, the built-in ones among them. */
  alertRules: live(500, 1, 100_000),
  /** Series of one alert rule that are looked at; more are left out and told. */
  alertInstances: live(1000, 1, 5000),
  /** Seconds that the query of an alert rule may take. */
  alertQuerySeconds: live(20, 0.1, 600),
  /** Queries of alert rules that run at once. */
  alertConcurrency: live(4, 1, 64),
  /** Silences that have not ended. */
  alertSilences: live(1000, 1, 100_000),
  /** Channels that alerts go to. */
  alertChannels: live(100, 1, 10_000),
  /** Alerts that one message lists; the others are counted. */
  alertMessageAlerts: live(100, 1, 1000),
  /** Messages that are on their way at once. */
  alertSenders: live(8, 1, 256),
  /** Seconds that the receiver of a message may take. */
  alertSendSeconds: live(15, 0.1, 300),
  /** Seconds before a message that failed is sent again; they double with each attempt. */
  alertRetrySeconds: live(5, 0.1, 3600),
  alertRetryMaxSeconds: live(300, 0.1, 3600),
  /** Days that the history of alerts and ended silences are kept, and how many entries; 0: without end. */
  alertHistoryDays: live(90, 0.01, 36_500, 0),
  alertHistoryCount: live(100_000, 1, 100_000_000, 0),
  /** Inputs that one shadow replay may run. */
  shadowInputs: fixed(500, 1, 10_000),
  /** Shadow replays of one workflow that are kept; the oldest that has ended goes when another begins. */
  shadowReplaysKept: fixed(20, 1, 1000),
  /** Shadow replays that run at once. */
  shadowReplays: fixed(2, 1, 16),
  /** Seconds that one input of a shadow replay may take. */
  shadowInputSeconds: fixed(60, 1, 3600),
  /** Characters of what was recorded of one input; with more it is not replayed. */
  shadowRecordingBytes: fixed(2 * MIB, 1024, 64 * MIB),
  /** Memory of the process that a shadow replay runs in. */
  shadowMemoryBytes: fixed(256 * MIB, 64 * MIB, 8 * GIB),
  /** Dashboards that operators made. */
  dashboards: live(500, 1, 100_000),
  /** Tasks of both jobs together that a comparison reads. */
  compareTasks: fixed(500_000, 1000, 10_000_000),
  /** Tasks, and kinds of log lines, that a comparison lists. */
  compareRows: fixed(200, 10, 5000),
  /** Characters of payloads that a comparison of two jobs reads. */
  compareBytes: fixed(64 * MIB, MIB, 1024 * MIB),
  /** Bytes of one payload that is compared place by place, and places that are told. */
  comparePayloadBytes: fixed(20 * MIB, 1024, 256 * MIB),
  compareChanges: fixed(1000, 10, 100_000),
  /** Bytes of the log lines of one job that a comparison reads, lines that are the same counted once. */
  compareLogBytes: fixed(4 * MIB, 65_536, 64 * MIB),
  /** Jobs of an incident bundle: the one that was asked for, those above it and those below it. */
  incidentJobs: fixed(50, 1, 1000),
  /** Tasks of an incident bundle, over all of its jobs. */
  incidentTasks: fixed(100_000, 1, 10_000_000),
  /** Log lines of an incident bundle, over all of its jobs. */
  incidentLogLines: fixed(200_000, 1, 100_000_000),
  /** Bytes of an incident bundle before it is compressed; what does not fit is left out and named in it. */
  incidentBytes: fixed(512 * MIB, MIB, 65_536 * MIB),
  /** Bytes of one payload in an incident bundle; a longer one is left out and named. */
  incidentPayloadBytes: fixed(5 * MIB, 1024, 256 * MIB),
  /** Incident bundles that are made at once. */
  incidentBundles: fixed(2, 1, 64),
  /** Parts of an incident bundle that the console opens. */
  incidentParts: fixed(250_000, 100, 10_000_000),
  sessionHours: fixed(12, 1, 8760),
  drainSeconds: fixed(30, 0, 3600),
  /** Live events of one entity in a second. */
  streamPerEntityPerSecond: fixed(4, 1, 1000),
};

const column = <T>(of: (row: (typeof TABLE)[keyof typeof TABLE]) => T): Readonly<Record<keyof typeof TABLE, T>> =>
  tableOf(keysOf(TABLE), (name) => of(TABLE[name]));

export const LIMITS = column(({ value }) => value);
export const LIMIT_BOUNDS = column(({ bounds }) => bounds);
export const IS_LIVE = column(({ isLive }) => isLive);

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
