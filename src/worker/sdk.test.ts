import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createWorker, NonRetryableError, RetryableError } from './sdk.ts';
import type { HandlerContext, Handlers, Worker } from './sdk/api.ts';
import { loadHandlers } from './sdk/load.ts';
import { startFakeMaster, type FakeMaster } from './master.fake.ts';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';

const open: { close(seconds: number): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close(0);
});

async function join1(
  handlers: Handlers,
  options: Parameters<typeof startFakeMaster>[0] = {},
): Promise<{ master: FakeMaster; worker: Worker }> {
  const master = await startFakeMaster(options);
  open.push(master);
  const worker = createWorker({
    master: master.url,
    token: 't',
    handlers,
    labels: { zone: 'b' },
    capacity: 3,
    signals: false,
    say() {},
  });
  open.push(worker);
  await worker.ready;
  return { master, worker };
}
const calls = (handler: string, more = {}) => ({ id: 'a', type: 'handler', config: { handler }, ...more });
const nothing = () => Promise.withResolvers<never>().promise;

it('names its handlers, labels and capacity when it joins', async () => {
  const { master, worker } = await join1({ charge: () => 1, ship: () => 2 });
  expect(master.hellos[0]).toMatchObject({
    protocol: 1,
    handlers: ['charge', 'ship'],
    labels: { zone: 'b' },
    capacity: 3,
  });
  expect(await worker.start()).toEqual({ workerId: 'w-1' });
});

