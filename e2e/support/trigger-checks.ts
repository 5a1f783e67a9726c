import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@playwright/test';
import type { ScheduleRun } from '../../src/contract/schedules.ts';
import { WEBHOOK_PREFIX } from '../../src/contract/webhooks.ts';
import type { ApiClient } from '../../src/lib/api-client.ts';

interface Asked {
  readonly call: ApiClient['call'];
}

/**
 * By the public API alone: no due time of a schedule that is due each second is left out, none has two jobs, and the history
 * names the very jobs that there are.
 */
export async function checkSchedule(
  { call }: Asked,
  id: string,
  { atLeast, filled }: { readonly atLeast: number; readonly filled: number | null },
): Promise<void> {
  const runs: ScheduleRun[] = [];
  for (let page = 0, pages = 1; page < pages; page++) {
    const found = await call('schedules.runs', { params: { id }, query: { page, size: 500 } });
    runs.push(...found.items);
    pages = found.totalPages;
  }
  const jobs = new Map<string, string>();
  for (let page = 0, pages = 1; page < pages; page++) {
    const found = await call('jobs.list', { query: { triggerId: id, page, size: 500 } });
    for (const { id: jobId, trigger } of found.items) {
      const due = trigger.dueAt ?? '';
      expect(jobs.has(due), `two jobs for ${due}`).toBe(false);
      jobs.set(due, jobId);
    }
    pages = found.totalPages;
  }
  expect(new Map(runs.map(({ dueAt, jobId }) => [dueAt, jobId]))).toEqual(jobs);
  expect(new Set(runs.map(({ outcome }) => outcome))).toEqual(new Set(['STARTED']));
  const gaps = (kind: ScheduleRun['kind']) => {
    const dues = runs.filter((run) => run.kind === kind).map(({ dueAt }) => Date.parse(dueAt));
    dues.sort((a, b) => a - b);
    return { count: dues.length, gaps: dues.slice(1).filter((due, i) => due - (dues[i] ?? 0) !== 1000) };
  };
  const due = gaps('schedule');
  expect(due.gaps).toEqual([]);
  expect(due.count).toBeGreaterThan(atLeast);
  if (filled !== null) expect(gaps('backfill')).toEqual({ count: filled, gaps: [] });
}

const SECRET = 'a-secret-of-the-sender';
/** Nobody waits for a master that is frozen, or cut off. */
const PATIENCE_MS = 5000;

/** A webhook that starts a job with the ID of each delivery. The workflow is published. */
export const createDeliveries = ({ call }: Asked, workflowId: string, path: string) =>
  call('webhooks.create', {
    body: {
      ...{ workflowId, environment: 'dev', path },
      verify: { type: 'hmac', preset: 'github', secret: SECRET },
      mapping: '{"delivery": body.delivery}',
    },
  });

/**
 * Senders that repeat each delivery until they are told 202 or 409, as services do. `url`: where each attempt goes. They stop
 * at an answer that is neither of these nor one to repeat after.
 */
export function startSenders(count: number, path: string, url: () => string) {
  const answered = new Set<string>();
  let next = 0;
  let isOver = false;
  let isAbandoned = false;

  async function deliver(delivery: string): Promise<void> {
    const body = JSON.stringify({ delivery });
    const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
    while (!isAbandoned) {
      const answer = await fetch(`${url()}${WEBHOOK_PREFIX}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-github-delivery': delivery,
          'x-hub-signature-256': signature,
        },
        body,
        signal: AbortSignal.timeout(PATIENCE_MS),
        // It is dead: the next attempt goes to another, or to the one after it.
      }).catch(() => null);
      if (answer?.status === 202 || answer?.status === 409) return void answered.add(delivery);
      if (answer !== null && answer.status < 500 && answer.status !== 429)
        throw new Error(`delivery ${delivery} was answered with ${answer.status}`);
      await pause(20);
    }
  }
  const sender = async () => {
    while (!isOver) await deliver(`delivery-${next++}`);
  };
  const senders = Promise.all(Array.from({ length: count }, sender));
  senders.catch(() => {});
  return {
    answered,
    /** Once what is under way is answered. */
    async stop(): Promise<void> {
      isOver = true;
      await senders;
    },
    /** At once, whether there is a master or none. */
    abandon(): void {
      isOver = true;
      isAbandoned = true;
    },
  };
}

/** There is one job for each delivery that was answered, and none that was never sent. */
export async function checkDeliveries(asked: Asked, webhookId: string, answered: ReadonlySet<string>): Promise<void> {
  const started: string[] = [];
  for (let page = 0, pages = 1; page < pages; page++) {
    const found = await asked.call('jobs.list', {
      query: { trigger: ['webhook'], triggerId: webhookId, page, size: 500 },
    });
    for (const { id } of found.items) {
      const [input] = (await asked.call('jobs.input', { params: { jobId: id } })) as [{ delivery: string }];
      started.push(input.delivery);
    }
    pages = found.totalPages;
  }
  expect(new Set(started).size, 'a delivery started two jobs').toBe(started.length);
  expect(new Set(started)).toEqual(answered);
}

/** A wait of a job that is over went on exactly once: its task ended once, and what follows it was made once, or not at all where it failed. */
export async function checkWait({ call }: Asked, jobId: string): Promise<'COMPLETED' | 'FAILED'> {
  const { items: tasks } = await call('tasks.list', { params: { jobId }, query: { size: 500 } });
  const hold = tasks.filter(({ node }) => node === 'hold');
  const after = tasks.filter(({ node }) => node === 'after');
  expect([jobId, hold.length]).toEqual([jobId, 1]);
  const ends = hold[0]?.history.filter(({ to }) => to === 'COMPLETED' || to === 'FAILED') ?? [];
  // A worker that is lost before the wait begins ends an attempt, not the wait.
  expect([jobId, ends.filter(({ reason }) => reason !== 'WORKER_LOST').length]).toEqual([jobId, 1]);
  const isDone = hold[0]?.state === 'COMPLETED';
  expect([jobId, after.length]).toEqual([jobId, isDone ? 1 : 0]);
  return isDone ? 'COMPLETED' : 'FAILED';
}
