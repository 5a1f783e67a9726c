import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join as pathOf } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RunningWorker, WorkerOptions } from '../contract/process.ts';
import { parseJson } from '../lib/json.ts';
import { joinMaster } from './join.ts';
import { startWorker } from './start.ts';
import { startFakeMaster, type FakeMaster } from './master.fake.ts';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';

const open: { close(seconds: number): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close(0);
});

/** A worker that runs one task at a time and keeps its words to itself. */
const CHOICES: Omit<WorkerOptions, 'master'> = {
  socket: null,
  follows: true,
  token: 't',
  capacity: 1,
  handlers: null,
  labels: {},
  logstash: null,
  log() {},
};

async function join(
  options: Parameters<typeof startFakeMaster>[0] = {},
  capacity = 4,
): Promise<{ master: FakeMaster; worker: RunningWorker; said: string[] }> {
  const master = await startFakeMaster(options);
  open.push(master);
  const said: string[] = [];
  const worker = await startWorker({ ...CHOICES, master: master.url, capacity, log: (line) => said.push(line) });
  open.push(worker);
  return { master, worker, said };
}
const upper = { id: 'a', type: 'transform', config: { expression: '$uppercase(content)' } };
const hello = { id: 'b', type: 'template', config: { template: 'Hello {{ $ }}!' } };

describe('joining', () => {
  it('says hello, is welcomed, and beats', async () => {
    const { master, worker } = await join();
    expect(master.hellos[0]).toMatchObject({ protocol: 1, workerId: null, capacity: 4, running: [] });
    expect(worker.workerId).toBe('w-1');
    const beat = await master.until(() => master.frames.filter((f) => f.t === 'beat')[1]);
    expect(beat).toMatchObject({
      running: 0,
      cpu: expect.any(Number),
      memory: expect.any(Number),
      memoryTotal: expect.any(Number),
    });
  });

  it('begins at any of several masters that answers', async () => {
    const master = await startFakeMaster({});
    open.push(master);
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const worker = await startWorker({ ...CHOICES, master: `http://127.0.0.1:${port}`, others: [master.url] });
    open.push(worker);
    expect([worker.workerId, worker.master]).toEqual(['w-1', master.url]);
  });

  it('serves its health where others reach it, and lives while it has no master', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const joining = joinMaster({
      master: 'http://127.0.0.1:1',
      socket: null,
      follows: true,
      token: 't',
      capacity: 1,
      handlers: {},
      labels: {},
      logstash: null,
      health: { host: '0.0.0.0', port },
      log() {},
    });
    open.push(joining);
    const status = (path: string) =>
      fetch(`http://127.0.0.1:${port}/${path}`).then(
        (response) => response.status,
        () => null,
      );
    await vi.waitUntil(async () => (await status('livez')) !== null);
    expect([await status('livez'), await status('healthz'), await status('other')]).toEqual([200, 503, 404]);
  });

  it('serves its own health at the address it names', async () => {
    const { master } = await join();
    const response = await fetch(`${master.hellos[0]?.url}/healthz`);
    expect(await response.json()).toMatchObject({ ok: true, workerId: 'w-1', running: 0, capacity: 4 });
  });

  it.each([401, 403])('gives up where the master answers %i', async (status) => {
    const master = await startFakeMaster({ status });
    open.push(master);
    await expect(startWorker({ ...CHOICES, master: master.url, token: 'bad' })).rejects.toThrow(/rejected the token/);
  });

  it('tries again where the master has no room for it yet', async () => {
    const options: NonNullable<Parameters<typeof startFakeMaster>[0]> = {
      answer(_hello, socket) {
        delete options.answer;
        socket.close(1013, 'no room');
      },
    };
    const master = await startFakeMaster(options);
    open.push(master);
    const lines: string[] = [];
    const worker = await startWorker({ ...CHOICES, master: master.url, log: (line) => lines.push(line) });
    open.push(worker);
    expect([worker.workerId, master.hellos.length]).toEqual(['w-1', 2]);
    expect(lines.join('\n')).toContain('no room');
  });

  it('gives up where the master refuses its protocol, by frame or by close code', async () => {
    const byFrame = await startFakeMaster({
      answer: (_hello, socket) => socket.send('{"t":"refuse","code":"PROTOCOL_MISMATCH","message":"speak version 2"}'),
    });
    const byClose = await startFakeMaster({ answer: (_hello, socket) => socket.close(4001, 'token revoked') });
    open.push(byFrame, byClose);
    const start = (master: FakeMaster) => startWorker({ ...CHOICES, master: master.url });
    await expect(start(byFrame)).rejects.toThrow('speak version 2');
    await expect(start(byClose)).rejects.toThrow('token revoked');
  });
});

