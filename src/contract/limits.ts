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
  /** Bytes from which a body is parsed and checked in a thread of its own, so that it cannot hold the event loop. */
  heavyBodyBytes: 64 * 1024,
  /** The same for a definition, of which a little can take long to check. */
  heavyDefinitionBytes: 4096,
  /** Bytes of bodies that wait for that thread; more are refused with 503 OVERLOADED. */
  heavyQueueBytes: 64 * 1024 * 1024,
  /** Bytes from which a payload is read, and an answer searched for values of secrets, in a thread, so that it cannot hold the event loop. */
  heavyAnswerBytes: 64 * 1024,
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
  /** Bytes of the bodies of event calls that wait for their answer, above which calls are refused with 503 OVERLOADED. 0: no limit. */
  eventWaitingBytes: 256 * 1024 * 1024,
  /** Event calls that wait for their answer, above which calls are refused with 503 OVERLOADED. 0: no limit. */
  eventWaitingCalls: 20_000,
  /** Retries of a task where its node names none. */
  retries: 3,
  retryBackoffSeconds: 1,
  retryBackoffMaxSeconds: 60,
  /** The most that an upstream or a handler may ask for (`Retry-After`). */
  retryAfterMaxSeconds: 86_400,
  /** ± share of a back-off that is random. */
  retryJitter: 0.2,
  retryCheckSeconds: 1,
  /** Since READY. */
  scheduleTimeoutSeconds: 300,
  /** Since SCHEDULED: a worker that is there and has not begun the task by then loses it. */
  startSeconds: 60,
  /** A worker is asked this often whether it still holds a task. */
  leaseCheckSeconds: 30,
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
  /** Commits and drafts kept ready to run in memory, and characters of their definitions. */
  runnableCommits: 500,
  runnableBytes: 64 * 1024 * 1024,
  /** Characters of the message of a task's failure that are kept. */
  taskMessageCharacters: 4096,
  /** Bytes of one frame between master and worker. */
  workerFrameBytes: 32 * 1024 * 1024,
  /** A crash that an executor or worker caused counts against the worker for this long. */
  workerOutcomeSeconds: 600,
  /** A worker that is Down for longer is forgotten. */
  workerForgetSeconds: 3600,
  /** Items of the list of a forEach. */
  forEachItems: 100_000,
  /** Jobs above a child job (a workflow node's): a deeper one is not started. */
  childDepth: 8,
  /** Bytes of a task's output, and of the joined outputs of a forEach. */
  taskOutputBytes: 5 * 1024 * 1024,
  /** Bytes of the output of a whole job, as its endpoint answers it; a job with more fails with OUTPUT_TOO_LARGE. */
  jobOutputBytes: 32 * 1024 * 1024,
  /** Bytes above which payloads are cut in lists. */
  payloadPreviewBytes: 64 * 1024,
  /** Bytes of payloads on one page of tasks: where many are shown, each shows less of a long one. */
  payloadPageBytes: 8 * 1024 * 1024,
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
  /** Memory of one expression that is not known to be small. */
  expressionMemoryBytes: 256 * 1024 * 1024,
  delayMaxSeconds: 3600,
  httpTimeoutSeconds: 30,
  httpBodyBytes: 5 * 1024 * 1024,
  /** Bytes of a log line; as JSON, with its escapes and other fields, six times as many and 64 KiB. */
  logLineBytes: 1024 * 1024,
  /** Bytes of log lines that a worker keeps while the pipeline is away; the oldest are dropped and counted. */
  workerLogBufferBytes: 16 * 1024 * 1024,
  /** Bytes of log records kept on disk; the oldest go first. */
  logStoreBytes: 10 * 1024 * 1024 * 1024,
  /** Days after which log lines go; 0: never. */
  logRetentionDays: 0,
  /** Bytes of the disk that the log store leaves free. */
  logReserveBytes: 64 * 1024 * 1024,
  /** Bytes of batches that wait for the log store; more are refused with 503. */
  logWaitingBytes: 64 * 1024 * 1024,
  /** Fields of a log line; one with more is skipped. */
  logFields: 1000,
  /** Bytes of a field's name, after which it is cut. */
  logFieldNameBytes: 128,
  /** Queries of logs that run at once, that wait for their turn, and for how long: of quick ones, and as many of long ones. */
  logReads: 16,
  logReadQueue: 64,
  logReadWaitSeconds: 10,
  /** Bytes of unpacked columns that the threads which read logs keep together for the next query. */
  logCacheBytes: 64 * 1024 * 1024,
  /** Bytes of batches that a log pipeline keeps on disk while the log store does not take them; then the senders wait. */
  pipelineQueueBytes: 1024 * 1024 * 1024,
  /** 1: lines that find the queue full are thrown away and counted, and no sender waits. */
  pipelineDropWhenFull: 0,
  /** Bytes of lines that the log store refused for good; the oldest go first. */
  pipelineDeadLetterBytes: 64 * 1024 * 1024,
  /** Milliseconds that a line may wait for others before its batch is sent. */
  pipelineFlushMs: 100,
  pipelineConnections: 1000,
  /** Bytes of lines that have not ended yet, over all connections; one that finds no room is cut there. */
  pipelineUnfinishedBytes: 64 * 1024 * 1024,
  /** Log pipelines that run side by side on one port. */
  pipelineReplicas: 1,
  /** Bytes of a body that the port of the log store takes, after decompression. */
  logInsertBytes: 64 * 1024 * 1024,
  /** Bytes of such bodies that are held at once; more are refused with 503. */
  logInsertHeldBytes: 256 * 1024 * 1024,
  /** Names in one list of fields that a sender gives beside a body, such as `ignore_fields`: each is looked at for each line. */
  logInsertNames: 100,
  /** Seconds that a query on the port of the log store may run. */
  logQuerySeconds: 30,
  /** Bytes that a query of logs may hold for sorting and grouping. */
  logQueryBytes: 128 * 1024 * 1024,
  /** Queries that run there at once; others wait up to 10 s, then they are refused with 503. */
  logQueries: 8,
  /** Callers that follow logs there at once. */
  logTails: 50,
  logSearchLimit: 500,
  logSearchLimitMax: 10_000,
  /** Exports of logs that run at once. */
  logExports: 4,
  /** Records that a log view of the console holds, and characters of them; the oldest go first. */
  logViewRecords: 1_000_000,
  logViewCharacters: 200_000_000,
  metricsLimit: 1000,
  /** Bytes of the metric store; its oldest points go first, then its oldest roll-ups. */
  metricsStoreBytes: 10 * 1024 * 1024 * 1024,
  /** Days that metric points are kept; 0: without end. */
  metricsRetentionDays: 0,
  /** Days that one-minute roll-ups of metrics are kept; 0: without end. */
  metricsRollupRetentionDays: 0,
  /** Series (measurement and tags, without job_id and task_id) of the metric store; points of further ones are dropped and counted. */
  metricsSeries: 200_000,
  /** Fields of all measurements of the metric store; points with further ones are dropped and counted. */
  metricsFields: 20_000,
  /** Seconds that a query of metrics may take. */
  metricsQuerySeconds: 30,
  /** Values that a query of metrics may read. */
  metricsQueryValues: 50_000_000,
  /** Bytes of memory that queries of metrics may take in one of their threads. */
  metricsQueryBytes: 256 * 1024 * 1024,
  /** Queries of metrics under way; more are refused with 503 OVERLOADED. */
  metricsQueries: 64,
  /** Bytes of line protocol in one write at the metric store's port, after decompression. */
  influxBodyBytes: 64 * 1024 * 1024,
  /** Bytes of bodies that are held there at once; more are refused with 503. */
  influxHeldBytes: 256 * 1024 * 1024,
  /** Bytes of a Flux query with its dialect. */
  fluxQueryBytes: 256 * 1024,
  /** Flux queries that run at once; others wait up to 10 s, then they are refused with 429. */
  fluxQueries: 16,
  /** Points that wait for the store; those beyond are dropped and counted. */
  metricsQueuePoints: 200_000,
  /** Labels of a job; their keys have at most 64 characters, their values 256. */
  labels: 32,
  /** Failure groups kept; those longest quiet go first. */
  failureGroups: 10_000,
  /** Commits, and workers, that a failure group counts; those longest quiet go first. */
  failureParts: 50,
  /** Characters of a failure group's message, once what differs is taken out. */
  failureMessageCharacters: 300,
  /** Failed jobs of a group, and successes beside them, that are compared to find its causes. */
  failureSample: 500,
  /** Jobs of a failure group, the newest, of which is said what they came to by now. */
  failureStanding: 10_000,
  /** Inputs of a job that a search finds it by; the first ones. */
  searchInputs: 100,
  /** Fields of an input that can be searched, and how deep they may lie. */
  searchFields: 100,
  searchDepth: 8,
  /** Characters of a field's value above which only its words are searched. */
  searchValueCharacters: 256,
  /** Bytes of an input above which it is not searched. */
  searchInputBytes: 4 * 1024 * 1024,
  /** Characters of one text whose words are searched. */
  searchTextCharacters: 16 * 1024,
  /** Different words of a job's inputs that can be searched. */
  searchWords: 500,
  /** Jobs that a search may find before other filters. */
  searchMatches: 2_000_000,
  /** Jobs not indexed yet that a search reads one by one. */
  searchScan: 2000,
  /** Lists and searches that wait for the reading thread, and what else waits for the other one; more are refused with 503. */
  readQueue: 64,
  /** Days after which a finished job is removed; 0: never. */
  jobRetentionDays: 0,
  /** Finished jobs kept; the oldest go first. 0: all of them. */
  jobRetentionCount: 0,
  /** Milliseconds of the event loop that one step of removing old jobs takes, about. */
  retentionStepMs: 4,
  /** Days that entries of the audit log are kept, and how many of them; 0: without end. */
  auditRetentionDays: 365,
  auditRetentionCount: 1_000_000,
  /** Entries of the log of publications kept; what an environment points to now always is. 0: all. */
  publicationRetentionCount: 100_000,
  /** Days that revoked and expired API keys and tokens are still listed; 0: without end. */
  credentialRetentionDays: 90,
  /** Days that bulk operations that have ended are kept; 0: without end. */
  operationRetentionDays: 90,
  /** Bulk operations that have ended that are kept; the oldest go first. */
  operationRetentionCount: 1000,
  /** Job ids that one bulk operation may name. */
  bulkIds: 10_000,
  /** Jobs that one bulk operation may match. */
  bulkJobs: 5_000_000,
  /** Bulk operations that run at once. */
  bulkOperations: 50,
  /** Draft runs under way at once; more are refused with 503. */
  draftRuns: 50,
  /** Inputs of one draft run. */
  draftRunInputs: 10,
  /** Seconds that each input of a draft run may take. */
  draftRunSeconds: 300,
  /** Seconds that a draft run is kept after its end. */
  draftRunKeepSeconds: 3600,
  /** READY tasks from which a bulk retry or rerun of more jobs than this slows down, so that what it queues does not time out. 0: it never does. */
  bulkReadyTasks: 2000,
  /** Seconds that the dry run of a bulk rerun checks inputs against an input schema that changed. */
  bulkCheckSeconds: 3,
  /** Exports of jobs that run at once. */
  jobExports: 8,
  /** Seconds that a reader of an export may take nothing before its connection is cut. */
  exportStallSeconds: 300,
  /** Secrets, and bytes of one. */
  secrets: 1000,
  secretBytes: 64 * 1024,
  /** Redirects that an `http` node follows. */
  httpRedirects: 10,
  /** Alert rules, the built-in ones among them. */
  alertRules: 500,
  /** Series of one alert rule that are looked at; more are left out and told. */
  alertInstances: 1000,
  /** Seconds that the query of an alert rule may take. */
  alertQuerySeconds: 20,
  /** Queries of alert rules that run at once. */
  alertConcurrency: 4,
  /** Silences that have not ended. */
  alertSilences: 1000,
  /** Channels that alerts go to. */
  alertChannels: 100,
  /** Alerts that one message lists; the others are counted. */
  alertMessageAlerts: 100,
  /** Messages that are on their way at once. */
  alertSenders: 8,
  /** Seconds that the receiver of a message may take. */
  alertSendSeconds: 15,
  /** Seconds before a message that failed is sent again; they double with each attempt. */
  alertRetrySeconds: 5,
  alertRetryMaxSeconds: 300,
  /** Days that the history of alerts and ended silences are kept, and how many entries; 0: without end. */
  alertHistoryDays: 90,
  alertHistoryCount: 100_000,
  /** Inputs that one shadow replay may run. */
  shadowInputs: 500,
  /** Shadow replays of one workflow that are kept; the oldest that has ended goes when another begins. */
  shadowReplaysKept: 20,
  /** Shadow replays that run at once. */
  shadowReplays: 2,
  /** Seconds that one input of a shadow replay may take. */
  shadowInputSeconds: 60,
  /** Characters of what was recorded of one input; with more it is not replayed. */
  shadowRecordingBytes: 2 * 1024 * 1024,
  /** Memory of the process that a shadow replay runs in. */
  shadowMemoryBytes: 256 * 1024 * 1024,
  /** Dashboards that operators made. */
  dashboards: 500,
  /** Tasks of both jobs together that a comparison reads. */
  compareTasks: 500_000,
  /** Tasks, and kinds of log lines, that a comparison lists. */
  compareRows: 200,
  /** Characters of payloads that a comparison of two jobs reads. */
  compareBytes: 64 * 1024 * 1024,
  /** Bytes of one payload that is compared place by place, and places that are told. */
  comparePayloadBytes: 20 * 1024 * 1024,
  compareChanges: 1000,
  /** Bytes of the log lines of one job that a comparison reads, lines that are the same counted once. */
  compareLogBytes: 4 * 1024 * 1024,
  /** Jobs of an incident bundle: the one that was asked for, those above it and those below it. */
  incidentJobs: 50,
  /** Tasks of an incident bundle, over all of its jobs. */
  incidentTasks: 100_000,
  /** Log lines of an incident bundle, over all of its jobs. */
  incidentLogLines: 200_000,
  /** Bytes of an incident bundle before it is compressed; what does not fit is left out and named in it. */
  incidentBytes: 512 * 1024 * 1024,
  /** Bytes of one payload in an incident bundle; a longer one is left out and named. */
  incidentPayloadBytes: 5 * 1024 * 1024,
  /** Incident bundles that are made at once. */
  incidentBundles: 2,
  /** Parts of an incident bundle that the console opens. */
  incidentParts: 250_000,
  sessionHours: 12,
  drainSeconds: 30,
  /** Live events of one entity in a second. */
  streamPerEntityPerSecond: 4,
} as const;

export type Limits = { -readonly [K in keyof typeof LIMITS]: number };

export const DEFAULT_PORTS = { master: 8700, logStore: 9428, metrics: 8086, logstash: 9000 } as const;
