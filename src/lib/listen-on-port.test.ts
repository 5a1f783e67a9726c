import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { findPortHolder, listenOnPort } from './listen-on-port.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

const open: Server[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => new Promise((done) => server.close(done)))));

const listen = (port: number) =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      open.push(server);
      resolve((server.address() as { port: number }).port);
    });
  });

it('takes any free port for 0', async () => {
  expect(await listenOnPort({ port: 0, default: 1, what: 'x', option: '--x' }, listen, () => {})).toBeGreaterThan(1023);
});

it('names a port that was asked for and is taken, with its holder', async () => {
  const taken = await listen(0);
  await expect(
    listenOnPort({ port: taken, default: 1, what: 'the master', option: '--port' }, listen, () => {}),
  ).rejects.toThrow(`port ${taken} for the master is in use`);
  if (process.platform === 'linux') expect(findPortHolder(taken)).toContain(`(process ${process.pid})`);
});

it.runIf(process.platform === 'linux')(
  'names a program by what it runs, not by the options of its runtime',
  async () => {
    const script = join(temporaryFolder('holder'), 'billing.mjs');
    writeFileSync(
      script,
      `import { createServer } from 'node:net';
     const server = createServer().listen(0, '127.0.0.1', () => console.log(server.address().port));`,
    );
    const child = spawn(process.execPath, ['--no-warnings', '--max-semi-space-size=4', script, 'serve'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      expect(findPortHolder(Number(String(line)))).toMatch(/^\S+ billing\.mjs serve \(process \d+\)$/);
    } finally {
      child.kill();
    }
  },
);

it('moves on from a default that is taken, and says so', async () => {
  const taken = await listen(0);
  const said: string[] = [];
  const got = await listenOnPort({ port: null, default: taken, what: 'the master', option: '--port' }, listen, (line) =>
    said.push(line),
  );
  expect(got).toBeGreaterThan(taken);
  expect(said[0]).toContain(`port ${taken} is in use`);
});
