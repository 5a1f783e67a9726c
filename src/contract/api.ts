import { Type, type Static } from 'typebox';
import { DefinitionSchema, FaultSchema } from './definition.ts';
import { RateLimitsSchema } from './rate-limits.ts';
import { Count, Json, Nullable, oneOf, Time } from './shapes.ts';
import { ENVIRONMENTS, JOB_KINDS, JOB_STATUSES, ROLES, TASK_STATES, WORKER_STATES } from './vocabulary.ts';

/** The shapes of the REST API. One schema gives validator, serializer, static type and OpenAPI. */

export const EnvironmentSchema = oneOf(ENVIRONMENTS);
export const TaskStateSchema = oneOf(TASK_STATES);
export const JobStatusSchema = oneOf(JOB_STATUSES);
export const JobKindSchema = oneOf(JOB_KINDS);
export const WorkerStateSchema = oneOf(WORKER_STATES);
export const RoleSchema = oneOf(ROLES);

export interface Page<T> {
  items: T[];
  page: number;
  size: number;
  totalItems: number;
  totalPages: number;
}

// Workflows, versions, publication (contract §4)

export const PublicationSummary = Type.Object({
  environment: EnvironmentSchema,
  hash: Nullable(Type.String()),
  description: Nullable(Type.String()),
  publishedAt: Nullable(Time),
  publishedBy: Nullable(Type.String()),
});
export type EnvironmentPointer = Static<typeof PublicationSummary>;

export const WorkflowSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  head: Nullable(Type.String({ description: 'Hash of the newest commit' })),
  environments: Type.Array(PublicationSummary),
  limits: RateLimitsSchema,
  createdAt: Time,
  updatedAt: Time,
  archivedAt: Nullable(Time),
});
export type Workflow = Static<typeof WorkflowSchema>;

export const CommitSchema = Type.Object({
  hash: Type.String(),
  parent: Nullable(Type.String()),
  restores: Nullable(
    Type.String({ description: 'The newest version before its parent that holds the same definition' }),
  ),
  message: Type.String(),
  author: Type.Object({ name: Type.String(), email: Type.String() }),
  createdAt: Time,
  description: Nullable(Type.String({ description: 'The description of its latest publication' })),
  environments: Type.Array(EnvironmentSchema),
  valid: Type.Boolean(),
});
export type Commit = Static<typeof CommitSchema>;

export const CommitDetailSchema = Type.Object({
  ...CommitSchema.properties,
  definition: DefinitionSchema,
  faults: Type.Array(FaultSchema),
});
export type CommitDetail = Static<typeof CommitDetailSchema>;

const Patch = Type.Array(
  Type.Object(
    { op: Type.String(), path: Type.String() },
    { additionalProperties: true, description: 'RFC 6902 operation' },
  ),
);
const EdgeOut = Type.Object({ from: Type.String(), to: Type.String(), port: Type.Optional(Type.String()) });
export const DiffSchema = Type.Object({
  from: Type.String(),
  to: Type.String(),
  nodes: Type.Object({
    added: Type.Array(Json),
    removed: Type.Array(Json),
    changed: Type.Array(Type.Object({ id: Type.String(), patch: Patch })),
  }),
  edges: Type.Object({ added: Type.Array(EdgeOut), removed: Type.Array(EdgeOut) }),
  settings: Patch,
});
export type CommitDiff = Static<typeof DiffSchema>;

export const PublicationSchema = Type.Object({
  id: Type.String(),
  environment: EnvironmentSchema,
  hash: Nullable(Type.String()),
  previousHash: Nullable(Type.String()),
  description: Nullable(Type.String()),
  publishedAt: Time,
  publishedBy: Type.String(),
});
export type Publication = Static<typeof PublicationSchema>;

// Jobs (contract §5)

export const TaskCountersSchema = Type.Object({
  readyTasks: Count,
  scheduledTasks: Count,
  runningTasks: Count,
  completedTasks: Count,
  failedTasks: Count,
  scheduleTimeout: Count,
  runTimeoutTasks: Count,
});

/** Words for people and for search; bounded by the limits `labels…`. */
export const LabelsSchema = Type.Record(
  Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$' }),
  Type.String({ maxLength: 256 }),
  { maxProperties: 32, additionalProperties: false },
);
export type Labels = Record<string, string>;

