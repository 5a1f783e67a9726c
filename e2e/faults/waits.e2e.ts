import { expect, test } from '@playwright/test';
import { forget, publish, startMaster, type TestMaster } from '../support/master.ts';
import { checkWait } from '../support/trigger-checks.ts';
import { held } from '../support/workflow-definitions.ts';

const ROUNDS = Number(process.env['YARDMASTER_WAIT_ROUNDS'] ?? 12);
/** Moments after which the master is killed, from before a wait begins to after it has ended. */
const MOMENTS = ['submitted', 'waiting', 'answering', 'answered', 'due'] as const;

test('a wait goes on exactly once, wherever a SIGKILL of the master meets it', async () => {
  test.setTimeout(Math.max(test.info().timeout, 120_000 + ROUNDS * 30_000));
  let master = await startMaster({ workers: 1 });
  const jobs: { id: string; kind: 'signal' | 'approval' | 'time'; sent: number }[] = [];
  try {
    await publish(master, 'by-signal', held({ for: 'signal', name: 'go' }));
    await publish(master, 'by-approval', held({ for: 'approval', title: 'Go on?' }));
    await publish(master, 'by-time', held({ for: 'time', seconds: 1 }));
    for (let round = 0; round < ROUNDS; round++) {
      const moment = MOMENTS[round % MOMENTS.length];
      const submitted = await Promise.all(
        (['signal', 'approval', 'time'] as const).map(async (kind) => {
          const { jobId: id } = await master.call('jobs.create', {
            body: { workflowId: `by-${kind}`, environment: 'dev', inputs: [{ round }] },
          });
          const job = { id, kind, sent: 0 };
          jobs.push(job);
          return job;
        }),
      );
      const [signalled, approved] = submitted;
      if (!signalled || !approved) throw new Error('nothing was submitted');
      if (moment !== 'submitted') await isWaiting(master, approved.id);
      if (moment === 'answering' || moment === 'answered') {
        // Several at once: the same signal under one key, and opposite decisions.
        const answers = [
          ...[1, 2, 3].map(() => send(master, signalled.id, round)),
          ...(['approve', 'reject', 'approve'] as const).map((decision) => decide(master, approved.id, decision)),
        ];
        if (moment === 'answered') await Promise.allSettled(answers);
        else void Promise.allSettled(answers);
      }
      if (moment === 'due') await expect.poll(() => isOver(master, submitted[2]?.id ?? '')).toBe(true);
      await master.kill();
      master = await startMaster({ data: master.data, workers: 1 });
      // Whoever got no answer asks again, under the same key.
      await send(master, signalled.id, round).catch(() => {});
      await isOverOrWaiting(master, approved.id);
      await decide(master, approved.id, 'approve').catch(() => {});
    }
    for (const { id, kind } of jobs) {
      await expect.poll(() => isOver(master, id), { timeout: 120_000 }).toBe(true);
      const ended = await checkWait(master, id);
      if (kind !== 'approval') expect(ended).toBe('COMPLETED');
    }
    // What was recorded of the decisions says the same as the tasks.
    const { items } = await master.call('approvals.list', { query: { kind: 'wait', size: 500 } });
    const byJob = Map.groupBy(items, ({ wait }) => wait?.jobId);
    for (const { id, kind } of jobs) {
      if (kind !== 'approval') continue;
      const [hold] = (await master.tasks(id)).filter(({ node }) => node === 'hold');
      const ended = (byJob.get(id) ?? []).filter(({ status }) => status === 'approved' || status === 'rejected');
      expect([id, ended.length]).toEqual([id, 1]);
      expect(ended[0]?.status).toBe(hold?.state === 'COMPLETED' ? 'approved' : 'rejected');
    }
    expect((await master.call('waits.list', { query: {} })).totalItems).toBe(0);
  } finally {
    await master.stop();
    forget(master.data);
  }
});

const send = (master: TestMaster, jobId: string, round: number) =>
  fetch(`${master.url}/api/v1/jobs/${jobId}/signals/go`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${master.token}`,
      'content-type': 'application/json',
      'idempotency-key': `round-${round}`,
    },
    body: JSON.stringify({ round }),
  });

async function approvalOf(master: TestMaster, jobId: string): Promise<string | null> {
  const { items } = await master.call('waits.list', { query: { jobId } });
  return items[0]?.approvalId ?? null;
}

async function decide(master: TestMaster, jobId: string, decision: 'approve' | 'reject'): Promise<void> {
  const id = await approvalOf(master, jobId);
  if (id !== null) await master.call('approvals.decide', { params: { id }, body: { decision } });
}

const isOver = async (master: TestMaster, jobId: string): Promise<boolean> =>
  (await master.job(jobId)).finishedAt !== null;

const isWaiting = (master: TestMaster, jobId: string) =>
  expect.poll(() => approvalOf(master, jobId), { timeout: 60_000 }).not.toBeNull();

const isOverOrWaiting = (master: TestMaster, jobId: string) =>
  expect
    .poll(async () => (await isOver(master, jobId)) || (await approvalOf(master, jobId)) !== null, { timeout: 120_000 })
    .toBe(true);
