import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ReadyLine } from '../../src/contract/process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const node = join(root, 'node_modules/.bin/node');
const cli = resolve(root, process.env['YARDMASTER_E2E_OUT'] ?? 'out', 'main/cli.js');

export interface Answer {
  code: number | null;
  out: string;
  err: string;
}

/** A shell with a folder of its own, in which a real master runs. */
export interface Shell {
  readonly folder: string;
  readonly ready: ReadyLine;
  readonly master: ChildProcess;
  /** Runs one command to its end. */
  yardmaster(args: readonly string[], input?: string): Answer;
  /** Runs it with `--json`, demands success, and reads the one document that it printed. */
  json<T>(args: readonly string[], input?: string): T;
  close(): Promise<number | null>;
}

export async function openShell(): Promise<Shell> {
  const folder = mkdtempSync(join(tmpdir(), 'shell-'));
  const { YARDMASTER_URL: _url, YARDMASTER_TOKEN: _token, ...env } = process.env;
  const own = {
    ...env,
    YARDMASTER_DATA: join(folder, 'data'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
  };
  const master = spawn(
    node,
    [cli, 'master', '--json', '--port', '0', '--logstash-port', '0', '--log-store-port', '0', '--metrics-port', '0'],
    { env: own, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let noise = '';
  master.stderr.on('data', (chunk: Buffer) => void (noise += chunk.toString()));
  const ready = await new Promise<ReadyLine>((resolve, reject) => {
    createInterface(master.stdout).once('line', (line) => resolve(JSON.parse(line) as ReadyLine));
    master.once('exit', (code) => reject(new Error(`the master ended with ${code}: ${noise}`)));
  });
  const yardmaster = (args: readonly string[], input = ''): Answer => {
    const { status, stdout, stderr } = spawnSync(node, [cli, ...args], {
      cwd: folder,
      env: own,
      input,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { code: status, out: stdout, err: stderr };
  };
  return {
    folder,
    ready,
    master,
    yardmaster,
    json<T>(args: readonly string[], input?: string): T {
      const { code, out, err } = yardmaster([...args, '--json'], input);
      if (code !== 0) throw new Error(`yardmaster ${args.join(' ')} exited ${code}: ${err}`);
      return JSON.parse(out) as T;
    },
    async close() {
      if (master.exitCode === null && master.signalCode === null) {
        const gone = new Promise((resolve) => master.once('exit', resolve));
        master.kill('SIGTERM');
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
      return master.exitCode;
    },
  };
}
