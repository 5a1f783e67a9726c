import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Job } from '../../src/contract/jobs.ts';
import type { LocalFile, ReadyLine } from '../../src/contract/process.ts';
import type { Task } from '../../src/contract/tasks.ts';
import type { Worker } from '../../src/contract/workers.ts';
import { type ApiClient, createApiClient, fetchTransport, pathTo } from '../../src/lib/api-client.ts';

/** `YARDMASTER_E2E_OUT`: another build than the one in `out`. */
export const CLI = resolve(process.env['YARDMASTER_E2E_OUT'] ?? 'out', 'main/cli.js');
export const EXAMPLES = resolve('resources/examples');
export const NODE = process.env['YARDMASTER_NODE'] ?? process.execPath;

/**
 * A free port for a master that comes back to it: below those that systems give to whoever asks for any, or another process
 * might have it by then.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer();
    const free = await new Promise<boolean>((done) =>
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true)),
    );
    await new Promise((done) => server.close(done));
    if (free) return port;
  }
}

export const temporaryFolder = (what: string): string => mkdtempSync(join(tmpdir(), `yardmaster-${what}-`));

/** A real master with real workers on free ports, in a data folder of its own. */
export interface TestMaster {
  readonly data: string;
  readonly url: string;
  readonly token: string;
  /** Takes log lines over TCP. */
  readonly logstashPort: number;
  /** Of the start screen: reaches every workflow. */
  readonly apiKey: string;
  readonly pid: number;
  /** Calls a route of the API by its name; throws `ApiError` on a status of 400 or more. */
  readonly call: ApiClient['call'];
  /** Calls an event endpoint with the start screen's key. */
  event(path: string, inputs: unknown[], headers?: Record<string, string>): Promise<Response>;
  job(id: string): Promise<Job>;
  tasks(jobId: string): Promise<Task[]>;
  /** What a job came to. */
  output(jobId: string): Promise<unknown[]>;
  workers(): Promise<Worker[]>;
  /** How it ended and its last words; null while it runs. */
  ended(): string | null;
  /** SIGKILL: no goodbye. */
  kill(): Promise<void>;
  /** SIGTERM; returns the exit code. */
  stop(): Promise<number | null>;
}

/** Lines: what Node and V8 say as they crash has a stack of some thirty. */
const LAST_WORDS = 60;

export interface MasterChoices {
  data?: string;
  workers?: number;
  capacity?: number;
  port?: number;
  /** More options of `yardmaster master`. */
  args?: readonly string[];
  /** Added to the environment: limits. */
  env?: Record<string, string>;
}

export async function startMaster(choices: MasterChoices = {}): Promise<TestMaster> {
  const data = choices.data ?? temporaryFolder('data');
  const args = [
    'master',
    '--json',
    '--port',
    String(choices.port ?? 0),
    '--logstash-port',
    '0',
    '--data',
    data,
    '--workers',
    String(choices.workers ?? 2),
    '--capacity',
    String(choices.capacity ?? 8),
    '--examples',
    EXAMPLES,
    ...(choices.args ?? []),
  ];
  const child = spawn(NODE, [CLI, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...choices.env },
  });
  // A test that failed half way stops nothing: no master outlives its runner.
  const orphaned = () => child.kill('SIGKILL');
  process.once('exit', orphaned);
  child.once('exit', () => process.off('exit', orphaned));
  const words: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => words.push(line));
  const ready = await firstLine(child, words);
  const { url, token, ports } = JSON.parse(ready) as ReadyLine;
  const { apiKey } = JSON.parse(readFileSync(join(data, 'local.json'), 'utf8')) as LocalFile;

  const { call } = createApiClient(fetchTransport({ url, token }, fetch));
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return child.exitCode;
  };
  return {
    data,
    url,
    token,
    logstashPort: ports.logstash,
    apiKey: apiKey ?? '',
    pid: child.pid ?? 0,
    call,
    event: (path, inputs, headers) => {
      const [workflowId = '', environment = ''] = path.split('/');
      return fetch(url + pathTo('events.send', { params: { workflowId, environment } }), {
        method: 'POST',
        headers: { 'api-key': apiKey ?? '', 'content-type': 'application/json', ...headers },
        body: JSON.stringify(inputs),
      });
    },
    job: (id) => call('jobs.get', { params: { jobId: id } }),
    tasks: async (id) => (await call('tasks.list', { params: { jobId: id }, query: { size: 500 } })).items,
    output: async (jobId) => ((await call('jobs.output', { params: { jobId } })) as { output: unknown[] }).output,
    workers: async () => (await call('workers.list', { query: { size: 500 } })).items,
    ended: () =>
      child.exitCode === null && child.signalCode === null
        ? null
        : `${child.signalCode ?? `exit ${child.exitCode}`}: ${words.slice(-LAST_WORDS).join('\n')}`,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}

async function firstLine(child: ChildProcess, words: string[]): Promise<string> {
  const line = once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line') as Promise<[string]>;
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`the master ended (exit ${code}):\n${words.join('\n')}`)),
  );
  return (await Promise.race([line, ended]))[0];
}

export const forget = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** Publishes a definition to dev as a new workflow, or with `parent` as the next version of one. */
export async function publish(
  master: Pick<TestMaster, 'call'>,
  id: string,
  definition: Record<string, unknown>,
  parent: string | null = null,
): Promise<string> {
  if (parent === null) await master.call('workflows.create', { body: { id, name: String(definition['name'] ?? id) } });
  const { hash } = await master.call('commits.create', {
    params: { id },
    json: JSON.stringify({ definition, message: parent === null ? 'First version' : 'Another version', parent }),
  });
  await master.call('workflows.publish', {
    params: { id, environment: 'dev' },
    body: { hash, description: 'For the test' },
  });
  return hash;
}
