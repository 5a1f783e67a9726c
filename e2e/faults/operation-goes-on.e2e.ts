import { expect, test } from '@playwright/test';
import type { Approval } from '../../src/contract/approvals.ts';
import type { BulkDryRun, Operation } from '../../src/contract/operations.ts';
import { sleeper } from '../support/workflow-definitions.ts';
import { forget, publish, startMaster, type TestMaster } from '../support/master.ts';

const JOBS = 400;
const INPUTS = 40;
const RERUNS = 200;
/** No worker takes what is retried, which would hold the operation up. */
const env = { YARDMASTER_BULK_READY_TASKS: '0' };

/** The id of the operation that a call began. */
async function begun(answer: Promise<BulkDryRun | { operationId: string } | Approval>): Promise<string> {
  const sent = await answer;
  if (!('operationId' in sent)) throw new Error('it was a dry run');
  return sent.operationId;
}

test('a bulk retry and a bulk rerun that a SIGKILL of the master interrupts go on after the restart, and take each job once', async () => {
  const before = await startMaster({ workers: 0, env });
  await publish(before, 'sleeper', sleeper(0.05));
  for (let i = 0; i < JOBS; i++)
    await before.call('jobs.create', {
      body: {
        workflowId: 'sleeper',
        environment: 'dev',
        inputs: Array.from({ length: INPUTS }, (_, n) => ({ n })),
      },
    });
  await publish(before, 'again', sleeper(0.05));
  for (let i = 0; i < RERUNS; i++)
    await before.call('jobs.create', { body: { workflowId: 'again', environment: 'dev', inputs: [{ i }] } });
  const killed = await begun(before.call('operations.kill', { body: { filter: {}, all: true } }));
  expect(await ended(before, killed)).toMatchObject({
    status: 'DONE',
    total: JOBS + RERUNS,
    done: JOBS + RERUNS,
    failed: 0,
  });

  const retried = await begun(
    before.call('operations.retry', { body: { filter: { workflowId: 'sleeper' }, includeNonRetryable: true } }),
  );
  const rerun = await begun(
    before.call('operations.rerun', { body: { filter: { workflowId: 'again' }, commit: 'published' } }),
  );
  for (const id of [rerun, retried])
    await expect.poll(async () => (await operation(before, id)).done, { intervals: [10] }).toBeGreaterThan(0);
  await before.kill();

  const after = await startMaster({ data: before.data, workers: 0, env });
  try {
    expect(await ended(after, retried)).toMatchObject({ status: 'DONE', total: JOBS, done: JOBS, failed: 0 });
    const results = (await after.call('operations.results', { params: { id: retried }, query: { size: 500 } })).items;
    expect(new Set(results.map(({ jobId }) => jobId)).size).toBe(JOBS);
    expect(new Set(results.map(({ ok, message }) => `${ok} ${message}`))).toEqual(
      new Set([`true ${INPUTS} tasks retried`]),
    );
    const jobs = (await after.call('jobs.list', { query: { workflowId: 'sleeper', size: 500 } })).items;
    expect(jobs.map(({ taskCounters }) => taskCounters.readyTasks)).toEqual(Array(JOBS).fill(INPUTS));
    // Each task has exactly one retry behind it, also those of the job that was at hand.
    const attempts = new Set(
      (await Promise.all(jobs.slice(0, 100).map(({ id }) => after.tasks(id)))).flat().map(({ attempt }) => attempt),
    );
    expect(attempts).toEqual(new Set([2]));

    // And each job that was run again has exactly one new one, which its result names.
    expect(await ended(after, rerun)).toMatchObject({
      status: 'DONE',
      total: RERUNS,
      done: RERUNS,
      failed: 0,
    });
    const rerunJobs = (await after.call('operations.results', { params: { id: rerun }, query: { size: 500 } })).items;
    const again = (await after.call('jobs.list', { query: { workflowId: 'again', size: 500 } })).items;
    expect(again).toHaveLength(2 * RERUNS);
    expect(new Map(again.flatMap(({ id, rerunOf }) => (rerunOf === null ? [] : [[rerunOf, id]])))).toEqual(
      new Map(rerunJobs.map(({ jobId, newJobId }) => [jobId, newJobId])),
    );
  } finally {
    await after.stop();
    forget(after.data);
  }
});

const operation = (master: TestMaster, id: string) => master.call('operations.get', { params: { id } });

async function ended(master: TestMaster, id: string): Promise<Operation> {
  await expect
    .poll(async () => (await operation(master, id)).status, { timeout: 120_000, intervals: [200] })
    .not.toBe('RUNNING');
  return operation(master, id);
}
