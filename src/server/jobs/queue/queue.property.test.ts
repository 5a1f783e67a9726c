import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Environment } from '../../../contract/vocabulary.ts';
import { openPoolRig, type PoolRig } from '../../testing/worker-pool.fixture.ts';
import { submission, workflow } from '../../testing/engine.fixture.ts';
import { LEASES_FURTHER_AHEAD } from './assigner.ts';
import { TURN_TASKS } from './queue.ts';

/** The kinds of jobs that come: quick ones, some with a next step, some that need a handler, some of both. */
const flows = {
  plain: workflow({ a: {} }, ['input>a', 'a>output'], { workflowId: 'plain' }),
  steps: workflow(
    { a: { type: 'condition' }, b: {}, c: {} },
    ['input>a', 'a>b:true', 'a>c:false', 'b>output', 'c>output'],
    { workflowId: 'steps' },
  ),
  mail: workflow({ h: { type: 'handler', config: { handler: 'mail' } } }, ['input>h', 'h>output'], {
    workflowId: 'mail',
  }),
  both: workflow(
    { h: { type: 'handler', config: { handler: 'mail' } }, t: {} },
    ['input>h', 'input>t', 'h>output', 't>output'],
    { workflowId: 'both' },
  ),
};
const LIMITED = { plain: 5, key: 4 };

type Act =
  | {
      do: 'submit';
      kind: keyof typeof flows;
      count: number;
      priority: number;
      key: number | null;
      environment: Environment | null;
    }
  | { do: 'addWorker'; handlers: string[]; capacity: number; environments: Environment[] | null; takesAhead: boolean }
  | { do: 'finish'; share: number }
  | { do: 'fail' }
  /** Work and ends of work in a turn that is rolled back, because one of its operations throws. */
  | { do: 'break'; count: number }
  | { do: 'kill' | 'retry'; which: number }
  | { do: 'pass'; ms: number };
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      kind: fc.constantFrom(...(Object.keys(flows) as (keyof typeof flows)[])),
      count: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 60, max: 200 })),
      priority: fc.integer({ min: -1, max: 1 }),
      key: fc.constantFrom(null, 1),
      environment: fc.constantFrom('dev', 'prod', null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('addWorker' as const),
      handlers: fc.constantFrom<string[]>([], ['mail']),
      environments: fc.constantFrom<(Environment[] | null)[]>(null, ['dev'], ['dev', 'prod']),
      capacity: fc.integer({ min: 1, max: 30 }),
      takesAhead: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('finish' as const), share: fc.double({ min: 0.1, max: 1, noNaN: true }) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'fail' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('break' as const), count: fc.integer({ min: 1, max: 90 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('kill' as const, 'retry' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 5000 }) }) },
);

async function run(rig: PoolRig, step: Act): Promise<void> {
  const out = [...rig.open.values()];
  if (step.do === 'submit')
    await rig.jobs.submit(
      submission(
        flows[step.kind],
        Array.from({ length: step.count }, () => ({})),
        { priority: step.priority, keySeq: step.key, environment: step.environment },
      ),
    );
  else if (step.do === 'addWorker')
    await rig.addWorker(`w${rig.poolWorkers.size}`, step.capacity, step.handlers, step.environments, step.takesAhead);
  else if (step.do === 'finish') await finish(rig, Math.ceil(out.length * step.share));
  else if (step.do === 'fail' && out[0]) await rig.fail(out[0]);
  else if (step.do === 'break') await breakTurn(rig, step.count);
  else if (step.do === 'kill' || step.do === 'retry') await change(rig, step.do, step.which);
  else if (step.do === 'pass') rig.clock.advance(step.ms);
  await rig.check();
  await rig.settled();
}

async function change(rig: PoolRig, how: 'kill' | 'retry', which: number): Promise<void> {
  const { items } = await rig.jobs.list({ page: 0, size: 500, sort: 'createdAt,asc' });
  const job = items[which % items.length];
  if (job) await (how === 'kill' ? rig.jobs.kill(job.id, 'tester') : rig.jobs.retry(job.id));
}

async function breakTurn(rig: PoolRig, count: number): Promise<void> {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const batch = Array.from({ length: count }, () => ({}));
  const calls = [batch, [{}, circular], batch].map((inputs) => rig.jobs.submit(submission(flows.both, inputs)));
  report(rig, rig.open.size);
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
}

