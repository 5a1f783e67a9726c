import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { done, items, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig();
  worker = await rig.worker({ capacity: 50 });
});
afterEach(() => rig.close());

const waiting = (config: Record<string, unknown>, node: object = {}) =>
  workflow({ hold: { type: 'wait', config, ...node }, after: {} }, ['input>hold', 'hold>after', 'after>output']);
const by = { name: 'ann' };
const first = async (jobId: string) => (await rig.tasks(jobId))[0] as NonNullable<Awaited<ReturnType<Rig['tasks']>>[0]>;
const reasonOf = async (jobId: string) => (await rig.jobs.why((await first(jobId)).id)).reason;

/** Starts a job and has a worker fill in the texts of its wait. */
async function begin(
  config: Record<string, unknown>,
  { node = {}, inputs = [{ n: 1 }] as object[], filled = {} as object } = {},
): Promise<string> {
  const jobId = await rig.submit(waiting(config, node), inputs);
  for (const _ of inputs) worker.report(done(await worker.lease(), filled));
  await expect.poll(() => rig.jobs.waits.list({ page: 0, size: 1, jobId }, null).totalItems).toBe(inputs.length);
  return jobId;
}
async function restart(): Promise<void> {
  const file = rig.crash();
  await rig.close();
  rig = await openRig({ file, clock: rig.clock });
  worker = await rig.worker({ capacity: 50 });
}
async function later(ms: number): Promise<void> {
  rig.clock.advance(ms);
  worker.beat();
  await rig.check();
}
const signal = (jobId: string, payload = 'null', key: string | null = null, replica: number | null = null) =>
  rig.jobs.waits.signal({ jobId, name: 'go', replica, payload, key }, by);
const approvals = () =>
  rig.store.read
    .query<{ id: string; status: string; decided_by: string | null; subject: string }>(
      'SELECT * FROM approval ORDER BY id',
    )
    .all();
const decide = (decision: 'approve' | 'reject', form: string | null = null) =>
  rig.jobs.waits.decide(approvals().at(-1)?.id ?? '', { decision, comment: 'fine', form }, by);

describe('a task that waits', () => {
  it('is RUNNING without a worker, and holds none of its slots', async () => {
    const jobId = await begin({ for: 'time', seconds: 60 });
    expect(await first(jobId)).toMatchObject({ state: 'RUNNING', workerId: null, nodeType: 'wait' });
    expect((await rig.workers.get(worker.id)).currentTasks).toBe(0);
    expect(await rig.jobs.why((await first(jobId)).id)).toMatchObject({
      reason: 'WAITING_TIME',
      runTimeoutAt: null,
      wait: { for: 'time', name: null, dueAt: expect.any(String), approvalId: null },
    });
  });

  it('is ended by a kill of its job, once and for all', async () => {
    const jobId = await begin({ for: 'approval' });
    expect(await rig.jobs.kill(jobId, 'ann')).toMatchObject({ killedTasks: 1, status: 'FAILED' });
    expect(rig.jobs.waits.count()).toBe(0);
    expect(approvals()).toMatchObject([{ status: 'withdrawn' }]);
    await expect(decide('approve')).rejects.toMatchObject({ code: 'ALREADY_DECIDED' });
    await expect(signal(jobId)).rejects.toMatchObject({ code: 'JOB_FINISHED' });
  });

  it('does not run out of the run timeout of other tasks', async () => {
    const jobId = await begin({ for: 'signal', name: 'go' });
    await later(200 * 86_400_000);
    expect(await reasonOf(jobId)).toBe('WAITING_SIGNAL');
  });

  it('waits anew where it is retried by hand', async () => {
    const jobId = await begin({ for: 'approval', timeoutSeconds: 5 });
    await later(6000);
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'TIMEOUT', failure: { taskCode: 'RUN_TIMEOUT' } });
    expect(approvals()).toMatchObject([{ status: 'expired' }]);
    await rig.jobs.retry(jobId);
    worker.report(done(await worker.lease(), {}));
    await expect.poll(() => approvals().map(({ status }) => status)).toEqual(['expired', 'open']);
    await decide('approve');
    worker.report(done(await worker.lease(), 'end'));
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED' });
  });

  it('works in a forEach, item by item', async () => {
    const each = {
      type: 'forEach',
      config: { items: '$', node: { type: 'wait', config: { for: 'signal', name: 'go' } }, concurrency: 2 },
    };
    const jobId = await rig.submit(workflow({ each }, ['input>each', 'each>output']), [{}]);
    const { id, attempt } = await worker.lease();
    worker.report(items({ id, attempt }, [1, 2, 3]));
    for (const count of [1, 2]) {
      worker.report(done(await worker.lease(), {}));
      await expect.poll(() => rig.jobs.waits.count()).toBe(count);
    }
    await signal(jobId, '"a"');
    worker.report(done(await worker.lease(), {}));
    await expect.poll(() => rig.jobs.waits.count()).toBe(2);
    await signal(jobId, '"b"');
    await signal(jobId, '"c"');
    const { outputText } = await rig.jobs.wait(jobId, 60);
    expect(
      JSON.parse(outputText ?? '')[0]
        .map((one: { signal: { payload: string } }) => one.signal.payload)
        .sort(),
    ).toEqual(['a', 'b', 'c']);
  });
});

