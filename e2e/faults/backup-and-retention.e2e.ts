import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { findPortHolder } from '../../src/lib/listen-on-port.ts';
import { sleeper } from '../support/workflow-definitions.ts';
import { CLI, forget, NODE, publish, startMaster, temporaryFolder, type TestMaster } from '../support/master.ts';

interface Answer {
  code: number | null;
  out: string;
  err: string;
}
const yardmaster = (args: string[], data: string, input = ''): Promise<Answer> =>
  new Promise((resolve) => {
    const child = spawn(NODE, [CLI, ...args], { env: { ...process.env, YARDMASTER_DATA: data } });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.once('close', (code) => resolve({ code, out, err }));
    child.stdin.end(input);
  });
const jobsOf = async (master: TestMaster) =>
  (await master.call('jobs.list', { query: { size: 500, sort: 'createdAt,asc' } })).items;
/** Calls the endpoint from several sides until it is told to stop; the ids of the jobs that were answered. */
function load(master: TestMaster, endpoint: string): { stop(): Promise<string[]> } {
  const answered: string[] = [];
  let stopped = false;
  const callers = Array.from({ length: 4 }, async () => {
    while (!stopped) {
      const answer = await master.event(endpoint, [{ content: 'hello' }]);
      if (answer.status === 200) answered.push(answer.headers.get('x-job-id') ?? '');
      await answer.text();
    }
  });
  return {
    async stop() {
      stopped = true;
      await Promise.all(callers);
      return answered;
    },
  };
}

test('a backup under load, restored elsewhere, has every job that was answered before it, and runs', async () => {
  const master = await startMaster();
  const folder = temporaryFolder('backup');
  const file = join(folder, 'one.backup');
  const restored = join(folder, 'data');
  let second: TestMaster | null = null;
  try {
    expect((await yardmaster(['secrets', 'set', 'SHOP_KEY'], master.data, 'hunter-2222\n')).err).toBe('');
    const before = load(master, 'shout/dev');
    await expect.poll(async () => (await jobsOf(master)).length).toBeGreaterThan(50);
    const early = await before.stop();
    const under = load(master, 'shout/dev');
    expect(await yardmaster(['backup', file], master.data)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/wrote .*[\s\S]*\d+ jobs[\s\S]*contains 1 encrypted secret, /),
    });
    await under.stop();
    expect((await yardmaster(['backup', file], master.data)).err).toContain('exists');
    const original = new Map((await jobsOf(master)).map((job) => [job.id, job]));
    const tasks = await master.tasks(early[0] as string);
    await master.stop();

    // A damaged copy is refused, and nothing is written.
    copyFileSync(file, `${file}.cut`);
    truncateSync(`${file}.cut`, 10_000);
    expect(await yardmaster(['restore', `${file}.cut`, '--data', restored], master.data)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is truncated'),
    });
    expect(existsSync(restored)).toBe(false);

    expect(await yardmaster(['restore', file, '--data', restored], master.data)).toMatchObject({ code: 0 });
    expect(await yardmaster(['restore', file, '--data', restored], master.data)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not empty'),
    });
    copyFileSync(join(master.data, 'secrets.key'), join(restored, 'secrets.key'));
    second = await startMaster({ data: restored });
    const there = await jobsOf(second);
    const ids = new Set(there.map((job) => job.id));
    expect(early.filter((id) => !ids.has(id))).toEqual([]);
    for (const job of there)
      if (job.finishedAt !== null && original.get(job.id)) expect(job).toEqual(original.get(job.id));
    expect(await second.tasks(early[0] as string)).toEqual(tasks);
    expect(await second.call('secrets.list')).toMatchObject({ items: [{ name: 'SHOP_KEY', readable: true }] });
    expect((await second.event('shout/dev', [{ content: 'again' }])).status).toBe(200);

    // With the master down, the command reads the folder itself.
    await second.stop();
    expect(await yardmaster(['backup', `${file}.2`], restored)).toMatchObject({ code: 0 });
  } finally {
    await master.stop();
    await second?.stop();
    for (const one of [master.data, folder]) forget(one);
  }
});

