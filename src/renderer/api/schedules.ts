import type { Body, Query } from '../../contract/routes.ts';
import { call } from './client.ts';
import type { Paging } from './paging.ts';
import { read, readList } from './read.ts';

export const scheduleKeys = { all: ['schedules'] as const };

/** Due times pass while one looks on, and no stream tells of them. */
const REFETCH_MS = 5000;

export const schedulesQuery = (
  params: Paging & Pick<Query<'schedules.list'>, 'workflowId' | 'environment' | 'project'>,
) => readList(['schedules', 'list', params], 'schedules.list', { query: params }, { refetchInterval: REFETCH_MS });
export const scheduleQuery = (id: string) =>
  read(['schedules', 'one', id], 'schedules.get', { params: { id }, lossless: true }, { refetchInterval: REFETCH_MS });
export const scheduleRunsQuery = (id: string, params: Query<'schedules.runs'>) =>
  readList(
    ['schedules', 'runs', id, params],
    'schedules.runs',
    { params: { id }, query: params },
    { refetchInterval: REFETCH_MS },
  );
/** Due times of a timing that need not be saved. */
export const duePreviewQuery = (query: Query<'schedules.preview'>) =>
  readList(['schedules', 'preview', query], 'schedules.preview', { query }, { retry: false });

export const createSchedule = (body: Body<'schedules.create'>) => call('schedules.create', { body });
export const updateSchedule = (id: string, body: Body<'schedules.update'>) =>
  call('schedules.update', { params: { id }, body });
export const deleteSchedule = (id: string) => call('schedules.delete', { params: { id } });
export const pauseSchedule = (id: string) => call('schedules.pause', { params: { id } });
export const resumeSchedule = (id: string) => call('schedules.resume', { params: { id } });
export const runSchedule = (id: string) => call('schedules.run', { params: { id } });
export const backfillSchedule = (id: string, body: Body<'schedules.backfill'>) =>
  call('schedules.backfill', { params: { id }, body });
