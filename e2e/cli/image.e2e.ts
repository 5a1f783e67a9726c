import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@playwright/test';
import { NODE_ENVIRONMENT, NODE_FLAGS, type ReadyLine } from '../../src/contract/process.ts';
import type { Worker } from '../../src/contract/workers.ts';
import { followDockerfile } from '../support/image.ts';
import { temporaryFolder } from '../support/master.ts';
import { tryExample } from '../support/try-example.ts';

const MB = 1_000_000;
/** gcr.io/distroless/cc-debian12, uncompressed, rounded up. */
const BASE_BYTES = 35 * MB;
/** What that base has beside the kernel's loader. */
const LIBRARIES_OF_BASE = /^lib(c|m|dl|pthread|rt|gcc_s|stdc\+\+)\.so/;

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();

test('the steps of the Dockerfile lay out a master that answers an event, is seen healthy, and ends in order', async () => {
  // The image is of Linux: elsewhere the packages that are installed are not those that it holds.
  if (process.platform !== 'linux') return;
  const work = temporaryFolder('image');
  const context = resolve('.');
  // Of the same sources: if what the build needs is not copied, this one is out of date, and another one takes its place.
  const built = join(work, 'build', 'src');
  execFileSync('mkdir', ['-p', built]);
  symlinkSync(resolve(process.env['YARDMASTER_E2E_OUT'] ?? 'out'), join(built, 'out'));
  const image = followDockerfile(join(context, 'Dockerfile'), context, work);
  try {
    expect(lstatSync(join(built, 'out')).isSymbolicLink()).toBe(true);
    expect(image.user).toBe('65532:65532');
    expect(image.base).toBe('gcr.io/distroless/cc-debian12:nonroot');
    expect(image.entrypoint.slice(1, -1)).toEqual(NODE_FLAGS);
    expect(image.env).toMatchObject(NODE_ENVIRONMENT);

    const files = filesBelow(image.root);
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes + BASE_BYTES).toBeLessThan(200 * MB);
    test.info().annotations.push({ type: 'size', description: `${Math.round(bytes / MB)} MB beside the base` });
    for (const file of files.filter((one) => one.endsWith('.node') || one.endsWith('/node'))) {
      const needed = [...execFileSync('ldd', [file], { encoding: 'utf8' }).matchAll(/^\s+(lib\S+) =>/gm)];
      expect(needed.map(([, name = '']) => name).filter((name) => !LIBRARIES_OF_BASE.test(name))).toEqual([]);
    }

    const secrets = { admin: randomBytes(24).toString('hex'), worker: '', viewer: '' };
    secrets.worker = secrets.admin.split('').toReversed().join('');
    secrets.viewer = randomBytes(24).toString('hex');
    const secret = (name: keyof typeof secrets): string => {
      const file = join(work, name);
      writeFileSync(file, `${secrets[name]}\n`);
      return file;
    };
    const inImage = (path: string): string => (/^\/(opt|var)\//.test(path) ? join(image.root, path) : path);
    const env = {
      ...Object.fromEntries(Object.entries(image.env).map(([name, value]) => [name, inImage(value)])),
      ...Object.fromEntries(
        ['PORT', 'LOG_STORE_PORT', 'METRICS_PORT', 'LOGSTASH_PORT'].map((n) => [`YARDMASTER_${n}`, '0']),
      ),
      HOME: work,
      YARDMASTER_WORKERS: '0',
      YARDMASTER_ADMIN_TOKEN_FILE: secret('admin'),
      YARDMASTER_PRESET_WORKER_TOKEN_FILE: secret('worker'),
      YARDMASTER_PRESET_VIEWER_TOKEN_FILE: secret('viewer'),
      YARDMASTER_BEHIND_PROXY: '10.0.0.0/8',
      YARDMASTER_ALLOWED_HOSTS: 'yardmaster.example.com',
      YARDMASTER_EXAMPLES: inImage('/opt/yardmaster/server/resources/examples'),
    };
    const [program = '', ...args] = [...image.entrypoint, ...image.command].map(inImage);
    const master = spawn(program, [...args, '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(master, 'exit');
    const [line] = (await once(createInterface({ input: master.stdout }), 'line')) as [string];
    const { token, ports } = JSON.parse(line) as ReadyLine;
    expect(token).toBe(secrets.admin);
    const url = `http://127.0.0.1:${ports.master}`;
    const inWorker = {
      ...{ ...env, YARDMASTER_MASTER: url, YARDMASTER_WORKER_TOKEN_FILE: secret('worker') },
      YARDMASTER_HEALTH_PORT: '0',
    };
    const worker = spawn(program, [...image.entrypoint.slice(1).map(inImage), 'worker', '--json'], {
      env: inWorker,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const workerEnded = once(worker, 'exit');
    await once(createInterface({ input: worker.stdout }), 'line');
    const asViewer = { headers: { authorization: `Bearer ${secrets.viewer}` } };
    const { items } = (await (await fetch(`${url}/api/v1/workers`, asViewer)).json()) as { items: Worker[] };
    expect(items).toHaveLength(1);
    const metrics = await (await fetch(`${url}/metrics`, asViewer)).text();
    expect(metrics).toMatch(/^yardmaster_queue_depth 0$/m);
    expect(metrics).toMatch(/^yardmaster_worker_slots_used 0$/m);
    await tryExample(url, token);

    const [check = '', ...checkArgs] = image.healthCheck.map(inImage);
    const isHealthy = (...what: string[]) =>
      spawnSync(check, [...checkArgs, ...what], { env: { ...env, YARDMASTER_PORT: `${ports.master}` } }).status;
    expect(isHealthy()).toBe(0);
    const ofWorker = new URL(items[0]?.url ?? '').port;
    expect(isHealthy(ofWorker, '/healthz')).toBe(0);
    worker.kill('SIGTERM');
    expect((await workerEnded)[0]).toBe(0);
    expect(isHealthy(ofWorker, '/healthz')).toBe(1);
    master.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    expect(isHealthy()).toBe(1);

    // Its root file system may be read-only: whatever was written is below the volumes.
    const data = join(image.root, 'var', 'lib', 'yardmaster');
    expect(filesBelow(image.root).filter((file) => !file.startsWith(data))).toEqual(files);
    expect(existsSync(join(data, 'data', 'yardmaster.db'))).toBe(true);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});

test('the Dockerfile copies what the build reads', () => {
  const copied = readFileSync('Dockerfile', 'utf8');
  const inputs = readFileSync('scripts/lib/build.mjs', 'utf8').match(/SINGLE_INPUTS = \[([^\]]*)\]/)?.[1] ?? '';
  const names = [...inputs.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => !copied.includes(name.startsWith('scripts/lib/') ? 'scripts/lib' : name))).toEqual([]);
});