export const JobSchema = Type.Object({
  id: Type.String(),
  externalId: Nullable(Type.String()),
  status: JobStatusSchema,
  workflowId: Type.String(),
  environment: Nullable(EnvironmentSchema),
  commit: Type.String(),
  kind: JobKindSchema,
  priority: Type.Integer({ description: '-100 to 100, higher first' }),
  taskCounters: TaskCountersSchema,
  replicaRunTimeoutSeconds: Nullable(Type.Integer()),
  inputCount: Count,
  labels: Type.Record(Type.String(), Type.String()),
  createdAt: Time,
  updatedAt: Time,
  finishedAt: Nullable(Time),
  killedAt: Nullable(Time),
  /** From its creation to its end. */
  durationMs: Nullable(Type.Integer()),
  /** When a retry by hand last made it go on, from which on the durations of metrics and of the overview are counted. */
  retriedAt: Nullable(Time),
  rerunOf: Nullable(Type.String()),
  parentTaskId: Nullable(Type.String()),
});
export type Job = Static<typeof JobSchema>;

export const TaskErrorSchema = Type.Object({ code: Type.String(), message: Type.String(), retryable: Type.Boolean() });
export type TaskError = Static<typeof TaskErrorSchema>;

export const RetryEntrySchema = Type.Object({
  attempt: Type.Integer(),
  workerId: Nullable(Type.String()),
  startedAt: Nullable(Time),
  failedAt: Time,
  code: Type.String(),
  message: Type.String(),
  retryable: Type.Boolean(),
});
export type RetryEntry = Static<typeof RetryEntrySchema>;

export const TransitionSchema = Type.Object({
  from: Nullable(TaskStateSchema),
  to: TaskStateSchema,
  at: Time,
  attempt: Type.Integer(),
  workerId: Nullable(Type.String()),
  reason: Nullable(Type.String()),
});
export type Transition = Static<typeof TransitionSchema>;

/** What a handler told of a running task; null where it told nothing. */
export const TaskProgressSchema = Type.Object({
  fraction: Type.Number({ description: '0 to 1' }),
  message: Nullable(Type.String()),
  at: Time,
});
export type TaskProgress = Static<typeof TaskProgressSchema>;

export const TaskSchema = Type.Object({
  id: Type.String(),
  jobId: Type.String(),
  node: Type.String(),
  nodeType: Type.String(),
  replica: Count,
  item: Nullable(Type.Integer()),
  port: Nullable(Type.String({ description: 'The port that a completed condition took' })),
  state: TaskStateSchema,
  attempt: Type.Integer({ minimum: 1 }),
  retryCount: Type.Integer({ minimum: 0, description: 'The most retries allowed' }),
  retryEntries: Type.Array(RetryEntrySchema),
  workerId: Nullable(Type.String()),
  childJobId: Nullable(Type.String({ description: 'The latest job that a workflow node made for it' })),
  readyAt: Time,
  scheduledAt: Nullable(Time),
  startedAt: Nullable(Time),
  finishedAt: Nullable(Time),
  retryAt: Nullable(Time),
  input: Json,
  output: Json,
  error: Nullable(TaskErrorSchema),
  history: Type.Array(TransitionSchema),
  progress: Type.Optional(Nullable(TaskProgressSchema)),
});
export type Task = Static<typeof TaskSchema>;

/** Whole answer of the status URL of an event call. */
export const EventStatusSchema = Type.Object({
  jobId: Type.String(),
  status: JobStatusSchema,
  finishedAt: Nullable(Time),
  output: Json,
  error: Nullable(Json),
});
export type EventStatus = Static<typeof EventStatusSchema>;

/** Why a job gave no output: the first replica that finally failed. */
export const JobFailureSchema = Type.Object({
  taskId: Type.String(),
  node: Type.String(),
  taskCode: Type.String(),
  taskMessage: Type.String(),
});
export type JobFailure = Static<typeof JobFailureSchema>;

// Workers (contract §7)

export const WorkerSchema = Type.Object({
  id: Type.String(),
  url: Type.String(),
  state: WorkerStateSchema,
  drained: Type.Boolean(),
  currentTasks: Count,
  maxTasks: Count,
  lastHeartbeatAt: Nullable(Time),
  registeredAt: Time,
  createdAt: Time,
  version: Type.String(),
  labels: Type.Record(Type.String(), Type.String()),
  handlers: Type.Array(Type.String()),
  cpuUsage: Nullable(Type.Number({ description: '0 to 1' })),
  memoryUsage: Nullable(Type.Number({ description: 'Bytes resident' })),
});
export type Worker = Static<typeof WorkerSchema>;

// Logs (contract §8)

