import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDisplay } from './lib/display.mjs';
import { ensureInstalled, environmentOf, nodeOf } from './lib/install.mjs';
import { checkInstalled } from './lib/package-installed.mjs';
import { startApp } from './lib/package-start.mjs';
import { ensureTools } from './lib/package-tools.mjs';
import { checkArchive, checkFuses, traps } from './lib/package-imports.mjs';
import { main, Problem } from './lib/problem.mjs';
import { run } from './lib/processes.mjs';
import { signFeed, updateKey } from './lib/update-key.mjs';

/**
 * `npm run package:test`: builds the packages of this machine and uses them as somebody would who has no Node: the window
 * comes, its master runs, an event is answered, updates are found and fetched, it ends and leaves nothing behind; the doors
 * that the fuses shut are tried. `-- --install` (Debian, as root, on a machine that is nobody's) also installs the .deb with
 * apt, uses it as an ordinary user, and purges it. `-- --built`: tries the packages that are there. Takes some minutes.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const log = (line) => process.stdout.write(`${line}\n`);
const work = mkdtempSync(join(tmpdir(), 'yardmaster-package-'));
// Others may look in: an ordinary user runs what is installed.
chmodSync(work, 0o755);
const packages = join(process.env.YARDMASTER_PACKAGE_DIST ?? join(root, 'dist'), 'packages');
const install = process.argv.includes('--install');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const total = { passed: 0, failed: 0 };

async function check(name, body) {
  try {
    await body();
    total.passed++;
    log(`✓ ${name}`);
  } catch (error) {
    total.failed++;
    log(`✗ ${name}\n${error.stack ?? error}`);
  }
}

await main(async () => {
  if (process.platform !== 'linux')
    throw new Problem(
      'Only packages for Linux can be tested here.',
      'On macOS and Windows, build with npm run package and test the package manually (docs/packaging.md).',
    );
  if (install && process.getuid() !== 0)
    throw new Problem('Installing a .deb requires root.', 'Omit --install, or run the command on a throwaway machine.');
  await ensureInstalled(root, log);
  const { chromium } = await import('@playwright/test');
  if (!process.argv.includes('--built')) {
    const { code, output } = await run(nodeOf(root), [join(root, 'scripts', 'package.mjs'), 'deb', 'AppImage'], {
      cwd: root,
      env: { ...environmentOf(root), YARDMASTER_PACKAGE_TEST: '1' },
      onText: (text) => process.stdout.write(text),
    });
    assert.equal(code, 0, output.slice(-2000));
  }
  const tools = await ensureTools(root, log);
  const made = (ending) =>
    join(
      packages,
      readdirSync(packages).find((name) => name.endsWith(ending)),
    );
  const installed = join(work, 'unpacked');
  mkdirSync(installed);
  assert.equal((await run('dpkg-deb', ['-x', made('.deb'), installed])).code, 0);
  const home = join(installed, 'opt', 'Yardmaster');
  const program = join(home, 'yardmaster');
  const display = await openDisplay();
  const feed = await serveFeed();
  try {
    await check('the fuses of the program are set', () => checkFuses(program));
    await check('every file of the archive has a valid checksum', async () =>
      assert.ok((await checkArchive(join(home, 'resources'), tools)) > 20),
    );
    await check('the command line runs on the bundled Node', async () => {
      const { code, output } = await run('/bin/sh', [join(home, 'resources', 'bin', 'yardmaster'), '--version'], {
        env: { PATH: '/usr/bin:/bin' },
      });
      assert.deepEqual([code, output.trim()], [0, version]);
    });
    const doors = traps(home, work, 9200 + (process.pid % 500));
    await check('the app does not run as Node', () => doors.doesNotRunAsNode(program));
    await use(
      '.deb',
      program,
      { DISPLAY: display.name, ...doors.env },
      {
        words: doors.words,
        feed,
        inside: () =>
          check('the app accepts no Node options, no debugger, and no code next to its archive', doors.nothingCame),
      },
    );
    await use('AppImage', made('.AppImage'), { DISPLAY: display.name }, { feed });
    if (install) await checkInstalled(check, { deb: made('.deb'), version, chromium, display: display.name, work });
  } finally {
    feed.close();
    display.close();
    rmSync(work, { recursive: true, force: true });
  }
  log(`${total.passed} passed, ${total.failed} failed`);
  process.exit(total.failed > 0 ? 1 : 0);

  /** From its start to its end. `inside`: what else is to be looked at while it runs. */
  async function use(what, program, env, { words = [], feed, inside }) {
    const home = mkdtempSync(join(work, 'home-'));
    const data = join(home, 'data');
    let app;
    await check(`${what}: the window opens, with data of its own master`, async () => {
      app = await startApp(chromium, program, { home, data, words, env: { YARDMASTER_UPDATE_FEED: feed.url, ...env } });
      assert.match(app.page.url(), /^yardmaster:\/\/local\//);
    });
    if (!app) return;
    try {
      await check(`${what}: the master runs on the bundled Node`, async () => {
        const { pid, state } = await app.call('local:status');
        assert.equal(state, 'running');
        assert.match(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), /resources\/node\/node/);
      });
      await check(`${what}: a worker of the app runs an event call`, async () => {
        const { url, apiKey } = JSON.parse(readFileSync(join(data, 'local.json'), 'utf8'));
        const answer = await fetch(`${url}/api/v1/events/shout/dev`, {
          method: 'POST',
          headers: { 'api-key': apiKey, 'content-type': 'application/json' },
          body: '[{"content":"hello"}]',
        });
        const body = await answer.text();
        assert.equal(answer.status, 200, body);
        assert.match(body, /HELLO/);
      });
      await check(`${what}: an update that somebody else signed is refused`, async () => {
        feed.signs(false);
        const { state, message } = await checked(app);
        assert.equal(state, 'failed', message);
        assert.match(message, /was not signed with the key of this app/);
        feed.signs(true);
      });
      await check(`${what}: an update is found in an update folder and downloaded`, async () => {
        assert.deepEqual(await checked(app).then(({ state, version }) => [state, version]), ['available', '99.0.0']);
        const { state, message } = await app.call('updates:download');
        assert.equal(state, 'ready', message);
      });
      await inside?.();
      await check(`${what}: the app quits on request, and its master too`, async () => {
        const { pid } = await app.call('local:status');
        await app.stop();
        assert.throws(() => process.kill(pid, 0), /ESRCH/);
        assert.deepEqual(
          readdirSync(tmpdir()).filter((name) => name.startsWith('.mount_')),
          [],
        );
      });
    } finally {
      app.kill();
    }
  }
});

