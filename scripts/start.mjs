import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { runCluster } from './lib/cluster.mjs';
import { clusterOptions } from './lib/cluster-options.mjs';
import { ensureElectron } from './lib/electron.mjs';
import { nodeFlags } from './lib/node-flags.mjs';
import { ensureInstalled, environmentOf, nodeOf } from './lib/install.mjs';
import { main } from './lib/problem.mjs';
import { stand } from './lib/processes.mjs';

/**
 * `npm start [-- options of yardmaster master]`: from a fresh clone to the running product. With a display it opens the
 * desktop app, which starts the master; without one (or with --headless or YARDMASTER_HEADLESS=1) the master runs here
 * and its console is a URL for a browser. With `--cluster [N]` it is several masters that share a PostgreSQL.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const log = (line) => process.stdout.write(`${line}\n`);
/** A window that dies sooner than this never was one. */
const STILLBORN_MS = 15_000;

await main(async () => {
  const options = process.argv.slice(2).filter((option) => option !== '--headless');
  const cluster = clusterOptions(options);
  await ensureInstalled(root, log);
  await ensureBuilt(root, log);
  if (cluster !== null) {
    if (reasonForHeadless() === null) log('A cluster opens no desktop window: open its console in a browser.');
    return runCluster(root, cluster, log);
  }
  const why = reasonForHeadless();
  if (why === null) {
    const code = await desktop(options);
    if (code !== null) return code;
  } else if (why !== '') log(why);
  return headless(options);
});

/** Null: there is a display; '': headless was asked for. */
function reasonForHeadless() {
  if (process.argv.includes('--headless') || !['', '0', undefined].includes(process.env.YARDMASTER_HEADLESS)) return '';
  if (
    process.platform === 'darwin' ||
    process.platform === 'win32' ||
    process.env.DISPLAY ||
    process.env.WAYLAND_DISPLAY
  )
    return null;
  return 'No display found: open the console in a browser instead of the desktop app.';
}

/** The exit code, or null where no window came about: then it goes on headless. */
async function desktop(options) {
  const electron = await ensureElectron(root, log);
  if (electron.executable === null) {
    log(`No desktop window: ${electron.reason}. Continuing headless.`);
    return null;
  }
  log('Opening the desktop app. Press Ctrl-C here or close the window to quit.');
  const started = Date.now();
  let words = '';
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const { code, signalled } = await stand(electron.executable, [root, ...asRoot, '--', ...options], {
    own: true,
    env: { ...environmentOf(root), YARDMASTER_NODE: nodeOf(root) },
    onStderr: (text) => {
      words = (words + text).slice(-4000);
      for (const line of text.split('\n')) if (line.startsWith('yardmaster:')) log(line);
    },
  });
  if (code === 0 || signalled || Date.now() - started > STILLBORN_MS) return signalled ? 0 : code;
  log(`No desktop window: Electron exited immediately (code ${code}). Continuing headless.`);
  const library = words.match(/error while loading shared libraries: (\S+?):/)?.[1];
  if (library)
    log(
      `  The system library ${library} is missing (Debian: apt-get install libgtk-3-0 libnss3 libasound2 libgbm1 libxss1 libatk-bridge2.0-0 libdrm2).`,
    );
  else if (/sandbox/i.test(words))
    log(
      '  The Chromium sandbox cannot start: allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone, AppArmor).',
    );
  else for (const line of words.trim().split('\n').slice(-3)) log(`  ${line}`);
  return null;
}

async function headless(options) {
  const { code } = await stand(
    nodeOf(root),
    [
      ...nodeFlags,
      join(root, 'out', 'main', 'cli.js'),
      'master',
      '--examples',
      join(root, 'resources', 'examples'),
      ...options,
    ],
    { own: true, env: environmentOf(root) },
  );
  return code;
}
