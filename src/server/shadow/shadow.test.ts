import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../contract/definition.ts';
import type { ShadowReplay } from '../../contract/shadow-replays.ts';
import type { Lease } from '../../contract/worker-protocol.ts';
import { type FakeWorker } from '../testing/worker.fake.ts';
import { knownCommit, openRig, workflow, type Rig } from '../testing/engine.fixture.ts';
import type { Actor, Runnable } from '../workflows/port.ts';
import type { Shadow } from './port.ts';
import { reportsOf, tell } from './shadow.fixture.ts';
import { createShadow } from './shadow.ts';

const ann: Actor = { name: 'ann', role: 'operator', address: null };
const NO_SECRETS = {
  lease: () => ({}),
  refusal: () => null,
  recordUses() {},
  redactor: { text: (text: string) => text, json: (text: string) => text, value: <T>(value: T) => value },
};

let rig: Rig;
let worker: FakeWorker;
let shadow: Shadow;
let published: string | null;
let refused: string | null;
/** A lease that was waited for and has not come. */
let asked: Promise<Lease> | null;

beforeEach(async () => {
  rig = await openRig({ limits: { shadowInputSeconds: 20 } });
  worker = await rig.worker({ capacity: 8, handlers: ['charge'] });
  published = null;
  refused = null;
  asked = null;
  shadow = open();
});
afterEach(async () => {
  await shadow.close();
  await rig.close();
});

function open(
  limits = rig.limits,
  { store = rig.store, jobs = rig.jobs }: Partial<Pick<Rig, 'store' | 'jobs'>> = {},
): Shadow {
  return createShadow({
    store,
    limits,
    jobs,
    secrets: NO_SECRETS,
    refusal: async () => refused,
    record: () => {},
    now: () => rig.clock.now(),
    onError: (error) => rig.errors.push(error),
    workflows: {
      runnable: (_id: string, commit: string) => knownCommit(commit),
      get: async () => ({}) as never,
      environments: async () => [
        { environment: 'prod', hash: published, description: null, publishedAt: null, publishedBy: null },
      ],
    },
  });
}

/** Runs a job to its end. */
async function run(
  runnable: Runnable,
  input: unknown,
  answers: Record<string, unknown> = {},
  fails: string | null = null,
): Promise<string> {
  const jobId = await rig.submit(runnable, [input], { environment: 'prod' });
  const ended = rig.jobs.wait(jobId, 60);
  for (;;) {
    const lease = await Promise.race([(asked ??= worker.lease()), ended.then(() => null)]);
    if (lease === null) break;
    asked = null;
    worker.report(...reportsOf(runnable, lease, answers, fails));
  }
  await ended;
  return jobId;
}

async function replay(candidate: Runnable, more: { count?: number; from?: Shadow } = {}): Promise<ShadowReplay> {
  const room = more.from ?? shadow;
  const { id } = await room.start(
    'flow',
    { commit: candidate.commit, environment: 'prod', count: more.count ?? 50 },
    ann,
  );
  await expect.poll(() => room.get(id).status).not.toBe('RUNNING');
  return room.get(id);
}
const results = ({ id }: ShadowReplay) => shadow.results(id, { page: 0, size: 100 }).items;

const line = () =>
  workflow(
    { a: tell('a'), call: { type: 'http', config: { method: 'GET', url: 'http://example.test' } }, b: tell('b') },
    ['input>a', 'a>call', 'call>b', 'b>output'],
  );