/** Asks for updates, once the app has done so by itself. */
async function checked(app) {
  for (;;) {
    while ((await app.call('updates:status')).state === 'checking') await sleep(50);
    const status = await app.call('updates:check');
    if (status.state !== 'checking') return status;
  }
}

/** A folder of updates that says of these very packages that they are newer ones; `signs`: with their key, or another one. */
async function serveFeed() {
  const about = readFileSync(
    join(packages, process.arch === 'arm64' ? 'latest-linux-arm64.yml' : 'latest-linux.yml'),
    'utf8',
  ).replace(/^version: .*/m, 'version: 99.0.0');
  const dist = dirname(packages);
  const { privateKey } = updateKey(dist, () => {});
  const { privateKey: anotherKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  let key = privateKey;
  const server = createServer((request, response) => {
    const file = join(
      packages,
      decodeURIComponent(new URL(request.url, 'http://localhost').pathname.split('/').at(-1)),
    );
    if (file.endsWith('.yml')) response.end(about);
    else if (file.endsWith('.yml.sig')) response.end(signFeed(basename(file, '.sig'), about, key));
    else if (existsSync(file)) createReadStream(file).pipe(response);
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/updates`,
    signs: (own) => void (key = own ? privateKey : anotherKey),
    close: () => server.close(),
  };
}
