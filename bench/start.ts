import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMaster } from './lib/processes.ts';
import { line, median, opening, round, summary } from './lib/report.ts';

/** How long a master takes from its command to its first answer, on a data folder that it knows; beside it a bare Node that serves HTTP. */
const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 1 : 9;

opening('start', quick, ['better-sqlite3', 'fastify']);
const data = mkdtempSync(join(tmpdir(), 'bench-start-'));
try {
  // The first starts lay the folder out, and leave the compiled code there.
  for (let i = 0; i < (quick ? 1 : 2); i++)
    await (await startMaster({ workers: 2, durability: 'normal', data })).stop();
  const ours: number[] = [];
  const bare: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    ours.push(await startOnce());
    bare.push(await startBare());
    line({ round: i + 1, masterMs: round(ours.at(-1) as number), bareMs: round(bare.at(-1) as number) });
  }
  process.exitCode = summary([
    { name: 'from the command to the first answer, ms', value: median(ours), target: 700, wanted: 'at most' },
    {
      name: 'the same against a bare server of Node',
      value: median(ours) / median(bare),
      target: 12,
      wanted: 'at most',
    },
  ]);
} finally {
  rmSync(data, { recursive: true, force: true });
}

async function startOnce(): Promise<number> {
  const from = performance.now();
  const master = await startMaster({ workers: 2, durability: 'normal', data });
  if (!(await fetch(`${master.ready.url}/healthz`)).ok) throw new Error('the master answered, but not well');
  const took = performance.now() - from;
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
