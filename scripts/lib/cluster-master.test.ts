import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { keepMaster } from './cluster-master.mjs';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** As far as its keeper sees it, a master: says that it is ready, and ends by a signal or with its parent. */
const MASTER = `console.error('warming up'); console.log(JSON.stringify({ url: 'http://127.0.0.1:' + process.pid }));
process.stdin.on('end', () => process.exit(0)).resume();`;

function keep(program = MASTER, restartMs = 20) {
  const folder = mkdtempSync(join(tmpdir(), 'yardmaster-cluster-master-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const ready: { pid: number; again: boolean }[] = [];
  const ended: { pid: number; how: string; words: string[]; restartMs: number }[] = [];
  const master = keepMaster({
    command: process.execPath,
    args: ['-e', program, '--'],
    env: process.env,
    logFile: join(folder, 'log'),
    restartMs,
    onReady: (one: (typeof ready)[0]) => ready.push(one),
    onEnd: (one: (typeof ended)[0]) => ended.push(one),
  });
  ends.push(() => master.stop());
  return { master, ready, ended, log: () => readFileSync(join(folder, 'log'), 'utf8') };
}

it('starts a master again that was killed, and says by what it ended', async () => {
  const { master, ready, ended, log } = keep();
  await expect.poll(() => ready.length).toBe(1);
  expect(master.url).toBe(`http://127.0.0.1:${master.pid}`);
  process.kill(ready[0]!.pid, 'SIGKILL');
  await expect.poll(() => ready.length).toBe(2);
  expect(ended).toMatchObject([{ pid: ready[0]!.pid, how: 'was ended by SIGKILL', words: ['warming up'] }]);
  expect(ready.map(({ again }) => again)).toEqual([false, true]);
  // That it is ready may be read before what it said earlier.
  await expect.poll(log).toBe('warming up\nwarming up\n');
});

it('waits longer each time one ends right away', async () => {
  const { ended } = keep(`console.error('no such database'); process.exit(1)`);
  await expect.poll(() => ended.length).toBe(4);
  expect(ended.map(({ restartMs }) => restartMs)).toEqual([20, 40, 80, 160]);
  expect(ended[0]).toMatchObject({ how: 'ended (exit code 1)', words: ['no such database'] });
});

it('stops it without starting it again, also one that is frozen', async () => {
  const { master, ready, ended } = keep();
  await expect.poll(() => ready.length).toBe(1);
  process.kill(ready[0]!.pid, 'SIGSTOP');
  await master.stop();
  expect(() => process.kill(ready[0]!.pid, 0)).toThrow('ESRCH');
  expect(ended).toEqual([]);
});

it('the second time it does not wait', async () => {
  const { master, ready } = keep(`process.on('SIGTERM', () => {}); ${MASTER}`);
  await expect.poll(() => ready.length).toBe(1);
  const first = master.stop();
  await master.stop();
  await first;
});

it('leaves no master behind when it is killed', async () => {
  const module = new URL('./cluster-master.mjs', import.meta.url).href;
  const keeper = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { keepMaster } from ${JSON.stringify(module)};
       keepMaster({ command: process.execPath, args: ['-e', ${JSON.stringify(MASTER)}, '--'], env: process.env, logFile: '/dev/null',
         onReady: ({ pid }) => console.log(pid), onEnd() {} });`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [pid] = (await once(keeper.stdout, 'data')) as [Buffer];
  keeper.kill('SIGKILL');
  await expect
    .poll(() => {
      try {
        return process.kill(Number(String(pid)), 0);
      } catch {
        return false;
      }
    })
    .toBe(false);
});
