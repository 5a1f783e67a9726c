import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { NODE_ENVIRONMENT, NODE_FLAGS, type ReadyLine } from '../../src/contract/process.ts';

/** Another build of the command, to compare two: YARDMASTER_BENCH_CLI. */
const CLI = process.env['YARDMASTER_BENCH_CLI'] ?? fileURLToPath(new URL('../../out/main/cli.js', import.meta.url));
const FLOOR = fileURLToPath(new URL('../floor/master.ts', import.meta.url));

export interface Started<Ready> {
  ready: Ready;
  pid: number;
  /** Ends it in order, and takes its folder away. */
  stop(): Promise<void>;
  /** Ends it at once, by SIGKILL; `stop` still takes its folder away. */
  kill(): Promise<void>;
}

/** Starts a real master process on free ports and a data folder of its own. `YARDMASTER_BENCH_PROF=DIR` writes a CPU profile of it. */
export async function startMaster(options: {
  workers: number;
  capacity?: number;
  durability: 'normal' | 'full';
  nodeArguments?: readonly string[];
  /** Variables of its own. */ environment?: Readonly<Record<string, string>>;
  /** A folder that the caller keeps. */ data?: string;
  /** PostgreSQL that it shares with others, and their key; default: a store of its own. */
  store?: { url: string; secretsKey: string };
}): Promise<Started<ReadyLine>> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'bench-'));
  const profile = process.env['YARDMASTER_BENCH_PROF'];
  const args = [
    ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
    ...(options.nodeArguments ?? []),
    ...NODE_FLAGS,
    CLI,
    'master',
    '--json',
    '--data',
    data,
    '--port',
    '0',
    '--logstash-port',
    '0',
    '--log-store-port',
    '0',
    '--metrics-port',
    '0',
    '--workers',
    String(options.workers),
    '--durability',
    options.durability,
    ...(options.capacity === undefined ? [] : ['--capacity', String(options.capacity)]),
  ];
  const { store } = options;
  return start(args, options.data === undefined ? data : null, {
    ...options.environment,
    ...(store ? { YARDMASTER_STORE: store.url, YARDMASTER_SECRETS_KEY: store.secretsKey } : {}),
  });
}

/** Starts the bare copy of the walk (bench/floor). */
export async function startFloor(durability: 'normal' | 'full'): Promise<Started<{ port: number }>> {
  const data = mkdtempSync(join(tmpdir(), 'bench-floor-'));
  return start([FLOOR, data, durability], data);
}

export function startWorker(masterUrl: string, token: string, capacity: number): ChildProcess {
  return spawn(
    process.execPath,
    [...NODE_FLAGS, CLI, 'worker', '--master', masterUrl, '--capacity', String(capacity), '--exit-with-parent'],
    {
      stdio: ['pipe', 'ignore', 'inherit'],
      env: { ...NODE_ENVIRONMENT, ...process.env, YARDMASTER_WORKER_TOKEN: token },
    },
  );
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null)
    await new Promise((resolve) => child.once('close', resolve));
}

async function start<Ready>(
  args: string[],
  folder: string | null,
  env: Record<string, string> = {},
): Promise<Started<Ready>> {
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...NODE_ENVIRONMENT, ...process.env, ...env },
  });
  const first = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code} before it was ready`)));
  });
  return {
    ready: JSON.parse(first) as Ready,
    pid: child.pid as number,
    async stop() {
      child.kill('SIGTERM');
      await ended(child);
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    },
    async kill() {
      child.kill('SIGKILL');
      await ended(child);
    },
  };
}