it('ships log lines to the pipeline, before the report and also for failures', async () => {
  const got: Record<string, unknown>[] = [];
  let wake = () => {};
  const pipeline = createServer((socket) => {
    socket.on('data', (chunk) => {
      got.push(
        ...chunk
          .toString()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>),
      );
      wake();
    });
  });
  await new Promise<void>((resolve) => pipeline.listen(0, '127.0.0.1', resolve));
  const { master } = await join({
    welcome: { logstash: { host: '0.0.0.0', port: (pipeline.address() as AddressInfo).port } },
  });
  master.lease(
    [
      {
        id: 'a',
        type: 'code',
        config: { source: 'ctx.log("info", "so far", {job_id: "forged", step: 1}); throw new Error("no stock")' },
      },
    ],
    {},
  );
  while (got.length < 2) await new Promise<void>((resolve) => (wake = resolve));
  const own = { job_id: 'job', task_id: 'a', worker_id: 'w-1', attempt: 1, node: 'a', workflow_id: 'flow' };
  expect(got[0]).toMatchObject({ ...own, _msg: 'so far', level: 'INFO', source: 'task', step: 1 });
  expect(got[1]).toMatchObject({
    ...own,
    level: 'ERROR',
    source: 'worker',
    code: 'TASK_ERROR',
    _msg: expect.stringContaining('no stock'),
  });
  pipeline.close();
});

