import { type Static, Type } from 'typebox';
import {
  Count,
  many,
  Nullable,
  enumOf,
  EnvironmentSchema,
  PageOf,
  paging,
  Paging,
  get,
  post,
  remove,
  tagged,
  sort,
  Time,
  Closed,
} from './shapes.ts';
import { TaskPageSchema } from './tasks.ts';
import { WORKER_ENDS, WORKER_SORTS, WORKER_STATES } from './vocabulary.ts';

/** Workers. */

export const WorkerStateSchema = enumOf(WORKER_STATES);

export const WorkerEndSchema = Type.Object({
  reason: enumOf(WORKER_ENDS),
  at: Time,
  exitCode: Nullable(Type.Integer()),
  signal: Nullable(Type.String()),
  /** The last lines of its standard error, of a local worker that crashed. */
  message: Nullable(Type.String()),
});
export type WorkerEnd = Static<typeof WorkerEndSchema>;

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
  environments: Nullable(
    Type.Array(EnvironmentSchema, { description: 'It gets only tasks of jobs in these, by its token; null: of all' }),
  ),
  handlers: Type.Array(Type.String()),
  cpuUsage: Nullable(Type.Number({ description: '0 to 1' })),
  memoryUsage: Nullable(Type.Number({ description: 'Resident memory in bytes' })),
  ended: Type.Optional(Nullable(WorkerEndSchema)),
  replacedBy: Type.Optional(
    Nullable(
      Type.String({
        description: 'Of one that is Down: the worker that took its place, by its local number or its URL',
      }),
    ),
  ),
});
export type Worker = Static<typeof WorkerSchema>;

export const workerRoutes = tagged('Workers', {
  'workers.list': get('/api/v1/workers', 'viewer', 'List workers', {
    query: Closed({
      ...paging,
      sort: sort(...WORKER_SORTS),
      state: many(WorkerStateSchema),
      q: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Words, each of which is in the ID, URL, version, a label (`pool=crane`) or a handler',
        }),
      ),
      past: Type.Optional(
        Type.Boolean({ description: 'false: without workers that stopped in order or were replaced' }),
      ),
    }),
    answers: { 200: PageOf(WorkerSchema) },
  }),
  'workers.get': get('/api/v1/workers/:id', 'viewer', 'Get a worker', {
    errors: ['WORKER_NOT_FOUND'],
    answers: { 200: WorkerSchema },
  }),
  'workers.tasks': get('/api/v1/workers/:id/tasks', 'viewer', 'List the active tasks of a worker', {
    query: Paging,
    errors: ['WORKER_NOT_FOUND'],
    answers: { 200: TaskPageSchema },
  }),
  'workers.drain': post('/api/v1/workers/:id/drain', 'operator', 'Drain a worker: it gets no new tasks', {
    errors: ['WORKER_NOT_FOUND'],
    answers: { 200: WorkerSchema },
  }),
  'workers.forget': remove('/api/v1/workers/:id', 'operator', 'Remove a worker that is down from the list', {
    errors: ['WORKER_NOT_FOUND', 'WORKER_NOT_DOWN'],
    answers: { 204: null },
  }),
  'workers.resume': post('/api/v1/workers/:id/resume', 'operator', 'Resume a draining worker', {
    errors: ['WORKER_NOT_FOUND'],
    answers: { 200: WorkerSchema },
  }),
});
