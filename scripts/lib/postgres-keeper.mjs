import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Runs one PostgreSQL and ends it when whoever wanted it is gone: the end of our standard input, which also comes when that
 * process was killed. First line in: `{command, args, user, log, remove}`; out: `{pid}` or `{fault}`; then `stop` or `kill`.
 */

const SMART_MS = 10_000;
const FAST_MS = 8_000;
const IMMEDIATE_MS = 3_000;
const windows = process.platform === 'win32';

const lines = createInterface({ input: process.stdin });
const [first] = await once(lines, 'line');
const { command, args, user, log, remove } = JSON.parse(first);

const output = openSync(log, 'a', 0o600);
// A group of its own: what ends ours by a signal to all reaches it through us alone. Its folder is no place to stand in, as it may go.
const server = spawn(command, args, { stdio: ['ignore', output, output], detached: true, cwd: '/', ...user });
const gone = new Promise((resolve) => server.once('exit', resolve).once('error', resolve));
let ending = Promise.resolve();
let told = false;

server.once('error', (error) => process.stdout.write(`${JSON.stringify({ fault: error.message })}\n`));
server.once('spawn', () => process.stdout.write(`${JSON.stringify({ pid: server.pid })}\n`));
// Nobody may be left to hear.
process.stdout.on('error', () => {});
lines.on('line', (word) => end(word));
lines.once('close', abandoned);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end('stop'));

await gone;
await ending;
process.exit(0);

function abandoned() {
  if (remove !== null)
    ending = kill().then(() => rmSync(remove, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  else if (!told) ending = stop(true);
  told = true;
}

/** `kill` also while it stops. */
function end(how) {
  if (how === 'kill') ending = kill();
  else if (!told) ending = stop();
  told = true;
}

/** `gently`: who is connected, such as masters that end as well, may end first. */
async function stop(gently = false) {
  for (const [mode, signal, patience] of [
    ...(gently ? [['smart', 'SIGTERM', SMART_MS]] : []),
    ['fast', 'SIGINT', FAST_MS],
    ['immediate', 'SIGQUIT', IMMEDIATE_MS],
  ]) {
    if (windows) control(mode);
    else server.kill(signal);
    if (await Promise.race([gone.then(() => true), pause(patience, false, { ref: false })])) return;
  }
  await kill();
}

/** All at once, as when the machine loses its power: its processes would finish what they are at, and hold the shared memory, if it alone died. */
async function kill() {
  const family = processes().flatMap(({ pid, parent }) => (parent === server.pid ? [pid] : []));
  server.kill('SIGKILL');
  for (const pid of family) killed(pid);
  await gone;
  while (processes().some(({ pid, dead }) => family.includes(pid) && !dead)) await pause(5);
}

/** Dead are those whose end nobody has asked about. */
function processes() {
  try {
    return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .map(([pid, parent, state]) => ({ pid: Number(pid), parent: Number(parent), dead: state?.startsWith('Z') }));
  } catch {
    // Without it: they see that the first of them is dead, and end.
    return [];
  }
}

function killed(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

function control(mode) {
  try {
    execFileSync(join(dirname(command), 'pg_ctl.exe'), ['stop', '-D', args[1], '-m', mode, '-W']);
  } catch {
    // It is gone, or the next try is harder.
  }
}