describe('running', () => {
  it('runs a chain, each node a task of its own with the output of the one before', async () => {
    const { master } = await join();
    master.lease([upper, hello], { content: 'you' });
    expect(await master.end('b')).toMatchObject({ e: 'done', attempt: 1, output: 'Hello YOU!' });
    expect(master.reports.map((r) => `${r.e} ${r.id}`)).toEqual(['done a', 'done b']);
    expect(master.frames.filter((f) => f.t === 'report')).toHaveLength(1);
  });

  it('tells the start of a task by itself where its end comes later', async () => {
    const { master } = await join();
    master.lease([upper, { id: 'b', type: 'delay', config: { seconds: 0.1 } }], { content: 'you' });
    await master.end('b');
    expect(master.reports.map((r) => `${r.e} ${r.id}`)).toEqual(['done a', 'start b', 'done b']);
  });

  it('stops a chain at the first failure', async () => {
    const { master, worker } = await join();
    master.lease([{ id: 'a', config: { expression: '$error("no stock")' } }, hello], {});
    expect(await master.end('a')).toMatchObject({
      e: 'fail',
      error: { code: 'TASK_ERROR', retryable: true, message: expect.stringContaining('no stock') },
    });
    await worker.close(1);
    expect(master.reports.map((r) => r.id)).toEqual(['a']);
  });

  it('refuses an output over the limit for good', async () => {
    const { master } = await join();
    master.lease([{ id: 'a', type: 'code', config: { source: 'return "x".repeat(2_000_000)' } }], null);
    expect(await master.end('a')).toMatchObject({
      e: 'fail',
      error: { code: 'NON_RETRYABLE', message: expect.stringContaining('at most 1048576') },
    });
  });

  it('keeps numbers that a double cannot hold', async () => {
    const { master } = await join();
    const input = parseJson('{"id":9007199254740993,"next":9007199254740995,"n":1}');
    const nodes = [
      { id: 'pick', config: { expression: '{"id": id, "all": [$.id, $.next], "n": n}' } },
      { id: 'when', type: 'condition', config: { expression: 'n = 1' } },
      { id: 'sum', config: { expression: '{"id": id, "n": n + 1}' } },
      { id: 'code', type: 'code', config: { source: 'return {...input, m: input.n * 2}' } },
      { id: 'say', type: 'template', config: { template: '{{ id }} {{ m }}' } },
    ];
    master.lease(nodes, input);
    expect(await master.end('say')).toMatchObject({ output: '9007199254740993 4' });
    const text = JSON.stringify(master.reports.flatMap((r) => (r.e === 'done' ? [r.output] : [])));
    expect(text).toContain('{"id":9007199254740993,"all":[9007199254740993,9007199254740995],"n":1}');
    expect(text).toContain('{"id":9007199254740993,"n":2,"m":4}');
  });

  it('stops what is killed and frees its slot without a report', async () => {
    const { master, worker } = await join();
    master.lease([{ id: 'a', type: 'delay', config: { seconds: 600 } }, hello], 1);
    master.lease([{ id: 'loop', type: 'code', config: { source: 'for (;;);', timeoutSeconds: 600 } }], 1);
    await master.until(() => master.reports.length === 2);
    master.send({ t: 'kill', ids: ['a'], reason: 'KILLED' });
    master.send({ t: 'lost', ids: ['loop'], attempts: [1] });
    await worker.close(5);
    expect(master.reports.map((r) => r.e)).toEqual(['start', 'start']);
  });

  it('goes on with a newer attempt when an older lease is lost', async () => {
    const { master } = await join();
    const wait = { id: 'a', type: 'delay', config: { seconds: 0.2 } };
    master.lease([wait], 1);
    master.lease([wait], 2, { attempt: 2 });
    master.send({ t: 'lost', ids: ['a'], attempts: [1] });
    expect(await master.end('a', 2)).toMatchObject({ output: 2 });
    expect(master.reports.filter((r) => r.attempt === 1)).toEqual([]);
  });

  it('keeps beating while code loops', async () => {
    const { master } = await join();
    master.lease([{ id: 'a', type: 'code', config: { source: 'for (;;);' } }], 1);
    await master.until(() => master.reports[0]);
    const before = master.frames.filter((f) => f.t === 'beat').length;
    expect(await master.end('a')).toMatchObject({
      e: 'fail',
      error: { code: 'TASK_ERROR', message: 'the code exceeded its time limit of 2 s' },
    });
    expect(master.frames.filter((f) => f.t === 'beat').length - before).toBeGreaterThanOrEqual(3);
  });
});

describe('the socket file of a master on the same machine', () => {
  const file = pathOf(temporaryFolder('worker'), 'm.sock');
  const start = async (port: string | number, url?: string) => {
    const master = await startFakeMaster({ port });
    open.push(master);
    const worker = await startWorker({ ...CHOICES, master: url ?? master.url, socket: file });
    open.push(worker);
    return master;
  };

  it('is taken before the port', async () => {
    const master = await start(file, 'http://127.0.0.1:1');
    master.lease([upper], { content: 'x' });
    expect(await master.end('a')).toMatchObject({ output: 'X' });
  });
  it('gives way to the port where nobody listens on it', async () => {
    expect((await start(0)).hellos).toHaveLength(1);
  });
});

describe('a link that breaks', () => {
  it('comes back under the same id with what it holds, and reports what ended meanwhile', async () => {
    const { master } = await join();
    master.lease([{ id: 'a', type: 'delay', config: { seconds: 0.5 } }, hello], 'you');
    await master.until(() => master.reports[0]);
    master.cut();
    const again = await master.until(() => master.hellos[1]);
    expect(again.workerId).toBe('w-1');
    expect(again.running).toEqual(
      expect.arrayContaining([
        { id: 'a', attempt: 1 },
        { id: 'b', attempt: 1 },
      ]),
    );
    expect(await master.end('b')).toMatchObject({ output: 'Hello you!' });
  });

  it('sends a report again that the master may not have received', async () => {
    const { master } = await join();
    master.lease([upper], { content: 'x' });
    await master.end('a');
    master.cut();
    await master.until(() => master.reports.filter((r) => r.e === 'done').length === 2);
    expect(master.hellos[1]?.running).toEqual([{ id: 'a', attempt: 1 }]);
  });
});