function report(rig: PoolRig, count: number): void {
  for (const held of [...rig.open.values()].slice(0, count)) {
    rig.open.delete(held.id);
    const port =
      held.node === 'a' && held.workflowId === 'steps'
        ? { port: held.replica % 2 === 0 ? ('true' as const) : ('false' as const) }
        : {};
    rig.events.report(held.workerId, [
      {
        e: 'done',
        id: held.id,
        attempt: held.attempt,
        startedAt: rig.clock.now(),
        at: rig.clock.now(),
        output: 1,
        ...port,
      },
    ]);
  }
}

async function finish(rig: PoolRig, count: number): Promise<void> {
  report(rig, count);
  await rig.settled();
}

function holds(rig: PoolRig): void {
  const out = [...rig.open.values()];
  for (const { id, capacity, load, longLoad, takesAhead } of rig.poolWorkers.values()) {
    const held = out.filter(({ workerId }) => workerId === id);
    expect(held).toHaveLength(load);
    expect(held.filter(({ node }) => node === 'h').length).toBeLessThanOrEqual(longLoad);
    expect(longLoad).toBeLessThanOrEqual(capacity);
    expect(load).toBeLessThanOrEqual(takesAhead ? capacity + LEASES_FURTHER_AHEAD : capacity);
  }
  expect(out.filter(({ workflowId }) => workflowId === 'plain').length).toBeLessThanOrEqual(LIMITED.plain);
  expect(new Set(rig.leases.map(({ id, attempt }) => `${id} ${attempt}`)).size).toBe(rig.leases.length);
  for (const { node, workerId } of rig.leases)
    if (node === 'h') expect(rig.poolWorkers.get(workerId)?.handlers).toContain('mail');
  for (const { environment, workerId } of rig.leases) {
    const served = rig.poolWorkers.get(workerId)?.environments;
    if (served) expect([...served]).toContain(environment);
  }
}

it('loses no task, hands none out twice, and keeps to capacities, handlers, environments and limits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), async (acts) => {
      const rig = await openPoolRig({
        mayReport: true,
        limits: { retries: 50, scheduleTimeoutSeconds: 604_800, startSeconds: 604_800 },
      });
      await rig.jobs.limit({ scope: 'workflow', id: 'plain', name: 'plain', most: LIMITED.plain });
      await rig.jobs.limit({ scope: 'key', id: 1, name: 'shop', most: LIMITED.key });
      for (const step of acts) {
        await run(rig, step);
        holds(rig);
      }
      await rig.addWorker('last', 50, ['mail'], null, true);
      const left = async () => (await rig.jobs.overview()).tasks;
      for (let i = 0; i < 3000 && Object.values(await left()).some((count) => count > 0); i++) {
        rig.clock.advance(61_000);
        await rig.check();
        await finish(rig, rig.open.size);
        holds(rig);
      }
      expect(await left()).toEqual({ ready: 0, scheduled: 0, running: 0, retrying: 0 });
      const { items } = await rig.jobs.list({ page: 0, size: 500, sort: 'createdAt,desc' });
      for (const { status, killedAt } of items) expect(status).toBe(killedAt === null ? 'COMPLETED' : 'FAILED');
      await rig.close();
    }),
    { numRuns: 8, seed: 7 },
  );
});

it('no job waits longer than the turns of the others take', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 8 }),
      fc.integer({ min: 1, max: 20 }),
      async (sizes, capacity) => {
        const rig = await openPoolRig();
        const ids: string[] = [];
        for (const size of sizes)
          ids.push(
            (
              await rig.jobs.submit(
                submission(
                  flows.steps,
                  Array.from({ length: size }, () => ({})),
                ),
              )
            ).jobId,
          );
        await rig.settled();
        await rig.addWorker('w', capacity);
        while (rig.open.size > 0) await finish(rig, rig.open.size);
        for (const id of ids) {
          const at = rig.leases.flatMap(({ jobId }, i) => (jobId === id ? [i] : []));
          const gaps = at.map((place, i) => place - (at[i - 1] ?? -1) - 1);
          // What is under way of the job itself may have no task waiting for as long as its capacity's worth takes.
          expect(Math.max(...gaps)).toBeLessThanOrEqual((ids.length - 1) * TURN_TASKS + capacity);
        }
        await rig.close();
      },
    ),
    { numRuns: 8, seed: 7 },
  );
});