describe('a handler', () => {
  it('gets its input and all that names the attempt; what it returns is the output', async () => {
    let seen: HandlerContext | undefined;
    const { master } = await join1({
      async add(input: { a: number }, ctx) {
        seen = ctx;
        return { sum: input.a + 1 };
      },
    });
    master.lease([calls('add')], { a: 1 }, { attempt: 2, item: 4 });
    expect(await master.end('a', 2)).toMatchObject({ e: 'done', output: { sum: 2 } });
    expect(seen).toMatchObject({
      taskId: 'a',
      attempt: 2,
      idempotencyKey: 'a:2',
      jobId: 'job',
      workflowId: 'flow',
      environment: 'dev',
      node: 'a',
      item: 4,
      runTimeoutSeconds: 600,
    });
  });

  it('gets the trace that its job is part of, to hand on', async () => {
    const seen: (string | null)[] = [];
    const { master } = await join1({ note: (_input: unknown, { traceparent }) => void seen.push(traceparent) });
    const id = '0190c1a2-7f00-7abc-9def-0123456789ab';
    const trace = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    master.lease([calls('note', { id })], 1, { trace });
    await master.end(id);
    master.lease([calls('note')], 1);
    await master.end('a');
    expect(seen).toEqual(['00-0af7651916cd43dd8448eb211c80319c-9def0123456789ab-01', null]);
  });

  it('may return nothing, need not be async, and passes numbers on that a double cannot hold', async () => {
    const { master } = await join1({ none() {}, same: (input: unknown) => input });
    master.lease([calls('none')], 1);
    expect(await master.end('a')).toMatchObject({ e: 'done', output: null });
    master.send({
      t: 'commit',
      commit: 'd',
      nodes: [{ id: 'b', type: 'handler', name: 'b', config: { handler: 'same' }, runTimeoutSeconds: 60 }],
    });
    const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
    master.send({
      t: 'run',
      leases: [
        {
          id: 'b',
          attempt: 1,
          jobId: 'job',
          workflowId: 'flow',
          environment: null,
          commit: 'd',
          node: 'b',
          replica: 0,
          item: null,
          input: { big: rawJSON('9007199254740993') },
          chain: [],
        },
      ],
    });
    expect(JSON.stringify(await master.end('b'))).toContain('9007199254740993');
  });

  it.each<[string, () => unknown, object]>([
    [
      'an error',
      () => {
        throw new Error('no stock');
      },
      { code: 'TASK_ERROR', message: 'no stock', retryable: true },
    ],
    [
      'a NonRetryableError',
      () => {
        throw new NonRetryableError('never');
      },
      { code: 'NON_RETRYABLE', message: 'never', retryable: false },
    ],
    [
      'one with a code of its own',
      () => {
        throw new NonRetryableError('x', { code: 'SOLD_OUT' });
      },
      { code: 'SOLD_OUT', message: 'x', retryable: false },
    ],
    [
      'a RetryableError',
      () => {
        throw new RetryableError('soon', { retryAfterSeconds: 7 });
      },
      { code: 'TASK_ERROR', message: 'soon', retryable: true, retryAfterSeconds: 7 },
    ],
    [
      'what another copy of the library throws',
      () => {
        throw Object.assign(new Error('x'), { retryable: false });
      },
      { code: 'NON_RETRYABLE', retryable: false },
    ],
    [
      'a code that only the master gives',
      () => {
        throw Object.assign(new Error('x'), { code: 'KILLED' });
      },
      { code: 'TASK_ERROR', retryable: true },
    ],
    [
      'a system error',
      () => {
        throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      },
      { code: 'ECONNREFUSED', retryable: true },
    ],
    [
      'a text',
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- a handler may throw anything.
        throw 'text';
      },
      { code: 'TASK_ERROR', message: 'text' },
    ],
    ['a rejection', () => Promise.reject(new Error('later')), { code: 'TASK_ERROR', message: 'later' }],
    [
      'a result that is no JSON',
      () => 10n,
      { code: 'TASK_ERROR', message: expect.stringMatching(/returned a value that is not valid JSON/) },
    ],
  ])('fails with %s', async (_what, run, error) => {
    const { master } = await join1({ run });
    master.lease([calls('run')], {});
    expect(await master.end('a')).toMatchObject({ e: 'fail', error });
  });

  it('that is not registered here fails with the names of those that are', async () => {
    const { master } = await join1({ charge: () => 1 });
    master.lease([calls('chagre')], {});
    expect(await master.end('a')).toMatchObject({
      e: 'fail',
      error: { code: 'TASK_ERROR', message: 'this worker has no handler "chagre"; it has charge' },
    });
  });

  it('measures and tells its progress', async () => {
    const { master } = await join1({
      async count(_input, ctx) {
        ctx.metric('orders', 3, { kind: 'counter', tags: { shop: 'b', job_id: 'forged' } });
        ctx.metric('load', 0.5);
        for (let i = 0; i <= 100; i++) ctx.progress(i / 100, `${i} of 100`);
        await master.until(() => master.frames.find(({ t }) => t === 'progress'));
        expect(() => ctx.metric('no name!', 1)).toThrow(/letters/);
        expect(() => ctx.metric('x', NaN)).toThrow(/finite/);
        ctx.progress(7);
      },
    });
    master.lease([calls('count')], {});
    expect(await master.end('a')).toMatchObject({ e: 'done' });
    const points = master.frames.flatMap((frame) => (frame.t === 'metrics' ? frame.points : []));
    expect(points).toMatchObject([
      {
        measurement: 'custom_metrics',
        tags: { shop: 'b', job_id: 'job', task_id: 'a', workflow_id: 'flow', environment: 'dev', node: 'a' },
        fields: { counter_orders: 3 },
      },
      { fields: { gauge_load: 0.5 } },
    ]);
    expect(master.frames.filter(({ t }) => t === 'progress')).toEqual([
      { t: 'progress', items: [{ id: 'a', attempt: 1, fraction: 1, message: '100 of 100' }] },
    ]);
  });
});

describe('its signal', () => {
  const stopped = async (act: (master: FakeMaster, worker: Worker) => unknown, node = {}) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const { master, worker } = await join1({
      wait(_input: unknown, { signal }) {
        signal.addEventListener('abort', () => resolve((signal.reason as { code: string }).code));
        return nothing();
      },
    });
    master.lease([calls('wait', node)], {});
    await master.until(() => master.reports[0]);
    await act(master, worker);
    return { code: await promise, master, worker };
  };

  it('aborts when the task is killed, which is not reported', async () => {
    const { code, master, worker } = await stopped((at) => at.send({ t: 'kill', ids: ['a'], reason: 'KILLED' }));
    expect(code).toBe('KILLED');
    await worker.close(5);
    expect(master.reports.map(({ e }) => e)).toEqual(['start']);
  });
  it('aborts when the lease is lost', async () => {
    expect((await stopped((at) => at.send({ t: 'lost', ids: ['a'], attempts: [1] }))).code).toBe('LEASE_LOST');
  });
  it('aborts when the run time is over, should the master not say so', async () => {
    expect((await stopped(() => {}, { runTimeoutSeconds: 0.1 })).code).toBe('RUN_TIMEOUT');
  });
  it('aborts at the end of a drain, and the worker leaves', async () => {
    const { code, master } = await stopped((_master, worker) => void worker.close(0.2));
    expect(code).toBe('DRAIN');
    await master.until(() => master.frames.find(({ t }) => t === 'bye'));
  });
});

