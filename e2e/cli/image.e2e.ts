import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@playwright/test';
import { NODE_ENVIRONMENT, NODE_FLAGS, type ReadyLine } from '../../src/contract/process.ts';
import { followDockerfile } from '../support/image.ts';
import { temporaryFolder } from '../support/master.ts';

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
  test.skip(process.platform !== 'linux', 'the image is of Linux');
  const work = temporaryFolder('image');
  const context = resolve('.');
  // Of the same sources: what the build needs and is not copied shows as a build that is out of date, which is made anew.
  const built = join(work, 'build', 'src');
  execFileSync('mkdir', ['-p', built]);
  symlinkSync(resolve(process.env['YARDMASTER_E2E_OUT'] ?? 'out'), join(built, 'out'));
  const image = followDockerfile(join(context, 'Dockerfile'), context, work);
  try {
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

    const inImage = (path: string): string => (/^\/(opt|var)\//.test(path) ? join(image.root, path) : path);
    const env = {
      ...Object.fromEntries(Object.entries(image.env).map(([name, value]) => [name, inImage(value)])),
      ...Object.fromEntries(
        ['PORT', 'LOG_STORE_PORT', 'METRICS_PORT', 'LOGSTASH_PORT'].map((n) => [`YARDMASTER_${n}`, '0']),
      ),
      HOME: work,
      YARDMASTER_ADMIN_TOKEN: '0123456789abcdef0123456789abcdef01',
      YARDMASTER_BEHIND_PROXY: '10.0.0.0/8',
      YARDMASTER_ALLOWED_HOSTS: 'yardmaster.example.com',
      YARDMASTER_EXAMPLES: inImage('/opt/yardmaster/server/resources/examples'),
    };
    const [program = '', ...args] = [...image.entrypoint, ...image.command].map(inImage);
    const master = spawn(program, [...args, '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(master, 'exit');
    const [line] = (await once(createInterface({ input: master.stdout }), 'line')) as [string];
    const { token, ports } = JSON.parse(line) as ReadyLine;
    const url = `http://127.0.0.1:${ports.master}`;
    const made = await fetch(`${url}/api/v1/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'try', workflows: ['*'], environments: ['dev'] }),
    });
    const { key } = (await made.json()) as { key: string };
    const answer = await fetch(`${url}/api/v1/events/shout/dev`, {
      method: 'POST',
      headers: { 'api-key': key, 'content-type': 'application/json' },
      body: '[{"content":"hello"}]',
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('HELLO')]);
    expect((await fetch(`${url}/`)).headers.get('content-type')).toContain('text/html');

    const [check = '', ...checkArgs] = image.healthCheck.map(inImage);
    const isHealthy = () => spawnSync(check, checkArgs, { env: { ...env, YARDMASTER_PORT: `${ports.master}` } }).status;
    expect(isHealthy()).toBe(0);
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
