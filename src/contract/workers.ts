import { type Static, Type } from 'typebox';
import {
  Count,
  IdParams,
  many,
  Nullable,
  oneOf,
  PageOf,
  paging,
  Paging,
  type Routes,
  sort,
  strict,
  Time,
} from './shapes.ts';
import { TaskSchema } from './tasks.ts';
import { WORKER_SORTS, WORKER_STATES } from './vocabulary.ts';

/** Workers. */

export const WorkerStateSchema = oneOf(WORKER_STATES);

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

export const workerRoutes = {
  'workers.list': {
    method: 'GET',
    path: '/api/v1/workers',
    access: 'viewer',
    tag: 'Workers',
    summary: 'List workers',
    query: Type.Object({ ...paging, sort: sort(...WORKER_SORTS), state: many(WorkerStateSchema) }, strict),
    errors: [],
    answers: { 200: PageOf(WorkerSchema) },
  },
  'workers.get': {
    method: 'GET',
    path: '/api/v1/workers/:id',
    access: 'viewer',
    tag: 'Workers',
    summary: 'Get a worker',
    params: IdParams,
    errors: ['WORKER_NOT_FOUND'],
    answers: { 200: WorkerSchema },
  },
  'workers.tasks': {
    method: 'GET',
    path: '/api/v1/workers/:id/tasks',
    access: 'viewer',
    tag: 'Workers',
    summary: 'List the active tasks of a worker',
    params: IdParams,
    query: Paging,
    errors: ['WORKER_NOT_FOUND'],
    answers: { 200: PageOf(TaskSchema) },
  },
  'workers.drain': {
    method: 'POST',
    path: '/api/v1/workers/:id/drain',
    access: 'operator',
    tag: 'Workers',
    summary: 'Drain a worker: it gets no new tasks',
    params: IdParams,
    errors: ['WORKER_NOT_FOUND'],
    answers: { 200: WorkerSchema },
  },
  'workers.resume': {
    method: 'POST',
    path: '/api/v1/workers/:id/resume',
    access: 'operator',
    tag: 'Workers',
    summary: 'Resume a draining worker',
    params: IdParams,
    errors: ['WORKER_NOT_FOUND'],
    answers: { 200: WorkerSchema },
  },
} as const satisfies Routes;
