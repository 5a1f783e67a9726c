import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { api, createKey, publishChain } from './lib/master-api.ts';
import { pathTo } from '../src/lib/api-client.ts';
import { startMaster } from './lib/processes.ts';
import { line, median, opening, round, summary } from './lib/report.ts';

/**
 * How long a master takes from its command to its ready line and to its first answer, on a data folder that it knows; beside it a
 * bare Node that serves HTTP. Then how long the first event takes whose workflow has code, on a worker that has run none.
 */
const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 1 : 9;

opening('start', quick, ['better-sqlite3', 'fastify']);
const data = mkdtempSync(join(tmpdir(), 'bench-start-'));
try {
  // The first starts lay the folder out, and leave the compiled code there.
  for (let i = 0; i < (quick ? 1 : 2); i++)
    await (await startMaster({ workers: 2, durability: 'normal', data })).stop();
  const ready: number[] = [];
  const ours: number[] = [];
  const bare: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const { readyMs, answerMs } = await startOnce();
    ready.push(readyMs);
    ours.push(answerMs);
    bare.push(await startBare());
    line({ round: i + 1, readyMs, masterMs: answerMs, bareMs: round(bare.at(-1) as number) });
  }
  const key = await publishCode();
  const first: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const [firstMs = 0, ...nextMs] = await runCode(key);
    first.push(firstMs);
    line({ round: i + 1, firstCodeMs: firstMs, nextCodeMs: median(nextMs) });
  }
  process.exitCode = summary([
    { name: 'from the command to the ready line, ms', value: median(ready), target: 500, wanted: 'at most' },
    { name: 'from the command to the first answer, ms', value: median(ours), target: 700, wanted: 'at most' },
    {
      name: 'the same against a bare server of Node',
      value: median(ours) / median(bare),
      target: 12,
      wanted: 'at most',
    },
    { name: 'first run of code on a fresh worker, ms', value: median(first), target: 100, wanted: 'at most' },
  ]);
} finally {
  rmSync(data, { recursive: true, force: true });
}

async function startOnce(): Promise<{ readyMs: number; answerMs: number }> {
  const from = performance.now();
  const master = await startMaster({ workers: 2, durability: 'normal', data });
  const readyMs = round(performance.now() - from);
  if (!(await fetch(`${master.ready.url}/healthz`)).ok) throw new Error('the master answered, but not well');
  const answerMs = round(performance.now() - from);
  await master.stop();
  return { readyMs, answerMs };
}

async function publishCode(): Promise<string> {
  const master = await startMaster({ workers: 0, durability: 'normal', data });
  await publishChain(master.ready, 'code', undefined, [
    { id: 'double', type: 'code', config: { source: 'return { doubled: input.n * 2 }' } },
  ]);
  const key = await createKey(master.ready);
  await master.stop();
  return key;
}

/** Milliseconds of events, one after the other, the first of which is the first that the worker gets. */
async function runCode(key: string): Promise<number[]> {
  const master = await startMaster({ workers: 1, durability: 'normal', data });
  const { call } = api(master.ready);
  while (!(await call('workers.list')).items.some(({ state }) => state === 'Operational')) await sleep(10);
  // Two seconds after its start a worker starts the thread for code.
  await sleep(quick ? 0 : 3500);
  const url = master.ready.url + pathTo('events.send', { params: { workflowId: 'code', environment: 'dev' } });
  const took: number[] = [];
  for (let n = 0; n < 6; n++) {
    const from = performance.now();
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify([{ n }]),
    });
    const text = await answer.text();
    if (!answer.ok || !text.includes(`"doubled":${n * 2}`)) throw new Error(`${answer.status} ${text.slice(0, 300)}`);
    took.push(round(performance.now() - from));
  }
  await master.stop();
  return took;
}

async function startBare(): Promise<number> {
  const from = performance.now();
  const child = spawn(
    process.execPath,
    [
      '-e',
      "const server = require('node:http').createServer((_, response) => response.end()).listen(0, '127.0.0.1', () => console.log(server.address().port))",
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [port] = (await child.stdout.take(1).toArray()) as [Buffer];
  await fetch(`http://127.0.0.1:${String(port).trim()}/`);
  const took = performance.now() - from;
  child.kill();
  return took;
}