export const LogRecordSchema = Type.Object(
  {
    _time: Type.String(),
    _msg: Type.String(),
    level: Type.Optional(Type.String()),
    job_id: Type.Optional(Type.String()),
    task_id: Type.Optional(Type.String()),
    worker_id: Type.Optional(Type.String()),
    source: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);
export type LogRecord = Static<typeof LogRecordSchema> & Record<string, unknown>;

export const LogSearchSchema = Type.Object({
  query: Type.String(),
  from: Nullable(Time),
  to: Nullable(Time),
  records: Type.Array(LogRecordSchema),
  nextCursor: Nullable(Type.String()),
});
export type LogSearch = Static<typeof LogSearchSchema>;

export const LogHitsSchema = Type.Object({
  hits: Type.Array(
    Type.Object({
      fields: Type.Record(Type.String(), Type.String()),
      timestamps: Type.Array(Time),
      values: Type.Array(Count),
      total: Count,
    }),
  ),
});
export type LogHits = Static<typeof LogHitsSchema>;

// Metrics (contract §9)

export const DataPointSchema = Type.Object({ timestamp: Time }, { additionalProperties: true });
export type DataPoint = { timestamp: string; tags?: Record<string, string> } & Record<string, unknown>;
export const MetricsSchema = Type.Object({
  from: Time,
  to: Time,
  interval: Nullable(Type.String()),
  filters: Type.Record(Type.String(), Type.String()),
  dataPoints: Type.Array(DataPointSchema),
  totalDataPoints: Count,
  metricNames: Type.Array(Type.String()),
  truncated: Type.Optional(Type.Boolean()),
});
export type Metrics = Omit<Static<typeof MetricsSchema>, 'dataPoints'> & { dataPoints: DataPoint[] };

// Access (contract §10)

export const KeySchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  workflows: Type.Array(Type.String()),
  environments: Type.Array(EnvironmentSchema),
  limits: RateLimitsSchema,
  createdAt: Time,
  createdBy: Type.String(),
  expiresAt: Nullable(Time),
  revokedAt: Nullable(Time),
  lastUsedAt: Nullable(Time),
});
export type ApiKey = Static<typeof KeySchema>;
export const KeyCreatedSchema = Type.Object({
  ...KeySchema.properties,
  key: Type.String({ description: 'Shown once' }),
});
export type ApiKeyCreated = Static<typeof KeyCreatedSchema>;

export const TokenSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: RoleSchema,
  prefix: Type.String(),
  createdAt: Time,
  createdBy: Type.String(),
  expiresAt: Nullable(Time),
  revokedAt: Nullable(Time),
});
export type Token = Static<typeof TokenSchema>;
export const TokenCreatedSchema = Type.Object({
  ...TokenSchema.properties,
  token: Type.String({ description: 'Shown once' }),
});
export type TokenCreated = Static<typeof TokenCreatedSchema>;

export const SessionSchema = Type.Object({ actor: Type.String(), role: RoleSchema, expiresAt: Nullable(Time) });
export type Session = Static<typeof SessionSchema>;

export const AuditSchema = Type.Object({
  id: Type.String(),
  at: Time,
  actor: Type.String(),
  role: Nullable(RoleSchema),
  address: Nullable(Type.String()),
  action: Type.String(),
  target: Type.String(),
  before: Json,
  after: Json,
});
export type AuditEntry = Static<typeof AuditSchema>;

/** What the console's frame and Overview show at a glance. */
export const OverviewSchema = Type.Object({
  jobs: Type.Object({
    running: Count,
    /** Jobs created in the last hour that ended other than COMPLETED or EMPTY. */
    failedLastHour: Count,
    createdLastHour: Count,
    /** Jobs finished a minute, mean of the last five minutes. */
    throughputPerMinute: Type.Number(),
    p95Ms: Nullable(Type.Number({ description: 'Duration of jobs finished in the last hour' })),
  }),
  tasks: Type.Object({ ready: Count, scheduled: Count, running: Count, retrying: Count }),
  workers: Type.Object({
    total: Count,
    operational: Count,
    maxed: Count,
    unstable: Count,
    down: Count,
    drained: Type.Integer({ minimum: 0, description: 'Of those that are Operational or Maxed: they get no new tasks' }),
    currentTasks: Count,
    maxTasks: Count,
  }),
  failures: Type.Array(
    Type.Object({
      /** Of the failure group. */
      id: Type.String(),
      workflowId: Type.String(),
      node: Type.String(),
      code: Type.String(),
      message: Type.String(),
      count: Count,
      lastAt: Time,
      lastJobId: Type.String(),
      commit: Type.String({ description: 'The version that failed last' }),
    }),
  ),
  publications: Type.Array(Type.Object({ ...PublicationSchema.properties, workflowId: Type.String() })),
});
export type Overview = Static<typeof OverviewSchema>;