describe('a wait for a time', () => {
  it('ends then, and hands its input on', async () => {
    const jobId = await begin({ for: 'time', seconds: 60 });
    await later(59_000);
    expect(await reasonOf(jobId)).toBe('WAITING_TIME');
    await later(2000);
    expect((await worker.lease()).input).toEqual({ n: 1 });
  });

  it('survives the master for a year', async () => {
    const jobId = await begin({ for: 'time', seconds: 365 * 86_400 });
    for (let month = 0; month < 12; month++) {
      rig.clock.advance(30 * 86_400_000);
      await restart();
      await rig.check();
    }
    expect(await reasonOf(jobId)).toBe('WAITING_TIME');
    await later(6 * 86_400_000);
    expect((await worker.lease()).node).toBe('after');
  });

  it('ends at once where the time has passed', async () => {
    await rig.submit(waiting({ for: 'time', until: '{{ at }}' }), [{ at: 'x' }]);
    worker.report(done(await worker.lease(), { until: '2001-01-01T00:00:00Z' }));
    expect((await worker.lease()).input).toEqual({ at: 'x' });
  });

  it.each([
    ['tomorrow', 'expected a time'],
    ['', 'expected a time'],
    ['2400-01-01', 'waitDays'],
  ])('fails for good where it is %j', async (until, message) => {
    const jobId = await rig.submit(waiting({ for: 'time', until: '{{ at }}' }));
    worker.report(done(await worker.lease(), { until }));
    expect((await rig.jobs.wait(jobId, 60)).failure).toMatchObject({
      taskCode: 'NON_RETRYABLE',
      taskMessage: expect.stringContaining(message),
    });
  });
});

