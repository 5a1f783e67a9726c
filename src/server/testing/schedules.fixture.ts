import { createFeed } from '../feed/feed.ts';
import { createAccess } from '../access/access.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { ScheduleBody } from '../../contract/schedules.ts';
import type { Endpoint, Runnable } from '../workflows/port.ts';
import { createExpressions } from '../expressions/expressions.ts';
import { createSchedules } from '../schedules/schedules.ts';
import { handClock, openRig, type RigOptions } from './engine.fixture.ts';

export const BOSS = { name: 'boss', role: 'admin', address: null } as const;

/** Schedules over a real engine and database, and a clock that the test sets. */
export async function openScheduleRig(flow: Runnable, options: Pick<RigOptions, 'file' | 'clock' | 'limits'> = {}) {
  const clock = options.clock ?? handClock(Date.UTC(2027, 0, 1, 12));
  const rig = await openRig({ ...options, clock });
  const limits = { ...LIMITS, ...options.limits };
  const access = createAccess({ store: rig.store, clock, limits, oidc: null });
  const expressions = createExpressions({ limits, projectOf: () => 'default' });
  const published: { endpoint: Endpoint } = { endpoint: { found: 'published', runnable: flow } };
  const schedules = createSchedules({
    ...{ store: rig.store, jobs: rig.jobs, expressions, audit: access.audit, limits },
    feed: createFeed(0, () => {}),
    workflows: { endpoint: () => published.endpoint },
    isActive: async () => true,
    checkInputs: async () => {},
    now: () => clock.now(),
    onError: (error) => void rig.errors.push(error),
  });
  return {
    ...rig,
    clock,
    schedules,
    /** What the environment points to. */
    published,
    create: (more: Partial<ScheduleBody>) =>
      schedules.create({ workflowId: flow.workflowId, environment: 'dev', ...more }, more.inputs ?? null, BOSS),
    /** Outcomes of the due times, oldest first. */
    runs: async (id: string) => (await schedules.runs(id, { page: 0, size: 500 })).items.toReversed(),
    jobsOf: async (id: string) =>
      (await rig.jobs.list({ page: 0, size: 500, sort: 'createdAt,asc', triggerId: id })).items,
    async close() {
      await schedules.close();
      await expressions.close();
      await access.close();
      await rig.close();
    },
    /** As SIGKILL would. */
    async abandonAll() {
      await schedules.close();
      await expressions.close();
      await rig.abandon();
    },
  };
}
export type ScheduleRig = Awaited<ReturnType<typeof openScheduleRig>>;