test('jobs are archived and removed through two kills of the master: none is lost, none twice', async () => {
  let master = await startMaster();
  const { data } = master;
  const archive = join(data, 'archive');
  const ids: string[] = [];
  const archived = () =>
    (existsSync(archive) ? readdirSync(archive) : []).flatMap((name) => {
      // What a killed master did not finish stands behind the last whole member; the next one writes over it.
      const text = gunzipSync(readFileSync(join(archive, name))).toString();
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { kind: string; job: { id: string } })
        .filter(({ kind }) => kind === 'job')
        .map(({ job }) => job.id);
    });
  try {
    for (let round = 0; round < 2; round++) {
      const calls = load(master, 'shout/dev');
      await expect.poll(async () => (await jobsOf(master)).length, { timeout: 60_000 }).toBeGreaterThan(300);
      ids.push(...(await calls.stop()));
      await master.call('settings.update', {
        body: { jobRetentionMode: 'archive', jobRetentionCount: 5, retentionStepMs: 1 },
      });
      await expect
        .poll(() => existsSync(archive) && readdirSync(archive).length, { timeout: 60_000, intervals: [5] })
        .toBeTruthy();
      await master.kill();
      master = await startMaster({ data });
    }
    await expect.poll(async () => (await jobsOf(master)).length, { timeout: 60_000, intervals: [500] }).toBe(5);
    const gone = archived();
    const left = (await jobsOf(master)).map((job) => job.id);
    expect(new Set(gone).size).toBe(gone.length);
    expect([...gone, ...left].filter((id) => ids.includes(id)).sort()).toEqual([...ids].sort());
    expect((await master.call('jobs.list', { query: { size: 1, status: 'COMPLETED' } })).totalItems).toBe(5);
  } finally {
    await master.stop();
    forget(data);
  }
});

test('the task of a local worker that is killed is retried within seconds, without a wait for its silence', async () => {
  const master = await startMaster();
  try {
    await publish(master, 'sleeper', sleeper(3));
    const { jobId } = (await (await master.event('sleeper/dev', [{}], { prefer: 'respond-async' })).json()) as {
      jobId: string;
    };
    const task = async () => (await master.tasks(jobId)).find(({ node }) => node === 'wait');
    await expect.poll(async () => (await task())?.state).toBe('RUNNING');
    const lost = (await task())?.workerId ?? '';
    const { url } = (await master.workers()).find(({ id }) => id === lost) ?? { url: '' };
    const killedAt = Date.now();
    process.kill(Number(/process (\d+)/.exec(findPortHolder(Number(new URL(url).port)) ?? '')?.[1]), 'SIGKILL');
    await expect.poll(async () => (await task())?.retryEntries.length, { intervals: [50] }).toBe(1);
    const [entry] = (await task())?.retryEntries ?? [];
    expect(entry).toMatchObject({ code: 'WORKER_LOST', workerId: lost });
    expect(Date.parse(entry?.failedAt ?? '') - killedAt).toBeLessThan(5000);
    expect((await master.workers()).find(({ id }) => id === lost)?.state).toBe('Down');
  } finally {
    await master.stop();
    forget(master.data);
  }
});

test('a key that is gone does not keep the master from starting; a task that needs it says so', async () => {
  const master = await startMaster();
  let second: TestMaster | null = null;
  try {
    await yardmaster(['secrets', 'set', 'SHOP_KEY'], master.data, 'hunter-2222');
    await publish(master, 'secretive', {
      schemaVersion: 1,
      name: 'Secretive',
      response: 'list',
      output: 'out',
      nodes: [
        { id: 'in', type: 'input' },
        { id: 'c', type: 'code', config: { source: 'return ctx.secrets.SHOP_KEY.length' } },
        { id: 'out', type: 'output' },
      ],
      edges: [
        { from: 'in', to: 'c' },
        { from: 'c', to: 'out' },
      ],
    });
    expect(await (await master.event('secretive/dev', [{}])).json()).toEqual([11]);
    await master.stop();
    rmSync(join(master.data, 'secrets.key'));
    second = await startMaster({ data: master.data });
    const failed = await second.event('secretive/dev', [{}]);
    expect([failed.status, await failed.json()]).toMatchObject([
      502,
      { taskCode: 'NON_RETRYABLE', taskMessage: expect.stringContaining('does not have its encryption key') },
    ]);
  } finally {
    await master.stop();
    await second?.stop();
    forget(master.data);
  }
});
