import { spawn } from 'node:child_process';

/** A window that takes longer than this never comes. */
const PATIENCE_MS = 120_000;

/**
 * Starts an installed app as somebody does who has nothing else: an empty home, no Node in the path. `user`: the number of
 * an ordinary user to run it as, whose sandbox then holds; without it and as root there is none.
 * Returns `{page, call, stop, kill}`: its window for Playwright, the bridge of its page, and its ends.
 */
export async function startApp(chromium, program, { home, data = null, env = {}, words = [], user = null }) {
  const asRoot = process.getuid?.() === 0 && user === null ? ['--no-sandbox'] : [];
  const ports = ['--port', '--logstash-port', '--log-store-port', '--metrics-port'].flatMap((name) => [name, '0']);
  const line = [
    program,
    ...asRoot,
    '--disable-gpu',
    '--remote-debugging-port=0',
    ...words,
    '--',
    ...ports,
    ...(data === null ? [] : ['--data', data]),
  ];
  const as = user === null ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
  const [command, ...args] = [...as, ...line];
  const child = spawn(command, args, {
    cwd: home,
    env: { PATH: '/usr/bin:/bin', HOME: home, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  // With its helpers, and what an AppImage's head started.
  const kill = () => {
    try {
      process.kill(-Number(child.pid), 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const address = await new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk) => {
      said = (said + chunk).slice(-20_000);
      const [, found] = said.match(/DevTools listening on (ws:\S+)/) ?? [];
      if (found) resolve(found);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the app exited (code ${code}):\n${said}`)));
    setTimeout(() => reject(new Error(`no window within ${PATIENCE_MS / 1000} s:\n${said}`)), PATIENCE_MS).unref();
  });
  const page = await windowOf(chromium, address).catch((error) => {
    kill();
    throw error;
  });
  return {
    page,
    kill,
    async call(channel, argument = null) {
      const outcome = await page.evaluate(([name, given]) => window.yardmaster.call(name, given), [channel, argument]);
      if (!outcome.ok) throw new Error(`${channel}: ${JSON.stringify(outcome)}`);
      return outcome.value;
    },
    /** Ends it as the system does at log-out; the exit code. */
    stop: () =>
      new Promise((resolve, reject) => {
        if (child.exitCode !== null) return resolve(child.exitCode);
        child.once('exit', resolve);
        child.kill('SIGTERM');
        setTimeout(() => reject(new Error('the app is still running after 30 s')), 30_000).unref();
      }),
  };
}

async function windowOf(chromium, address) {
  const [context] = (await chromium.connectOverCDP(address)).contexts();
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  await page.getByText('Live', { exact: true }).waitFor({ timeout: PATIENCE_MS });
  return page;
}
