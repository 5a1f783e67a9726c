import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import type { Page } from '../../contract/shapes.ts';
import type { StreamEvent } from '../../contract/stream.ts';
import type { Task } from '../../contract/tasks.ts';
import type { Worker } from '../../contract/workers.ts';
import { failureKeys } from '../api/failures.ts';
import { jobKeys, type JobListParams } from '../api/jobs.ts';
import { operationKeys } from '../api/operations.ts';
import { overviewKeys } from '../api/overview.ts';
import { workerKeys } from '../api/workers.ts';
import { workflowKeys } from '../api/workflows.ts';
import { applyEvents } from './apply-events.ts';

const job = (id: string, status: Job['status'], finishedAt: string | null = null) =>
  ({ id, status, finishedAt }) as Job;
const jobEvent = (data: Job): StreamEvent => ({ event: 'job', data });
const pageOf = <T>(items: T[]): Page<T> => ({ items, page: 0, size: 20, totalItems: items.length, totalPages: 1 });

describe('live changes in the caches', () => {
  it('replace a job in every list that shows it, and keep the other rows as they are', () => {
    const client = new QueryClient();
    const other = job('2', 'COMPLETED');
    client.setQueryData(jobKeys.list({ page: 0 }), pageOf([job('1', 'RUNNING'), other]));
    applyEvents(client, [jobEvent(job('1', 'FAILED'))]);
    const items = client.getQueryData<Page<Job>>(jobKeys.list({ page: 0 }))?.items;
    expect(items?.map((each) => each.status)).toEqual(['FAILED', 'COMPLETED']);
    expect(items?.[1]).toBe(other);
  });

  it('take the newest of several changes of one job', () => {
    const client = new QueryClient();
    client.setQueryData(jobKeys.one('1'), job('1', 'RUNNING'));
    applyEvents(client, [jobEvent(job('1', 'PARTIAL_FAILURE')), jobEvent(job('1', 'FAILED'))]);
    expect(client.getQueryData<Job>(jobKeys.one('1'))?.status).toBe('FAILED');
  });

  it('take from a row what the job has no more', () => {
    const client = new QueryClient();
    const failed = { ...job('1', 'FAILED'), error: { node: 'a', code: 'TASK_ERROR', message: 'no' } };
    client.setQueryData(jobKeys.list({ page: 0 }), pageOf<Job>([failed]));
    applyEvents(client, [jobEvent(job('1', 'COMPLETED'))]);
    expect(client.getQueryData<Page<Job>>(jobKeys.list({ page: 0 }))?.items).toEqual([job('1', 'COMPLETED')]);
  });

  it('ask for the overview again, and for lists whose rows, order or total may have changed', () => {
    const client = new QueryClient();
    const list = (params: JobListParams) => (client.setQueryData(jobKeys.list(params), rows), jobKeys.list(params));
    const rows = pageOf([job('1', 'RUNNING')]);
    const [plain, ofAnother] = [list({ page: 0 }), list({ page: 0, workflowId: 'another' })];
    const byStatus = [
      list({ displayStatus: ['RUNNING'] }),
      list({ query: 'attempts:>1' }),
      list({ sort: 'status,asc' }),
    ];
    const again = (...jobs: Job[]) => applyEvents(client, jobs.map(jobEvent));
    expect(again(job('1', 'RUNNING'))).toEqual([...byStatus, overviewKeys.overview]);
    // One that is in no row may be new.
    expect(again(job('2', 'RUNNING'))).toEqual([plain, ...byStatus, overviewKeys.overview]);
    expect(again({ ...job('2', 'RUNNING'), workflowId: 'another' })).toContainEqual(ofAnother);
  });

  it('leave a first page alone where a job of a later one changes', () => {
    const client = new QueryClient();
    const at = (id: string, createdAt: string) => ({ ...job(id, 'RUNNING'), createdAt });
    const key = jobKeys.list({ page: 0, size: 1 });
    client.setQueryData(key, { items: [at('2', '2026-01-02')], page: 0, size: 1, totalItems: 2, totalPages: 2 });
    expect(applyEvents(client, [jobEvent(at('1', '2026-01-01'))])).not.toContainEqual(key);
    expect(applyEvents(client, [jobEvent(at('3', '2026-01-03'))])).toContainEqual(key);
  });

  it('ask again for a list that was being read', async () => {
    const client = new QueryClient();
    const key = jobKeys.list({ page: 0 });
    const answer = Promise.withResolvers<Page<Job>>();
    client.setQueryData(key, pageOf([job('1', 'RUNNING')]));
    const read = client.fetchQuery({ queryKey: key, queryFn: () => answer.promise });
    expect(applyEvents(client, [jobEvent(job('1', 'FAILED'))])).toContainEqual(key);
    answer.resolve(pageOf([job('1', 'RUNNING')]));
    await read;
  });

  it('ask for the output of an open job once it is finished', () => {
    const client = new QueryClient();
    client.setQueryData(jobKeys.one('1'), job('1', 'RUNNING'));
    expect(applyEvents(client, [jobEvent(job('1', 'COMPLETED', '2026-01-01T00:00:00.000Z'))])).toContainEqual(
      jobKeys.output('1'),
    );
  });

  it('read again what was being read when it changed: the answer on its way may be older', async () => {
    const client = new QueryClient();
    const answer = Promise.withResolvers<Job>();
    const read = client.fetchQuery({ queryKey: jobKeys.one('1'), queryFn: () => answer.promise });
    expect(applyEvents(client, [jobEvent(job('1', 'FAILED'))])).toContainEqual(jobKeys.one('1'));
    answer.resolve(job('1', 'RUNNING'));
    await read;
    expect(applyEvents(client, [jobEvent(job('1', 'FAILED'))])).not.toContainEqual(jobKeys.one('1'));
    expect(client.getQueryData<Job>(jobKeys.one('1'))?.status).toBe('FAILED');
  });

  it('read the worker list again only where a worker is missing from it', () => {
    const client = new QueryClient();
    client.setQueryData(workerKeys.list({}), pageOf([{ id: 'w1', state: 'Operational' } as Worker]));
    const down: StreamEvent = { event: 'worker', data: { id: 'w1', state: 'Down' } as Worker };
    expect(applyEvents(client, [down])).not.toContainEqual(workerKeys.lists);
    expect(client.getQueryData<Page<Worker>>(workerKeys.list({}))?.items[0]?.state).toBe('Down');
    expect(
      applyEvents(client, [{ event: 'worker', data: { id: 'w2', state: 'Operational' } as Worker }]),
    ).toContainEqual(workerKeys.lists);
  });

  it('patch the open task list of a job and leave alone what nobody looks at', () => {
    const client = new QueryClient();
    const task = (id: string, jobId: string, state: Task['state']) => ({ id, jobId, state, output: 7 }) as Task;
    const change = (id: string, jobId: string): StreamEvent => ({
      event: 'task',
      data: { id, jobId, state: 'COMPLETED' } as Task,
    });
    client.setQueryData(jobKeys.tasks('j1', {}), pageOf([task('t1', 'j1', 'RUNNING')]));
    expect(applyEvents(client, [change('t1', 'j1'), change('t2', 'j2')])).toEqual([jobKeys.tasksOf('j1')]);
    expect(client.getQueryData<Page<Task>>(jobKeys.tasks('j1', {}))?.items).toEqual([
      { id: 't1', jobId: 'j1', state: 'COMPLETED', output: 7 },
    ]);
  });

  it('put the progress of an operation where it shows, and ask for its report again', () => {
    const client = new QueryClient();
    client.setQueryData(operationKeys.one('o1'), { operationId: 'o1', done: 0, total: 9 });
    client.setQueryData(operationKeys.list({}), pageOf([{ operationId: 'o1', done: 0, total: 9 }]));
    const event = { event: 'operation', data: { id: 'o1', operationId: 'o1', done: 4 } } as StreamEvent;
    expect(applyEvents(client, [event])).toContainEqual(operationKeys.resultsOf('o1'));
    expect(client.getQueryData(operationKeys.one('o1'))).toMatchObject({ done: 4, total: 9 });
    expect(client.getQueryData<Page<{ done: number }>>(operationKeys.list({}))?.items[0]?.done).toBe(4);
  });

  it('ask for failures again where a job failed', () => {
    expect(applyEvents(new QueryClient(), [jobEvent(job('1', 'FAILED'))])).toContainEqual(failureKeys.all);
    expect(applyEvents(new QueryClient(), [jobEvent(job('1', 'COMPLETED'))])).not.toContainEqual(failureKeys.all);
  });

  it('ask for workflows again after a publication', () => {
    expect(applyEvents(new QueryClient(), [{ event: 'publication', data: {} as never }])).toContainEqual(
      workflowKeys.all,
    );
  });
});
