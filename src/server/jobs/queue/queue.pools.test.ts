import { afterEach, describe, expect, it } from 'vitest';
import type { Environment } from '../../../contract/vocabulary.ts';
import { submission, workflow } from '../../testing/engine.fixture.ts';
import { openPoolRig, type PoolRig } from '../../testing/worker-pool.fixture.ts';

/** Workers whose token serves some environments alone. */
let rig: PoolRig;
afterEach(() => rig.close());

const one = (node = {}) => workflow({ a: node }, ['input>a', 'a>output']);
const submit = async (environment: Environment | null, count = 1, runnable = one()) =>
  (
    await rig.jobs.submit(
      submission(
        runnable,
        Array.from({ length: count }, () => ({})),
        { environment },
      ),
    )
  ).jobId;
const jobsOf = (workerId: string) =>
  new Set(rig.leases.filter((lease) => lease.workerId === workerId).map(({ jobId }) => jobId));
async function drain(): Promise<void> {
  while (rig.open.size > 0) await rig.finish([...rig.open.values()]);
}

describe('a worker of one environment', () => {
  it('gets its tasks alone, found behind any number of others', async () => {
    rig = await openPoolRig();
    const prod = await submit('prod', 5000);
    const dev = await submit('dev', 300);
    await rig.addWorker('dev', 4, [], ['dev']);
    await drain();
    expect(rig.leases).toHaveLength(300);
    expect(jobsOf('dev')).toEqual(new Set([dev]));
    const late = await submit('dev');
    expect(rig.leases.at(-1)).toMatchObject({ jobId: late, workerId: 'dev' });
    await drain();
    await rig.addWorker('both', 100, [], ['staging', 'prod']);
    await drain();
    expect(rig.leases).toHaveLength(5301);
    expect(jobsOf('both')).toEqual(new Set([prod]));
  });

  it('gets none while the queue is empty either', async () => {
    rig = await openPoolRig();
    await rig.addWorker('dev', 4, [], ['dev']);
    await submit('prod');
    await submit('staging');
    await rig.settled();
    expect(rig.leases).toHaveLength(0);
  });

  it('gets no drafts: only a worker of all environments does', async () => {
    rig = await openPoolRig();
    await rig.addWorker('all named', 4, [], ['dev', 'staging', 'prod']);
    const draft = await submit(null);
    await rig.settled();
    expect(rig.leases).toHaveLength(0);
    await rig.addWorker('unbound', 4);
    expect(jobsOf('unbound')).toEqual(new Set([draft]));
  });

  it('takes no task for its handler alone', async () => {
    rig = await openPoolRig();
    const mail = one({ type: 'handler', config: { handler: 'mail' } });
    await submit('prod', 3, mail);
    await rig.addWorker('dev', 4, ['mail'], ['dev']);
    await rig.addWorker('prod', 4, [], ['prod']);
    expect(rig.leases).toHaveLength(0);
    await rig.addWorker('mailer', 4, ['mail'], ['prod']);
    expect(rig.leases.map(({ workerId }) => workerId)).toEqual(['mailer', 'mailer', 'mailer']);
  });

  it('leaves a retry to the workers of its environment', async () => {
    rig = await openPoolRig();
    await rig.addWorker('prod', 1, [], ['prod']);
    await submit('prod');
    const [held] = rig.leases;
    if (!held) throw new Error('no lease');
    Object.assign(rig.poolWorkers.get('prod') ?? {}, { accepting: false });
    await rig.fail(held);
    await rig.addWorker('dev', 4, [], ['dev']);
    rig.clock.advance(5000);
    await rig.check();
    await rig.settled();
    // It waits in its back-off: in the queue, its schedule timeout would run.
    expect(await rig.jobs.why(held.id)).toMatchObject({ state: 'FAILED', reason: 'BACK_OFF' });
    expect(rig.leases).toHaveLength(1);
    Object.assign(rig.poolWorkers.get('prod') ?? {}, { accepting: true });
    await rig.check();
    await rig.settled();
    expect(rig.leases.map(({ workerId }) => workerId)).toEqual(['prod', 'prod']);
  });
});

describe('a worker that comes back with a token of other environments', () => {
  it('keeps nothing that it may no longer run', async () => {
    rig = await openPoolRig();
    await rig.addWorker('w', 4);
    const [prod, dev] = [await submit('prod'), await submit('dev')];
    await rig.addWorker('w', 4, [], ['dev']);
    await rig.settled();
    const [lost] = (await rig.jobs.tasks(prod, { page: 0, size: 1 })).items;
    expect(lost).toMatchObject({
      error: {
        code: 'WORKER_LOST',
        message: 'worker w reconnected with a token that does not serve the environment of the task',
      },
    });
    expect((await rig.jobs.tasks(dev, { page: 0, size: 1 })).items[0]).toMatchObject({ state: 'SCHEDULED' });
  });

  it('cannot claim tasks that nobody has', async () => {
    rig = await openPoolRig();
    const prod = await submit('prod');
    const [task] = (await rig.jobs.tasks(prod, { page: 0, size: 1 })).items;
    await rig.addWorker('w', 4, [], ['dev']);
    await rig.events.joined('w', [{ id: task?.id ?? '', attempt: 1 }]);
    await rig.settled();
    expect((await rig.jobs.tasks(prod, { page: 0, size: 1 })).items[0]).toMatchObject({
      state: 'READY',
      workerId: null,
    });
  });
});
