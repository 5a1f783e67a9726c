import assert from 'node:assert/strict';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programOf } from './debian.mjs';
import { startApp } from './package-start.mjs';
import { run } from './processes.mjs';

/** Debian's own user without rights. */
const NOBODY = 65534;
const apt = (...args) =>
  run('apt-get', ['-q', '-y', ...args], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
const OUTSIDE = [
  '/usr/bin/yardmaster',
  '/usr/bin/yardmaster-desktop',
  '/usr/share/applications/yardmaster.desktop',
  '/usr/share/mime/packages/yardmaster.xml',
  '/usr/share/icons/hicolor/256x256/apps/yardmaster.png',
];

/**
 * Installs a .deb on this very system, uses it as an ordinary user does, and purges it. To be run as root on a machine that
 * is nobody's.
 */
export async function checkInstalled(check, { deb, version, chromium, display, work }) {
  const home = join(work, 'somebody');
  mkdirSync(home);
  chownSync(home, NOBODY, NOBODY);
  const asSomebody = (command, args) =>
    run('setpriv', [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', command, ...args], {
      cwd: home,
      env: { PATH: '/usr/bin:/bin', HOME: home, DISPLAY: display, LANG: 'C.UTF-8' },
    });

  await check('apt installs the .deb and its dependencies', async () => {
    const { code, output } = await apt('install', deb);
    assert.equal(code, 0, output.slice(-2000));
    assert.deepEqual(await run('dpkg', ['--verify', 'yardmaster']), { code: 0, output: '' });
    for (const path of OUTSIDE) assert.ok(existsSync(path), `${path} is missing`);
  });
  await check('the command line is in the path', async () => {
    const { code, output } = await asSomebody('yardmaster', ['--version']);
    assert.deepEqual([code, output.trim()], [0, version]);
  });
  await check('the system opens its files and links with the app', async () => {
    const entry = readFileSync('/usr/share/applications/yardmaster.desktop', 'utf8');
    assert.match(entry, /^Exec=\/opt\/Yardmaster\/yardmaster %U$/m);
    if (programOf('desktop-file-validate'))
      assert.deepEqual(await run('desktop-file-validate', ['/usr/share/applications/yardmaster.desktop']), {
        code: 0,
        output: '',
      });
    for (const type of [
      'x-scheme-handler/yardmaster',
      'application/x-yardmaster-workflow',
      'application/x-yardmaster-incident',
    ])
      assert.equal(
        (await asSomebody('xdg-mime', ['query', 'default', type])).output.trim(),
        'yardmaster.desktop',
        type,
      );
    for (const [name, type] of [
      ['order.workflow.json', 'application/x-yardmaster-workflow'],
      ['night.yardmaster-incident', 'application/x-yardmaster-incident'],
      ['other.json', 'application/json'],
    ]) {
      writeFileSync(join(home, name), '{}');
      if (programOf('gio'))
        assert.match(
          (await asSomebody('gio', ['info', '-a', 'standard::content-type', name])).output,
          new RegExp(`standard::content-type: ${type}`),
          name,
        );
    }
  });
  let app;
  await check(
    'an ordinary user starts it through a link, in its sandbox, and a second start passes on a file',
    async () => {
      app = await startApp(chromium, '/usr/bin/yardmaster-desktop', {
        home,
        env: { DISPLAY: display },
        words: ['yardmaster://local/workflows'],
        user: NOBODY,
      });
      await app.page.waitForURL(/^yardmaster:\/\/local\/workflows/);
      const pages = readdirSync('/proc').filter((pid) =>
        /\/opt\/Yardmaster\/yardmaster.*--type=renderer/s.test(read(`/proc/${pid}/cmdline`)),
      );
      assert.ok(pages.length > 0);
      for (const pid of pages) assert.match(read(`/proc/${pid}/status`), /^Seccomp:\s*2$/m, 'the page has no sandbox');
      // As a file manager does it: by its entry, and as an address.
      await asSomebody('/opt/Yardmaster/yardmaster', [
        'file:///opt/Yardmaster/resources/server/resources/examples/shout.workflow.json',
      ]);
      await app.page.getByRole('dialog', { name: 'Open shout.workflow.json' }).waitFor();
    },
  );
  await check('it exits, and a purge keeps the data of its user', async () => {
    await app?.stop().finally(app.kill);
    const { code, output } = await apt('purge', 'yardmaster');
    assert.equal(code, 0, output.slice(-2000));
    for (const path of [...OUTSIDE, '/opt/Yardmaster', '/etc/apparmor.d/yardmaster'])
      assert.equal(existsSync(path), false, `${path} is still there`);
    assert.notEqual(
      (await asSomebody('xdg-mime', ['query', 'default', 'x-scheme-handler/yardmaster'])).output.trim(),
      'yardmaster.desktop',
    );
    assert.ok(existsSync(join(home, '.local', 'share', 'yardmaster', 'yardmaster.db')), 'the data is missing');
    assert.ok(existsSync(join(home, '.config', 'Yardmaster', 'window.json')), 'the settings are missing');
  });
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
