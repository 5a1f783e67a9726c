import { expect, test } from '@playwright/test';
import type { Job, Page } from '../../src/contract/api.ts';
import type { Operation, OperationResult } from '../../src/contract/api-engine.ts';
import { sleeper } from '../support/definitions.ts';
import { forget, publish, startMaster, type TestMaster } from '../support/master.ts';

const JOBS = 600;
const INPUTS = 40;
/** No worker takes what is retried, which would hold the operation up. */
const env = { YARDMASTER_BULK_READY_TASKS: '0' };

test('a bulk retry that a SIGKILL of the master interrupts goes on after the restart, and retries each job once', async () => {
  const before = await startMaster({ workers: 0, env });
  await publish(before, 'sleeper', sleeper(0.05));
  for (let i = 0; i < JOBS; i++) await post(before, '/api/v1/jobs', { workflowId: 'sleeper', environment: 'dev', inputs: Array.from({ length: INPUTS }, (_, n) => ({ n })) });
  const killed = await post<{ operationId: string }>(before, '/api/v1/jobs/bulk/kill', { filter: { workflowId: 'sleeper' } });
  expect(await ended(before, killed.operationId)).toMatchObject({ status: 'DONE', total: JOBS, done: JOBS, failed: 0 });

  const { operationId } = await post<{ operationId: string }>(before, '/api/v1/jobs/bulk/retry', { filter: { status: 'FAILED' }, includeNonRetryable: true });
  await expect.poll(async () => (await operation(before, operationId)).done, { intervals: [10] }).toBeGreaterThan(0);
  await before.kill();

  const after = await startMaster({ data: before.data, workers: 0, env });
  try {
    expect(await ended(after, operationId)).toMatchObject({ status: 'DONE', total: JOBS, done: JOBS, failed: 0 });
    const results = (await Promise.all([0, 1].map((page) => after.api<Page<OperationResult>>(`/api/v1/operations/${operationId}/results?page=${page}&size=500`)))).flatMap(({ items }) => items);
    expect(new Set(results.map(({ jobId }) => jobId)).size).toBe(JOBS);
    expect(new Set(results.map(({ ok, message }) => `${ok} ${message}`))).toEqual(new Set([`true ${INPUTS} tasks retried`]));
    const jobs = (await Promise.all([0, 1].map((page) => after.api<Page<Job>>(`/api/v1/jobs?page=${page}&size=500`)))).flatMap(({ items }) => items);
    expect(jobs.map(({ taskCounters }) => taskCounters.readyTasks)).toEqual(Array(JOBS).fill(INPUTS));
    // Each task has exactly one retry behind it, also those of the job that was at hand.
    const attempts = new Set((await Promise.all(jobs.slice(0, 100).map(({ id }) => after.tasks(id)))).flat().map(({ attempt }) => attempt));
    expect(attempts).toEqual(new Set([2]));
  } finally {
    await after.stop();
    forget(after.data);
  }
});

const operation = (master: TestMaster, id: string) => master.api<Operation>(`/api/v1/operations/${id}`);

async function ended(master: TestMaster, id: string): Promise<Operation> {
  await expect.poll(async () => (await operation(master, id)).status, { timeout: 120_000, intervals: [200] }).not.toBe('RUNNING');
  return operation(master, id);
}

async function post<T>(master: TestMaster, path: string, body: unknown): Promise<T> {
  const answer = await fetch(`${master.url}${path}`, { method: 'POST', headers: { authorization: `Bearer ${master.token}`, 'content-type': 'application/json' }, body: JSON.stringify(body) });
  expect(answer.status).toBe(202);
  return (await answer.json()) as T;
}