describe('a shadow replay', () => {
  it('finds a candidate that answers otherwise, and where, without a call or a job', async () => {
    const now = line();
    for (let n = 0; n < 3; n++) await run(now, { n }, { call: { status: 200, body: { n } } });
    const candidate = workflow(
      {
        a: tell('a'),
        call: { type: 'http', config: { method: 'GET', url: 'http://example.test' } },
        b: { config: { expression: '{"at": "b", "got": got, "total": body.n}' } },
      },
      ['input>a', 'a>call', 'call>b', 'b>output'],
    );
    const before = (await rig.jobs.list({ page: 0, size: 10, sort: 'createdAt,desc' })).totalItems;
    const measured = rig.measured.length;
    const found = await replay(candidate);
    expect(found).toMatchObject({
      status: 'DONE',
      total: 3,
      done: 3,
      summary: { same: 0, different: 3, failing: 0, mended: 0, unknown: 0 },
    });
    expect(found.paths).toEqual([
      { path: '/got', inputs: 3 },
      { path: '/total', inputs: 3 },
    ]);
    const [newest] = results(found);
    expect(newest).toMatchObject({
      verdict: 'different',
      assumptions: [],
      differences: [
        { path: '/got', kind: 'removed', before: '{"status":200,"body":{"n":2}}' },
        { path: '/total', kind: 'added', after: '2' },
      ],
    });
    expect(JSON.parse(shadow.resultText(found.id, 0))).toMatchObject({
      input: { n: 2 },
      before: { at: 'b' },
      after: { total: 2 },
    });
    expect((await rig.jobs.list({ page: 0, size: 10, sort: 'createdAt,desc' })).totalItems).toBe(before);
    expect(rig.measured.length).toBe(measured);
    expect(worker.untaken).toBe(0);
  });

  it('says what fails now, what is mended, and what failed alike', async () => {
    const now = line();
    await run(now, { n: 1 }, { call: { status: 200 } });
    await run(now, { n: 2 }, {}, 'call');
    await run(now, { n: 3 }, { call: { status: 200 } }, 'b');
    const found = results(
      await replay(
        workflow(
          {
            a: tell('a'),
            call: { type: 'http', config: { method: 'GET', url: 'http://example.test' } },
            b: { config: { expression: 'status = 200 ? $error("no") : 1' } },
          },
          ['input>a', 'a>call', 'call>b', 'b>output'],
        ),
      ),
    );
    expect(found.map(({ verdict }) => verdict)).toEqual(['different', 'same', 'failing']);
    expect(found[2]).toMatchObject({ errorBefore: null, errorAfter: { node: 'b', code: 'TASK_ERROR' } });
    expect(results(await replay(line())).map(({ verdict }) => verdict)).toEqual(['mended', 'same', 'same']);
  });

  it('runs no node that reaches outside without a recorded answer, and says where an answer may not fit', async () => {
    await run(line(), { n: 1 }, { call: { status: 200 } });
    const added = workflow(
      {
        a: tell('a'),
        call: { type: 'http', config: { method: 'GET', url: 'http://example.test' } },
        more: { type: 'handler', config: { handler: 'charge' } },
      },
      ['input>a', 'a>call', 'call>more', 'more>output'],
    );
    expect(results(await replay(added))[0]).toMatchObject({
      verdict: 'unknown',
      reason: { code: 'NOT_RECORDED', message: expect.stringContaining('more (handler)') },
    });
    const moved = workflow(
      {
        a: { config: { expression: '{"at": "a", "got": 7}' } },
        call: { type: 'http', config: { method: 'GET', url: 'http://example.test' } },
        b: tell('b'),
      },
      ['input>a', 'a>call', 'call>b', 'b>output'],
    );
    expect(results(await replay(moved))[0]).toMatchObject({
      verdict: 'same',
      assumptions: [{ node: 'call', message: expect.stringContaining('differs from the recorded input') }],
    });
    const changed = workflow(
      { a: tell('a'), call: { type: 'http', config: { method: 'POST', url: 'http://example.test' } }, b: tell('b') },
      ['input>a', 'a>call', 'call>b', 'b>output'],
    );
    expect(results(await replay(changed))[0]).toMatchObject({
      verdict: 'same',
      assumptions: [{ node: 'call', message: expect.stringContaining('configuration') }],
    });
  });

  it('leaves out what is ignored, also in replays that ran before', async () => {
    await run(line(), { n: 1 }, { call: { status: 200 } });
    const found = await replay(
      workflow(
        {
          a: tell('a'),
          call: { type: 'http', config: { method: 'GET', url: 'http://example.test' } },
          b: { config: { expression: '{"at": $millis(), "got": $}' } },
        },
        ['input>a', 'a>call', 'call>b', 'b>output'],
      ),
    );
    expect(found.summary).toMatchObject({ different: 1 });
    await shadow.ignore('flow', { paths: ['/at'] }, ann);
    expect(shadow.get(found.id)).toMatchObject({ summary: { same: 1, different: 0 }, paths: [] });
    expect(results(found)[0]).toMatchObject({
      verdict: 'same',
      ignored: true,
      differences: [{ path: '/at', ignored: true }],
    });
    expect(await shadow.ignores('flow')).toEqual({ paths: ['/at'] });
  });

  it('tells of an input that the candidate would refuse, and of an answer of another form', async () => {
    const now = line();
    published = now.commit;
    await run(now, { n: 1 }, { call: { status: 200 } });
    refused = 'the input does not match the schema: /n must be a string';
    const found = await replay(workflow({ a: tell('a') }, ['input>a', 'a>output'], { response: 'first' }));
    expect(found.warnings).toEqual([expect.stringContaining('"list" to "first"')]);
    expect(results(found)[0]).toMatchObject({
      verdict: 'failing',
      errorAfter: { node: 'input', code: 'INPUT_INVALID', message: refused },
    });
  });

  it('ends what takes too long, and goes on with the next', async () => {
    const now = line();
    await run(now, { n: 1 }, { call: { status: 200 } });
    await run(now, { slow: true }, { call: { status: 200 } });
    const quick = open({ ...rig.limits, shadowInputSeconds: 5 });
    const slow = workflow(
      {
        a: { type: 'code', config: { source: 'if (input.slow) while (true); return 1', timeoutSeconds: 60 } },
        call: { type: 'http', config: { method: 'GET', url: 'http://example.test' } },
        b: tell('b'),
      },
      ['input>a', 'a>call', 'call>b', 'b>output'],
    );
    expect(results(await replay(slow, { from: quick })).map(({ verdict, reason }) => [verdict, reason?.code])).toEqual([
      ['unknown', 'TRIAL_TIMEOUT'],
      ['same', undefined],
    ]);
    await quick.close();
  });

  it('goes on after a restart of the master, and ends where it is aborted', async () => {
    const now = line();
    for (let n = 0; n < 4; n++) await run(now, { n }, { call: { status: 200 } });
    const { id } = await shadow.start('flow', { commit: now.commit, environment: 'prod' }, ann);
    await shadow.close();
    expect(shadow.get(id).status).toBe('RUNNING');
    shadow = open();
    await expect.poll(() => shadow.get(id).status).toBe('DONE');
    expect(shadow.get(id)).toMatchObject({ done: 4, summary: { same: 4 } });
    const second = await shadow.start('flow', { commit: now.commit, environment: 'prod' }, ann);
    expect((await shadow.abort(second.id, ann)).status).toBe('ABORTED');
    expect((await shadow.abort(second.id, ann)).status).toBe('ABORTED');
    await expect(
      shadow.start('flow', { commit: now.commit, environment: 'prod', count: 501 }, ann),
    ).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(() => shadow.get('none')).toThrow('backtest none not found');
  });

  it('runs nothing of what is aborted as soon as it is written', async () => {
    const now = line();
    await run(now, { n: 1 }, { call: { status: 200 } });
    const asked: string[] = [];
    let written: (() => Promise<unknown>) | null = async () => {
      written = null;
      const [made] = (await early.list('flow', { page: 0, size: 1 })).items;
      return early.abort(made?.id ?? '', ann);
    };
    const store = Object.create(rig.store, {
      write: {
        value: async (command: Parameters<Rig['store']['write']>[0]) => {
          const result = await rig.store.write(command);
          await written?.();
          return result;
        },
      },
    }) as Rig['store'];
    const jobs: Rig['jobs'] = {
      ...rig.jobs,
      inputText: async (id, which) => (asked.push(id), rig.jobs.inputText(id, which)),
    };
    const early = open(rig.limits, { store, jobs });
    expect((await early.start('flow', { commit: now.commit, environment: 'prod' }, ann)).status).toBe('ABORTED');
    await early.close();
    expect(asked).toEqual([]);
  });

  it('lets no node run longer than it may', async () => {
    const now = line();
    await run(now, { n: 1 }, { call: { status: 200 } });
    const endless: Partial<WorkflowNode> = {
      type: 'code',
      config: { source: 'while (true);', timeoutSeconds: 60 },
      runTimeoutSeconds: 1,
    };
    const call = { type: 'http', config: { method: 'GET', url: 'http://example.test' } };
    const [one] = results(
      await replay(workflow({ a: endless, call, b: tell('b') }, ['input>a', 'a>call', 'call>b', 'b>output'])),
    );
    expect(one).toMatchObject({
      verdict: 'failing',
      errorAfter: { node: 'a', code: 'RUN_TIMEOUT', message: 'the attempt exceeded its run timeout of 1 s' },
    });
    // The other nodes have the time that the master gives.
    const hurried = open({ ...rig.limits, runTimeoutSeconds: 1 });
    const { runTimeoutSeconds: _, ...slow } = endless;
    const found = await replay(workflow({ a: slow, call, b: tell('b') }, ['input>a', 'a>call', 'call>b', 'b>output']), {
      from: hurried,
    });
    expect(results(found)[0]).toMatchObject({ errorAfter: { node: 'a', code: 'RUN_TIMEOUT' } });
    await hurried.close();
  });

  it('runs no more at once than the limit lets, however many are started together', async () => {
    const now = line();
    await run(now, { n: 1 }, { call: { status: 200 } });
    const started = await Promise.allSettled(
      Array.from({ length: 6 }, () => shadow.start('flow', { commit: now.commit, environment: 'prod' }, ann)),
    );
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(rig.limits.shadowReplays);
    expect(started.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'OVERLOADED' } });
    await shadow.close();
    shadow = open({ ...rig.limits, shadowReplays: rig.limits.shadowReplays + 1 });
    expect((await shadow.start('flow', { commit: now.commit, environment: 'prod' }, ann)).status).toBe('RUNNING');
  });

  it('keeps the newest of a workflow', async () => {
    const now = line();
    const few = open({ ...rig.limits, shadowReplaysKept: 2 });
    for (let i = 0; i < 4; i++) {
      rig.clock.advance(1000);
      await few.start('flow', { commit: now.commit, environment: 'prod' }, ann);
    }
    expect((await few.list('flow', { page: 0, size: 10 })).totalItems).toBe(2);
    await few.close();
  });
});

