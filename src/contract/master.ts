import { type Static, Type } from 'typebox';
import { Count, Nullable, enumOf, get, post, tagged, Time, Closed, Json } from './shapes.ts';
import { FOUND_KINDS } from './vocabulary.ts';
import { PublicationSchema } from './workflows.ts';

/** The master itself: its state at a glance, search over everything, backup and health. */

/** What the console's frame and Overview show at a glance. */
export const OverviewSchema = Type.Object({
  jobs: Type.Object({
    running: Count,
    /** Jobs created in the last hour that ended other than COMPLETED or EMPTY. */
    /** Created in the last hour and failed; without those that were killed or have since succeeded. */
    failedLastHour: Count,
    createdLastHour: Count,
    /** Jobs finished a minute, mean of the last five minutes. */
    throughputPerMinute: Type.Number(),
    p95Ms: Nullable(Type.Number({ description: 'Duration of jobs finished in the last hour' })),
  }),
  tasks: Type.Object({ ready: Count, scheduled: Count, running: Count, retrying: Count }),
  workers: Type.Optional(
    Type.Object(
      {
        total: Count,
        operational: Count,
        maxed: Count,
        unstable: Count,
        down: Count,
        drained: Type.Integer({ minimum: 0, description: 'Operational or Maxed workers that get no new tasks' }),
        currentTasks: Count,
        maxTasks: Count,
      },
      { description: 'Absent for people whose roles are limited to projects' },
    ),
  ),
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
      commit: Type.String({ description: 'The version that failed most recently' }),
    }),
  ),
  publications: Type.Array(Type.Object({ ...PublicationSchema.properties, workflowId: Type.String() })),
});
export type Overview = Static<typeof OverviewSchema>;
export type WorkerTotals = NonNullable<Overview['workers']>;

export const FoundSchema = Type.Object({
  kind: enumOf(FOUND_KINDS),
  id: Type.String(),
  label: Type.String({ description: 'Display text: an external ID, a name or a message' }),
  detail: Type.String({ description: 'More details: state or workflow' }),
  /** Where the console shows it. */
  path: Type.String({ description: 'Path of its page in the console' }),
});
export type Found = Static<typeof FoundSchema>;

export const FindSchema = Type.Object({ items: Type.Array(FoundSchema) });
export type FindAnswer = Static<typeof FindSchema>;

export const masterRoutes = tagged('Master', {
  // The master itself
  'master.overview': get('/api/v1/overview', 'viewer', 'Overview of the cluster', { answers: { 200: OverviewSchema } }),
  'master.find': get(
    '/api/v1/find',
    'viewer',
    'Search by ID, ID prefix or text: jobs, tasks, operations, workers, commits, workflows, failures, keys',
    {
      query: Closed({
        q: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'An ID, a prefix of an ID or commit hash, an external ID, or a text',
        }),
      }),
      answers: { 200: FindSchema },
    },
  ),
  'master.backup': post('/api/v1/backup', 'admin', "Create a verified backup of the master's state", {
    errors: ['BACKUP_RUNNING', 'BACKUP_FAILED'],
    answers: { 200: Json },
    produces: 'application/octet-stream',
  }),
  'master.prepareBackup': post(
    '/api/v1/backup/prepared',
    'admin',
    'Create a verified backup to be downloaded by a link',
    {
      errors: ['BACKUP_RUNNING', 'BACKUP_FAILED'],
      answers: {
        201: Type.Object({
          id: Type.String({ description: 'Of the download, which works once, for five minutes' }),
          name: Type.String({ description: 'Of the file' }),
          bytes: Count,
          replaced: Type.Optional(
            Type.Boolean({ description: 'It took the place of an earlier one of the caller that was not downloaded' }),
          ),
        }),
      },
    },
  ),
  'master.downloadBackup': get('/api/v1/backup/prepared/:id', 'admin', 'Download a backup that was prepared, once', {
    params: Closed({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
    errors: ['BACKUP_EXPIRED'],
    answers: { 200: Json },
    produces: 'application/octet-stream',
  }),
  'master.openapi': get('/api/v1/openapi.json', 'open', 'This description', { answers: { 200: Json } }),
  'master.proof': get(
    '/api/v1/master/proof',
    'open',
    'Prove to a program on the same machine that this is the master of its data folder',
    {
      query: Closed({
        nonce: Type.String({ pattern: '^[0-9a-f]{32,128}$', description: 'A random number, in hexadecimal' }),
      }),
      answers: {
        200: Type.Object({
          proof: Type.String({ description: 'HMAC-SHA256 by the key in local.json, Base64 for URLs' }),
        }),
      },
    },
  ),
  'master.healthz': get('/healthz', 'open', 'Liveness check', { answers: { 200: Json } }),
  'master.readyz': get('/readyz', 'open', 'Readiness check', { answers: { 200: Json } }),
  'master.metrics': get('/metrics', 'viewer', 'Metrics of the master in Prometheus format', {
    answers: { 200: Json },
    produces: 'text/plain',
  }),
});
