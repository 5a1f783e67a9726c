/** The closed sets of words that every process shares. Plain data: the renderer imports it without a schema library. */

export const ENVIRONMENTS = ['dev', 'staging', 'prod'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const TASK_STATES = [
  'READY',
  'SCHEDULED',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'SCHEDULE_TIMEOUT',
  'RUN_TIMEOUT',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

export const JOB_STATUSES = ['COMPLETED', 'RUNNING', 'FAILED', 'PARTIAL_FAILURE', 'TIMEOUT', 'MIXED', 'EMPTY'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const JOB_KINDS = ['event', 'batch', 'child', 'draft'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** What started a job. */
export const TRIGGER_KINDS = ['event', 'api', 'schedule', 'backfill', 'webhook', 'workflow', 'rerun'] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

/** What a schedule does with a due time while its job before still runs. */
export const OVERLAPS = ['allow', 'skip', 'queue', 'cancel'] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** What became of a due time. */
export const RUN_OUTCOMES = ['STARTED', 'SKIPPED', 'MISSED', 'FAILED'] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** Why a schedule started a job: it was due, for a backfill, or by hand. */
export const RUN_KINDS = ['schedule', 'backfill', 'manual'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

export const WORKER_STATES = ['Operational', 'Unstable', 'Maxed', 'Down'] as const;
export type WorkerState = (typeof WORKER_STATES)[number];

/**
 * How a worker that is Down came to its end. `stopped`: it said goodbye, or its token was revoked; `crashed`: its process ended by
 * itself; `lost`: nothing was heard of it any more.
 */
export const WORKER_ENDS = ['stopped', 'crashed', 'lost'] as const;
export type WorkerEndReason = (typeof WORKER_ENDS)[number];

export const ROLES = ['viewer', 'operator', 'admin', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/** Codes that a failed task may carry. A handler or `code` node may add its own; those are retried unless it says otherwise. */
export const TASK_CODES = [
  'INVALID_DAG',
  'AUTHENTICATION_FAILED',
  'KILLED',
  'REPLICA_TIMEOUT',
  'NON_RETRYABLE',
  'SECRET_FORBIDDEN',
  'TASK_ERROR',
  'WORKER_LOST',
  'UPSTREAM_UNAVAILABLE',
] as const;
export type TaskCode = (typeof TASK_CODES)[number];

/** Codes that only the master gives; code that throws them gets TASK_ERROR. */
export const MASTER_CODES: ReadonlySet<string> = new Set([
  'KILLED',
  'REPLICA_TIMEOUT',
  'WORKER_LOST',
  'LEASE_LOST',
  'RUN_TIMEOUT',
  'SCHEDULE_TIMEOUT',
  'INVALID_DAG',
  'SECRET_FORBIDDEN',
]);

/** Never retried by the periodic check. */
export const NON_RETRYABLE_CODES: ReadonlySet<string> = new Set<TaskCode>([
  'INVALID_DAG',
  'AUTHENTICATION_FAILED',
  'KILLED',
  'REPLICA_TIMEOUT',
  'NON_RETRYABLE',
  'SECRET_FORBIDDEN',
]);

export const LOG_LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The spellings that the task counters of a job have on the wire (service.md, "taskCounters"). */
export const COUNTER_OF = {
  READY: 'readyTasks',
  SCHEDULED: 'scheduledTasks',
  RUNNING: 'runningTasks',
  COMPLETED: 'completedTasks',
  FAILED: 'failedTasks',
  SCHEDULE_TIMEOUT: 'scheduleTimeout',
  RUN_TIMEOUT: 'runTimeoutTasks',
} as const satisfies Readonly<Record<TaskState, string>>;

export type TaskCounters = Record<(typeof COUNTER_OF)[TaskState], number>;

/**
 * The status of a job from its counters alone.
 * f = failed, t = timed out, a = still active.
 */
export function taskStateForCounter(c: TaskCounters): JobStatus {
  const active = c.readyTasks + c.scheduledTasks + c.runningTasks;
  const timedOut = c.scheduleTimeout + c.runTimeoutTasks;
  const total = active + timedOut + c.completedTasks + c.failedTasks;
  if (total === 0) return 'EMPTY';
  if (c.completedTasks === total) return 'COMPLETED';
  if (timedOut > 0) return c.failedTasks > 0 ? 'MIXED' : 'TIMEOUT';
  if (c.failedTasks > 0) return active > 0 ? 'PARTIAL_FAILURE' : 'FAILED';
  return 'RUNNING';
}

/** What a job is called where people read it: its status, told apart for jobs that wait and for those that were stopped. */
export const DISPLAY_STATUSES = [
  'QUEUED',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'PARTIAL_FAILURE',
  'TIMEOUT',
  'MIXED',
  'CANCELLED',
  'EMPTY',
] as const;
export type DisplayStatus = (typeof DISPLAY_STATUSES)[number];

/**
 * CANCELLED: it was killed, and has neither completed nor been retried since. QUEUED: it is RUNNING, and none of its tasks
 * has started yet. Else its status.
 */
export function displayStatus(job: {
  readonly status: JobStatus;
  readonly killedAt: unknown;
  readonly taskCounters: Pick<TaskCounters, 'runningTasks' | 'completedTasks'>;
}): DisplayStatus {
  const { status, killedAt, taskCounters } = job;
  if (killedAt !== null && status !== 'COMPLETED' && status !== 'EMPTY') return 'CANCELLED';
  if (status === 'RUNNING' && taskCounters.runningTasks === 0 && taskCounters.completedTasks === 0) return 'QUEUED';
  return status;
}

/** The filter of jobs by what they are shown as. Those that the statuses of the API tell as well are quicker to find by these. */
export const statusFilter = (
  shown: readonly DisplayStatus[] = [],
): { status?: JobStatus[]; displayStatus?: DisplayStatus[] } => {
  if (shown.length === 0) return {};
  const plain = (['COMPLETED', 'EMPTY'] as const).filter((one) => shown.includes(one));
  return plain.length === shown.length ? { status: plain } : { displayStatus: [...shown] };
};

/** Those that ask for somebody. */
export const FAILING_STATUSES = ['FAILED', 'PARTIAL_FAILURE', 'TIMEOUT', 'MIXED'] as const satisfies JobStatus[];
export const isFailing = (status: DisplayStatus): boolean => FAILING_STATUSES.some((one) => one === status);

/** Why a task is not running, or that it is (`GET /api/v1/tasks/{id}/why`). */
export const WAIT_REASONS = [
  'NEXT',
  'QUEUED',
  'NO_WORKERS',
  'ALL_MAXED',
  'ALL_DRAINED',
  'ALL_UNHEALTHY',
  'ENVIRONMENT_NOT_SERVED',
  'HANDLER_NOT_REGISTERED',
  'CONCURRENCY_LIMIT',
  'BACK_OFF',
  'CHILD_RUNNING',
  'WAITING_TIME',
  'WAITING_SIGNAL',
  'WAITING_APPROVAL',
  'RUNNING',
  'FINISHED',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

export const OPERATION_KINDS = ['kill', 'retry', 'rerun'] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];
/** All kinds that the list of operations has; a backfill is begun at its schedule. */
export const LISTED_OPERATION_KINDS = [...OPERATION_KINDS, 'backfill'] as const;
export type ListedOperationKind = (typeof LISTED_OPERATION_KINDS)[number];

export const OPERATION_STATUSES = ['RUNNING', 'DONE', 'ABORTED'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

/** What people are asked for; `wait`: a job waits for it, at a wait node. */
export const APPROVAL_KINDS = ['publish', 'bulk', 'settings', 'wait'] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** What a wait node waits for. */
export const WAIT_KINDS = ['time', 'signal', 'approval'] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];
/** What becomes of a wait whose deadline passes; `approve` and `reject` decide an approval. */
export const WAIT_TIMEOUTS = ['fail', 'continue', 'approve', 'reject'] as const;
export type WaitTimeout = (typeof WAIT_TIMEOUTS)[number];
export const SIGNAL_NAME = '^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,99}$';

export const APPROVAL_STATUSES = ['open', 'approved', 'rejected', 'withdrawn', 'expired'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export const FAILURE_STATUSES = ['OPEN', 'RESOLVED', 'IGNORED'] as const;
export type FailureStatus = (typeof FAILURE_STATUSES)[number];

/**
 * What failures may have in common. `input`: a value of a field; `missing`: a field that is not there; `type`: the JSON type of
 * a field; `range`: a number on one side of a bound (`> 100`); `hour`: the hour of the day (UTC) in which the job was created.
 */
export const CAUSE_KINDS = ['worker', 'commit', 'environment', 'input', 'missing', 'type', 'range', 'hour'] as const;
export type CauseKind = (typeof CAUSE_KINDS)[number];
/** Those that tell what jobs were given. */
export const isInputCause = (kind: CauseKind): boolean =>
  kind === 'input' || kind === 'missing' || kind === 'type' || kind === 'range';

export const JOB_SORTS = [
  'createdAt',
  'updatedAt',
  'finishedAt',
  'durationMs',
  'status',
  'workflowId',
  'environment',
  'externalId',
  'id',
] as const;

export const FAILURE_SORTS = ['lastSeenAt', 'count', 'firstSeenAt'] as const;

export const WORKER_SORTS = [
  'id',
  'state',
  'currentTasks',
  'maxTasks',
  'lastHeartbeatAt',
  'registeredAt',
  'createdAt',
] as const;

export const WORKFLOW_ID = '^[a-z0-9][a-z0-9-]{0,62}$';
export const SECRET_NAME = '^[A-Z][A-Z0-9_]{0,62}$';

/** What a text or an id may turn out to be, in the order in which they are listed. */
export const FOUND_KINDS = [
  'job',
  'task',
  'operation',
  'worker',
  'commit',
  'publication',
  'workflow',
  'failure',
  'key',
  'token',
] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

export const METRIC_AGGREGATES = ['sum', 'mean', 'min', 'max', 'last', 'count', 'rate', 'p50', 'p95', 'p99'] as const;
export const LOG_FORMATS = ['ndjson', 'csv', 'text'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Columns of a CSV export where none are named; `fields` holds all other fields as JSON. */
export const LOG_CSV_COLUMNS = [
  '_time',
  'level',
  '_msg',
  'job_id',
  'task_id',
  'worker_id',
  'source',
  'fields',
] as const;

export const SHADOW_STATUSES = ['RUNNING', 'DONE', 'ABORTED'] as const;
export type ShadowStatus = (typeof SHADOW_STATUSES)[number];

/** `failing`: ended well before, fails now. `mended`: the other way round. `unknown`: it could not be run, see `reason`. */
export const SHADOW_VERDICTS = ['same', 'different', 'failing', 'mended', 'unknown'] as const;
export type ShadowVerdict = (typeof SHADOW_VERDICTS)[number];

export const IMPACT_VERDICTS = ['worse', 'better', 'same', 'unclear'] as const;

/** What is not alike about a task: it ended otherwise, took another branch, made another output, or is on one side alone. */
export const TASK_DIFFERENCES = ['only-here', 'only-there', 'state', 'error', 'port', 'output'] as const;
export type TaskDifferenceKind = (typeof TASK_DIFFERENCES)[number];

export const CALL_WARNINGS = ['CALL_UNKNOWN', 'CALL_NOT_PUBLISHED'] as const;
export const RETENTION_MODES = ['delete', 'archive'] as const;

/** What an alert instance is in. `NoData` and `Error` are the firing states of a rule's own two alerts. */
export const ALERT_STATES = ['Normal', 'Pending', 'Alerting', 'Recovering', 'NoData', 'Error'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** States in which an alert is open: people are told of it, unless it is held back. */
export const OPEN_STATES: readonly AlertState[] = ['Alerting', 'Recovering', 'NoData', 'Error'];

/** Nobody is told of it: a silence covers it, or another alert is its cause and is told instead. */
export const isHeldBack = ({
  silencedBy,
  inhibitedBy,
}: {
  readonly silencedBy: readonly string[];
  readonly inhibitedBy: readonly string[];
}): boolean => silencedBy.length + inhibitedBy.length > 0;

export const SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What a series comes to over the rule's range. */
export const REDUCERS = ['last', 'mean', 'min', 'max', 'sum', 'count'] as const;
export type Reducer = (typeof REDUCERS)[number];

/** `within` and `outside` take two bounds, which both belong to the range; the others one. */
export const COMPARISONS = ['gt', 'ge', 'lt', 'le', 'within', 'outside'] as const;
export type ThresholdOperator = (typeof COMPARISONS)[number];

export const NO_DATA_STATES = ['NoData', 'Alerting', 'OK', 'KeepLast'] as const;
export const ERROR_STATES = ['Error', 'Alerting', 'OK', 'KeepLast'] as const;
export const AGGREGATES = ['sum', 'mean', 'min', 'max', 'last', 'count', 'rate', 'p50', 'p95', 'p99'] as const;

/** What built-in rules look at without a query. */
export const SIGNALS = [
  'workersUp',
  'workersLost',
  'failureRate',
  'tasksStuck',
  'diskUsed',
  'pipelineBacklog',
  'clusterStandbys',
  'clusterLag',
  'clusterFailovers',
  'clusterAppend',
  'clusterDiverged',
  'clusterProjectionLag',
  'clusterProjectionStopped',
  'wrongCredentials',
  'sendersRefused',
  'approvalsWatched',
  'approvalsWaiting',
  'damagedData',
  'targetsBehind',
  'targetsLosing',
  'schedulesMissed',
  'schedulesLate',
  'webhooksFailing',
  'webhooksRefused',
] as const;
export type Signal = (typeof SIGNALS)[number];

export const CHANNEL_KINDS = ['email', 'slack', 'teams', 'pagerduty', 'webhook', 'desktop'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** Names of what is secret in each kind of channel. The addresses of chat hooks let anybody write there. */
export const CHANNEL_SECRETS: Readonly<Record<ChannelKind, readonly string[]>> = {
  email: ['password'],
  slack: ['url'],
  teams: ['url'],
  pagerduty: ['routingKey'],
  webhook: ['bearer', 'password', 'hmac'],
  desktop: [],
};

export const MATCH_OPERATORS = ['=', '!=', '=~', '!~'] as const;
export type MatchOperator = (typeof MATCH_OPERATORS)[number];

/** Names of labels, of rules and of matchers. */
export const LABEL_NAME = '^[a-zA-Z_][a-zA-Z0-9_.]{0,63}$';

/** Labels that the master gives; rules cannot set them. */
export const RESERVED_LABELS: readonly string[] = ['alertname', 'rulename', 'severity'];

export const HISTORY_KINDS = ['state', 'notification'] as const;

/** Titles and messages where a channel has none of its own. */
export const DEFAULT_TITLE = '[{{ $status }}:{{ $count }}] {{ $alertname }}';

export const DEFAULT_MESSAGE = '{{ $alerts }}';
export const PANEL_KINDS = ['timeseries', 'stat', 'gauge', 'bar', 'table', 'heatmap', 'logs'] as const;
export type PanelKind = (typeof PANEL_KINDS)[number];

/** `share`: 0 to 1, shown as percent. */
export const PANEL_UNITS = ['none', 'count', 'perSecond', 'ms', 'seconds', 'bytes', 'bytesPerSecond', 'share'] as const;
export type PanelUnit = (typeof PANEL_UNITS)[number];

/** What a series comes to where one number is shown. */
export const PANEL_REDUCERS = ['last', 'mean', 'min', 'max', 'sum'] as const;
export type PanelReducer = (typeof PANEL_REDUCERS)[number];

export const TONES = ['ok', 'warning', 'danger'] as const;
export type Tone = (typeof TONES)[number];

/** What happened, as upright lines over the time axis. */
export const MARK_KINDS = ['publications', 'kills', 'alerts'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/** Panels lie on a grid of so many columns. */
export const GRID_COLUMNS = 24;

export const DASHBOARD_FORMAT = 1;

/** Ids of dashboards: what stands in their URL. */
export const DASHBOARD_ID = '^[a-z0-9][a-z0-9-]{0,63}$';

/** `$worker` in a filter or query stands for the values that are chosen for the variable. */
export const VARIABLE_NAME = '^[a-z][a-zA-Z0-9_]{0,31}$';

/** Columns of the tables for SQL that may hold parts of inputs and outputs: empty unless named by the operator. */
export const PROJECTION_EXTRAS = ['messages', 'labels'] as const;
export type ProjectionExtra = (typeof PROJECTION_EXTRAS)[number];

/** What keeps log lines or metrics: the master itself, or a system elsewhere. */
export const STORE_KINDS = ['embedded', 'victorialogs', 'influxdb', 'remote-write', 'otlp'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];
/** `connecting` until the first answer. */
export const STORE_STATES = ['connecting', 'ok', 'failing'] as const;
export type StoreState = (typeof STORE_STATES)[number];

/** What is exported by OTLP. */
export const OTLP_SIGNALS = ['traces', 'metrics', 'logs'] as const;
export type OtlpSignal = (typeof OTLP_SIGNALS)[number];