it('drains: says so, lets what runs end, and stays', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { master, worker } = await join1({ wait: () => promise });
  master.lease([calls('wait')], {});
  await master.until(() => master.reports[0]);
  const drained = worker.drain();
  await master.until(() => master.frames.find(({ t }) => t === 'drain'));
  resolve('end');
  await drained;
  expect(await master.end('a')).toMatchObject({ output: 'end' });
  expect(master.frames.some(({ t }) => t === 'bye')).toBe(false);
});

describe('what it cannot join', () => {
  it.each<[string, object, RegExp]>([
    ['no address', { master: 'nowhere' }, /master must be an http or https URL.*"nowhere"/],
    ['no token', { token: '' }, /no token/],
    ['no function', { handlers: { charge: 5 } }, /the handler "charge" must be a function .* got 5/],
    ['no handlers', { handlers: undefined }, /handlers must be an object/],
    ['no capacity', { capacity: 0 }, /capacity must be a whole number/],
    ['no pipeline', { logstash: 'here' }, /HOST:PORT/],
    ['a master in the clear', { master: 'http://yard.example:8700' }, /not encrypted.*allowPlain: true/],
    ['a pipeline in the clear', { logstash: 'logs.example:9000' }, /log pipeline on logs\.example.*tls:/],
  ])('is told at once: %s', (_name, options, message) => {
    expect(() =>
      createWorker({ master: 'http://127.0.0.1:1', token: 't', handlers: {}, signals: false, ...options } as never),
    ).toThrow(message);
  });

  it.each<[string, Parameters<typeof startFakeMaster>[0], RegExp]>([
    [
      'a master of another version',
      { welcome: { protocol: 2 } },
      /uses worker protocol version 1, the master .* version 2/,
    ],
    [
      'a master that refuses its version',
      {
        answer: (_hello, socket) =>
          socket.send('{"t":"refuse","code":"PROTOCOL_MISMATCH","message":"speak version 2"}'),
      },
      /speak version 2/,
    ],
    ['a token that is not taken', { status: 401 }, /rejected the token \(HTTP 401\)/],
  ])('%s', async (_name, options, message) => {
    const master = await startFakeMaster(options);
    open.push(master);
    const said: string[] = [];
    const before = process.exitCode;
    const worker = createWorker({
      master: master.url,
      token: 't',
      handlers: {},
      signals: false,
      say: (line) => said.push(line),
    });
    await expect(worker.ready).rejects.toMatchObject({
      code: 'WORKER_REFUSED',
      message: expect.stringMatching(message),
    });
    await expect(worker.closed).rejects.toThrow(message);
    expect(said.at(-1)).toMatch(message);
    expect(process.exitCode).toBe(1);
    process.exitCode = before;
  });
});

describe('a handlers file', () => {
  const folder = temporaryFolder('handlers');
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  it('exports handlers', async () => {
    const handlers = await loadHandlers(file('good.mjs', 'export const handlers = { double: (n) => n * 2 }'));
    expect(await handlers['double']?.(2, {} as HandlerContext)).toBe(4);
  });

  it.each([
    ['syntax.mjs', 'export const handlers = {', /could not load handlers file .*syntax\.mjs/],
    ['throws.mjs', 'throw new Error("no database")', /could not load handlers file .*: Error: no database/],
    ['import.mjs', 'import "no-such-package"', /no-such-package/],
    ['default.mjs', 'export default { double: (n) => n * 2 }', /must export `handlers`; it exports default/],
    [
      'value.mjs',
      'export const handlers = { double: 2 }',
      /the handler "double" must be a function \(input, ctx\) => output; got 2/,
    ],
    ['list.mjs', 'export const handlers = []', /got an array/],
    ['empty.mjs', 'export const handlers = {}', /handlers is empty/],
  ])('%s is refused with what is wrong', async (name, text, message) => {
    await expect(loadHandlers(file(name, text))).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(message),
    });
  });

  it('that is not there is named', async () => {
    await expect(loadHandlers(join(folder, 'absent.mjs'))).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/handlers file .*absent\.mjs/),
    });
  });
});