describe('a wait for a signal', () => {
  it('goes on with what the signal carries', async () => {
    const jobId = await begin({ for: 'signal', name: 'go' });
    expect(await signal(jobId, '{"sum":12345678901234567890}')).toEqual({ delivered: true, repeated: false });
    const lease = await worker.lease();
    expect(lease.input).toMatchObject({ input: { n: 1 }, signal: { name: 'go', sentBy: 'ann' }, timedOut: false });
    expect(await rig.jobs.payload({ task: lease.id, of: 'input' })).toContain('12345678901234567890');
  });

  it('finds one that came before it, once, in the order of their coming', async () => {
    await rig.close();
    rig = await openRig();
    const jobId = await rig.submit(waiting({ for: 'signal', name: 'go' }), [{ n: 1 }, { n: 2 }]);
    expect(await signal(jobId, '"first"')).toEqual({ delivered: false, repeated: false });
    await signal(jobId, '"second"');
    await restart();
    const payloads: unknown[] = [];
    for (let i = 0; i < 2; i++) worker.report(done(await worker.lease(), {}));
    for (let i = 0; i < 2; i++) payloads.push((await worker.lease()).input);
    expect(payloads).toMatchObject([{ signal: { payload: 'first' } }, { signal: { payload: 'second' } }]);
  });

  it('is kept no more often than the limit says', async () => {
    await rig.close();
    rig = await openRig({ limits: { signalsPerJob: 2 } });
    worker = await rig.worker({ capacity: 5 });
    const jobId = await rig.submit(waiting({ for: 'signal', name: 'go' }));
    await signal(jobId);
    await signal(jobId);
    await expect(signal(jobId)).rejects.toMatchObject({ code: 'TOO_MANY_SIGNALS' });
  });

  it('takes a signal that is repeated with its key as one', async () => {
    const jobId = await begin({ for: 'signal', name: 'go' }, { inputs: [{}, {}] });
    expect(await signal(jobId, '1', 'k')).toEqual({ delivered: true, repeated: false });
    expect(await signal(jobId, '1', 'k')).toEqual({ delivered: true, repeated: true });
    expect(rig.jobs.waits.count()).toBe(1);
  });

  it('of one replica gets its own alone', async () => {
    const jobId = await begin({ for: 'signal', name: 'go' }, { inputs: [{ n: 1 }, { n: 2 }] });
    await signal(jobId, 'null', null, 1);
    expect((await worker.lease()).input).toMatchObject({ input: { n: 2 } });
    await expect(signal(jobId, 'null', null, 2)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('goes on without one where its deadline says so', async () => {
    await begin({ for: 'signal', name: 'go', timeoutSeconds: 10, onTimeout: 'continue' });
    await later(11_000);
    expect((await worker.lease()).input).toEqual({ input: { n: 1 }, signal: null, timedOut: true });
  });

  it('has the run timeout of its node as its deadline', async () => {
    const jobId = await begin({ for: 'signal' }, { node: { runTimeoutSeconds: 10 } });
    await later(11_000);
    expect(await first(jobId)).toMatchObject({
      state: 'RUN_TIMEOUT',
      error: { message: expect.stringContaining('hold') },
    });
  });
});

describe('a wait for an approval', () => {
  it('asks by the name of its node where it has no question of its own', async () => {
    for (const node of [{ name: 'Ask the manager' }, {}]) await begin({ for: 'approval' }, { node });
    expect(approvals().map(({ subject }) => JSON.parse(subject).title)).toEqual([
      'Continue after “Ask the manager”?',
      'Continue after “hold”?',
    ]);
  });

  it('asks for it, and goes on once it is approved', async () => {
    const jobId = await begin({ for: 'approval', title: 'Pay?' }, { filled: { title: 'Pay 12 EUR?' } });
    expect(approvals()).toMatchObject([{ status: 'open' }]);
    expect(JSON.parse(approvals()[0]?.subject ?? '')).toMatchObject({ jobId, title: 'Pay 12 EUR?', node: 'hold' });
    expect(await decide('approve', '{"sum":1}')).toBe('approved');
    expect((await worker.lease()).input).toMatchObject({
      input: { n: 1 },
      approval: { decision: 'approve', form: { sum: 1 }, comment: 'fine', decidedBy: 'ann' },
      timedOut: false,
    });
    await expect(decide('reject')).rejects.toMatchObject({ code: 'ALREADY_DECIDED', extra: { decision: 'approved' } });
  });

  it('is decided once, however many decide at the same moment', async () => {
    await begin({ for: 'approval' });
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => decide(i % 2 ? 'approve' : 'reject')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('fails with a rejection for good, or goes on where its node says so', async () => {
    const jobId = await begin({ for: 'approval' });
    await decide('reject');
    expect((await rig.jobs.wait(jobId, 60)).failure).toMatchObject({
      taskCode: 'APPROVAL_REJECTED',
      taskMessage: 'rejected by ann: fine',
    });
    await begin({ for: 'approval', onReject: 'continue' });
    await decide('reject');
    expect((await worker.lease()).input).toMatchObject({ approval: { decision: 'reject' } });
  });

  it.each(['approve', 'reject'] as const)('is decided by its deadline: %s', async (onTimeout) => {
    await begin({ for: 'approval', timeoutSeconds: 10, onTimeout, onReject: 'continue' });
    await later(11_000);
    expect((await worker.lease()).input).toMatchObject({
      approval: { decision: onTimeout, decidedBy: 'deadline' },
      timedOut: true,
    });
    expect(approvals()).toMatchObject([{ decided_by: 'deadline' }]);
  });

  it('is open after a restart as before it', async () => {
    const jobId = await begin({ for: 'approval' });
    await restart();
    expect(await reasonOf(jobId)).toBe('WAITING_APPROVAL');
    await decide('approve');
    expect((await worker.lease()).node).toBe('after');
  });
});

describe('links', () => {
  it('open what they were made for, until their time is over', async () => {
    const { links } = rig.jobs.waits;
    const purpose = { kind: 'approval', approvalId: 'a' } as const;
    const { path } = await links.make(purpose, 'ann@example.com', rig.clock.now() + 60_000);
    const token = path.replace('/respond/', '');
    expect(await links.open(token)).toMatchObject({ purpose, for: 'ann@example.com' });
    for (const other of [`${token}A`, token.slice(1), 'x.y', '', token.replace('.', '..')])
      await expect(links.open(other)).rejects.toMatchObject({ code: 'LINK_INVALID' });
    rig.clock.advance(60_000);
    await expect(links.open(token)).rejects.toMatchObject({ code: 'LINK_INVALID' });
  });
});

it('ends many waits that are due at once in slices', async () => {
  const inputs = Array.from({ length: 300 }, (_, n) => ({ n }));
  const jobId = await rig.submit(
    workflow({ hold: { type: 'wait', config: { for: 'time', seconds: 5 } } }, ['input>hold', 'hold>output']),
    inputs,
  );
  for (let i = 0; i < inputs.length; i++) worker.report(done(await worker.lease(), {}));
  await expect.poll(() => rig.jobs.waits.count()).toBe(300);
  await later(6000);
  expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED' });
  expect(rig.jobs.waits.count()).toBe(0);
});
