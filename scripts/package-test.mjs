import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDisplay } from './lib/display.mjs';
import { environmentOf, nodeOf } from './lib/install.mjs';
import { main } from './lib/problem.mjs';
import { run } from './lib/processes.mjs';

/**
 * `npm run package:test`: builds the packages of this machine, installs them into a folder, and uses the installed app as
 * somebody would who has no Node: the window comes, its master runs, an event is answered, updates are found and fetched,
 * it ends and leaves nothing behind. Takes some minutes. `-- <unpacked app>` tries one that is there.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const say = (line) => process.stdout.write(`${line}\n`);
const work = mkdtempSync(join(tmpdir(), 'yardmaster-package-'));
const packages = join(process.env.YARDMASTER_PACKAGE_DIST ?? join(root, 'dist'), 'packages');
const total = { passed: 0, failed: 0 };

async function check(name, body) {
  try {
    await body();
    total.passed++;
    say(`✓ ${name}`);
  } catch (error) {
    total.failed++;
    say(`✗ ${name}\n${error.stack ?? error}`);
  }
}

await main(async () => {
  if (!existsSync(join(root, 'node_modules', '@playwright'))) await run('npm', ['install', '--no-save'], { cwd: root });
  const { chromium } = await import('@playwright/test');
  const { getCurrentFuseWire } = await import('@electron/fuses');
  let home = process.argv[2];
  let deb = null;
  if (!home) {
    const { code, output } = await run(nodeOf(root), [join(root, 'scripts', 'package.mjs'), process.platform === 'linux' ? 'deb' : 'dir'], { cwd: root, env: environmentOf(root), onText: (text) => process.stdout.write(text) });
    assert.equal(code, 0, output.slice(-2000));
    deb = readdirSync(packages).find((name) => name.endsWith('.deb'));
    const installed = join(work, 'installed');
    mkdirSync(installed);
    assert.equal((await run('dpkg-deb', ['-x', join(packages, deb), installed])).code, 0);
    home = join(installed, 'opt', 'Yardmaster');
  }
  const program = join(home, 'yardmaster');

  await check('the app takes no debugger, does not run as Node, and loads its archive alone', async () => {
    // Numbers of @electron/fuses: 48 is off, 49 is on.
    const wire = await getCurrentFuseWire(program);
    assert.deepEqual([0, 1, 2, 3, 4, 5].map((fuse) => wire[fuse]), [48, 49, 48, 48, 49, 49]);
    assert.equal(existsSync(join(home, 'resources', 'app')), false);
  });
  await check('the command line runs by the Node that it brings', async () => {
    const { code, output } = await run('/bin/sh', [join(home, 'resources', 'bin', 'yardmaster'), '--version'], { env: { PATH: '/usr/bin:/bin' } });
    assert.equal(code, 0, output);
    assert.equal(output.trim(), JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  });

  const feed = deb ? await serveFeed(join(packages, deb)) : null;
  const display = process.platform === 'linux' ? await openDisplay() : null;
  const data = join(work, 'data');
  const app = start(program, data, { ...(display ? { DISPLAY: display.name } : {}), ...(feed ? { YARDMASTER_UPDATE_FEED: feed.url } : {}) });
  try {
    let page;
    const call = async (channel, argument = null) => {
      const outcome = await page.evaluate(([name, given]) => window.yardmaster.call(name, given), [channel, argument]);
      assert.ok(outcome.ok, JSON.stringify(outcome));
      return outcome.value;
    };
    await check('the window comes up, with data of its own master', async () => {
      const browser = await chromium.connectOverCDP(await app.address);
      page = browser.contexts()[0].pages()[0];
      await page.getByText('Live', { exact: true }).waitFor({ timeout: 60_000 });
      assert.match(page.url(), /^yardmaster:\/\/local\//);
    });
    await check('the master runs by the Node that the app brings', async () => {
      const { pid, state } = await call('local:status');
      assert.equal(state, 'running');
      if (process.platform === 'linux') assert.match(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), /resources\/node\/node/);
    });
    await check('an event is answered by a worker of the app', async () => {
      const { url, apiKey } = JSON.parse(readFileSync(join(data, 'local.json'), 'utf8'));
      const answer = await fetch(`${url}/api/v1/events/shout/dev`, { method: 'POST', headers: { 'api-key': apiKey, 'content-type': 'application/json' }, body: '[{"content":"hello"}]' });
      const body = await answer.text();
      assert.equal(answer.status, 200, body);
      assert.match(body, /HELLO/);
    });
    if (feed) {
      await check('an update is found in a folder of updates and fetched', async () => {
        assert.deepEqual(await call('updates:check').then(({ state, version }) => [state, version]), ['available', '99.0.0']);
        const { state, message } = await call('updates:download');
        assert.equal(state, 'ready', message);
      });
    }
    await check('it ends when asked to, and its master with it', async () => {
      const { pid } = await call('local:status');
      const ended = new Promise((resolve) => app.child.once('exit', resolve));
      app.child.kill('SIGTERM');
      await Promise.race([ended, new Promise((_resolve, reject) => setTimeout(() => reject(new Error('it still runs after 30 s')), 30_000))]);
      assert.throws(() => process.kill(pid, 0), /ESRCH/);
    });
  } finally {
    app.child.kill('SIGKILL');
    feed?.close();
    display?.close();
    rmSync(work, { recursive: true, force: true });
  }
  say(`${total.passed} passed, ${total.failed} failed`);
  process.exit(total.failed > 0 ? 1 : 0);
});

/** The app as somebody starts it who has nothing else: an empty home, no Node in the path. */
function start(program, data, env) {
  const home = join(work, 'home');
  const bare = join(work, 'bare');
  for (const folder of [home, bare]) mkdirSync(folder);
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const ports = ['--port', '--logstash-port', '--log-store-port', '--metrics-port'].flatMap((name) => [name, '0']);
  const child = spawn(program, [...asRoot, '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${join(home, 'settings')}`, '--', ...ports, '--data', data], { env: { PATH: bare, HOME: home, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  const address = new Promise((resolve, reject) => {
    let words = '';
    child.stderr.on('data', (chunk) => {
      words = (words + chunk).slice(-20_000);
      const [, found] = words.match(/DevTools listening on (ws:\S+)/) ?? [];
      if (found) resolve(found);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`it ended (exit ${code}):\n${words}`)));
  });
  address.catch(() => undefined);
  return { child, address };
}

/** A folder of updates that says of this very package that it is a newer one. */
async function serveFeed(file) {
  const about = readFileSync(join(packages, process.arch === 'arm64' ? 'latest-linux-arm64.yml' : 'latest-linux.yml'), 'utf8').replace(/^version: .*/m, 'version: 99.0.0');
  const server = createServer((request, response) => (request.url.includes('.yml') ? response.end(about) : createReadStream(file).pipe(response)));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/updates`, close: () => server.close() };
}
