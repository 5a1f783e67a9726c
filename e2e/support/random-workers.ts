import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { SeededRandom } from '../../src/lib/seeded-random.ts';
import { CLI, NODE } from './master.ts';

/** Worker processes that are no children of the master: they outlive it, and are frozen and killed at random. */
export function startRandomWorkers(url: string, token: string, count: number, capacity: number) {
  const workers: ChildProcess[] = [];
  const thawing = new Set<NodeJS.Timeout>();
  const tally = { killed: 0, frozen: 0 };

  function hire(index: number) {
    const child = spawn(NODE, [CLI, 'worker', '--master', url, '--capacity', String(capacity)], {
      stdio: 'ignore',
      env: { ...process.env, YARDMASTER_WORKER_TOKEN: token },
    });
    workers[index] = child;
  }
  const killAll = () => workers.forEach((child) => child.kill('SIGKILL'));
  process.once('exit', killAll);
  for (let i = 0; i < count; i++) hire(i);

  return {
    tally,
    /** Kills one and takes another on in its place, or freezes one for a while. */
    harm(chance: SeededRandom) {
      const index = chance.below(count);
      const child = workers[index] as ChildProcess;
      if (chance.percent(40)) {
        tally.killed++;
        child.kill('SIGKILL');
        hire(index);
        return;
      }
      tally.frozen++;
      child.kill('SIGSTOP');
      // Some are back in time with their leases, others are thought dead by then.
      const timer = setTimeout(
        () => {
          thawing.delete(timer);
          child.kill('SIGCONT');
        },
        300 + chance.below(4000),
      );
      thawing.add(timer);
    },
    thaw() {
      for (const timer of thawing) clearTimeout(timer);
      thawing.clear();
      for (const child of workers) child.kill('SIGCONT');
    },
    async stop() {
      process.off('exit', killAll);
      const ended = workers
        .filter((child) => child.exitCode === null && child.signalCode === null)
        .map((child) => once(child, 'exit'));
      killAll();
      await Promise.all(ended);
    },
  };
}