it('gives for the very commit that ran what the engine gave, for graphs of any form', async () => {
  const type = fc.constantFrom('transform', 'transform', 'condition', 'http', 'delay', 'forEach', 'eachHttp');
  const graph = fc.array(
    fc.record({
      type,
      before: fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }),
      port: fc.boolean(),
      value: fc.boolean(),
    }),
    { minLength: 1, maxLength: 7 },
  );
  await fc.assert(
    fc.asyncProperty(graph, async (parts) => {
      const nodes: Record<string, Partial<WorkflowNode>> = {};
      const edges: string[] = [];
      const answers: Record<string, unknown> = {};
      const names = ['input'];
      for (const { type: kind, before, port, value } of parts) {
        const id = `n${names.length}`;
        answers[id] = { from: id };
        const config: Record<string, unknown> =
          kind === 'condition'
            ? { expression: String(port) }
            : kind === 'http'
              ? { method: 'GET', url: 'http://example.test' }
              : kind === 'delay'
                ? { seconds: 3600 }
                : kind === 'forEach'
                  ? { items: '[1,2,3]', node: { type: 'transform', config: { expression: '{"got": $}' } } }
                  : kind === 'eachHttp'
                    ? {
                        items: '[1,2,3]',
                        node: { type: 'http', config: { method: 'GET', url: 'http://example.test' } },
                      }
                    : { expression: `{"at": "${id}", "got": $}` };
        if (kind === 'forEach') delete answers[id];
        nodes[id] = {
          type: kind === 'eachHttp' ? 'forEach' : kind,
          config,
          ...(value ? { join: 'value' as const } : {}),
        };
        for (const from of new Set(before.map((i) => names[i % names.length] as string)))
          edges.push(`${from}>${id}${nodes[from]?.type === 'condition' ? `:${before.length % 2 === 0}` : ''}`);
        names.push(id);
      }
      edges.push(
        ...names
          .slice(-2)
          .filter((id) => id !== 'input')
          .map((from) => `${from}>output${nodes[from]?.type === 'condition' ? ':true' : ''}`),
      );
      const made = workflow(nodes, edges);
      const jobId = await run(made, { n: 1 }, answers);
      const found = await replay(made, { count: 1 });
      expect(results(found), JSON.stringify({ nodes, edges })).toMatchObject([
        { jobId, verdict: 'same', assumptions: [] },
      ]);
    }),
    { numRuns: 15 },
  );
}, 120_000);