describe('masters of a cluster', () => {
  const two = async (welcome: Parameters<typeof startFakeMaster>[0] = {}) => {
    const other = await startFakeMaster(welcome);
    open.push(other);
    const { master, worker } = await join({ welcome: { masters: ['http://127.0.0.1:1', other.url] } });
    return { master, other, worker };
  };

  it('a worker that loses its master goes on at another, with what it holds', async () => {
    const { master, other } = await two();
    master.lease([{ id: 'd', type: 'delay', config: { seconds: 1.5 } }], { content: 'x' });
    await master.until(() => master.reports.find(({ e }) => e === 'start'));
    await master.close();
    const again = await other.until(() => other.hellos[0]);
    expect(again).toMatchObject({ workerId: 'w-1', running: [{ id: 'd', attempt: 1 }] });
    expect(await other.end('d')).toMatchObject({ e: 'done', output: { content: 'x' } });
  });

  it('are told anew when they change', async () => {
    const { master } = await join();
    const later = await startFakeMaster();
    open.push(later);
    master.send({ t: 'masters', masters: [later.url] });
    master.lease([upper], { content: 'x' });
    await master.end('a');
    await master.close();
    expect(await later.until(() => later.hellos[0])).toMatchObject({ workerId: 'w-1' });
  });

  it('a program that refuses the token at an address that was told is passed over', async () => {
    const { master, other, worker } = await two({ status: 401 });
    const third = await startFakeMaster();
    open.push(third);
    master.send({ t: 'masters', masters: [other.url, third.url] });
    master.lease([upper], { content: 'x' });
    await master.end('a');
    await master.close();
    await third.until(() => third.hellos[0]);
    expect(worker.workerId).toBe('w-1');
  });
});

describe('a master that wants to know what is held', () => {
  it('hears of what does not run here, and of which there is nothing to tell', async () => {
    const { master } = await join();
    master.lease([{ id: 'a', type: 'delay', config: { seconds: 600 } }, hello], 'you');
    await master.until(() => master.reports[0]);
    const leases = ['a', 'b', 'never'].map((id) => ({ id, attempt: 1 }));
    master.send({ t: 'check', leases: [...leases, { id: 'a', attempt: 2 }] });
    const gone = await master.until(() => master.frames.find((frame) => frame.t === 'gone'));
    expect(gone).toEqual({
      t: 'gone',
      leases: [
        { id: 'never', attempt: 1 },
        { id: 'a', attempt: 2 },
      ],
    });
  });

  it('hears once more what runs, when it may not have written it down', async () => {
    const { master } = await join();
    master.lease([{ id: 'a', type: 'delay', config: { seconds: 600 } }], 'you');
    const first = await master.until(() => master.reports[0]);
    // Long enough for the report to be known as received: it would not be sent again by itself.
    await master.until(() => master.frames.filter(({ t }) => t === 'beat').length > 4);
    master.cut();
    expect(await master.until(() => master.reports[1])).toEqual(first);
  });
});

describe('leaving', () => {
  it('says that it drains, lets running tasks end, and says goodbye', async () => {
    const { master, worker } = await join();
    master.lease([{ id: 'a', type: 'delay', config: { seconds: 0.3 } }], 7);
    await master.until(() => master.reports[0]);
    await worker.close(10);
    expect(await master.end('a')).toMatchObject({ output: 7 });
    expect(master.frames.filter(({ t }) => t !== 'beat').map(({ t }) => t)).toEqual([
      'hello',
      'report',
      'drain',
      'report',
      'bye',
    ]);
    await worker.closed;
  });
});
