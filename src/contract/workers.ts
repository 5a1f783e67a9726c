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
  tagged,
  sort,
  Time,
  Closed,
} from './shapes.ts';
import { TaskPageSchema } from './tasks.ts';
import { WORKER_SORTS, WORKER_STATES } from './vocabulary.ts';

/** Workers. */

export const WorkerStateSchema = enumOf(WORKER_STATES);

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
});
export type Worker = Static<typeof WorkerSchema>;

export const workerRoutes = tagged('Workers', {
  'workers.list': get('/api/v1/workers', 'viewer', 'List workers', {
    query: Closed({ ...paging, sort: sort(...WORKER_SORTS), state: many(WorkerStateSchema) }),
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
  'workers.resume': post('/api/v1/workers/:id/resume', 'operator', 'Resume a draining worker', {
    errors: ['WORKER_NOT_FOUND'],
    answers: { 200: WorkerSchema },
  }),
});
