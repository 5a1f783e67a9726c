import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { now, type Told } from './peer.ts';

/** The worker process of a peer, seen from the benchmark. */
export async function startPeerWorker(file: URL, args: readonly string[]) {
  const child = fork(fileURLToPath(file), [...args], { execArgv: [] });
  let told: Told = { ended: 0, endedAt: 0, startedAt: 0 };
  let wake = () => {};
  const ready = new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file.pathname} ended with ${code}`)));
    child.on('message', (message: Told | 'ready') => {
      if (message === 'ready') return resolve();
      told = message;
      wake();
    });
  });
  await ready;
  const until = async (reached: () => boolean) => {
    while (!reached()) await new Promise<void>((resolve) => (wake = resolve));
    return told;
  };
  return {
    pid: child.pid as number,
    finished: async (count: number) => (await until(() => told.ended >= count)).endedAt,
    /** Runs `submit` on an idle worker: ms from its call to the start of the job. */
    async pickUp(submit: () => Promise<unknown>) {
      const before = told.ended;
      const from = now();
      await submit();
      return (await until(() => told.ended > before)).startedAt - from;
    },
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** In the worker process: counts what ends and tells of it, a turn at a time. */
export function teller(): { began(): void; done(): void } {
  let told: Told = { ended: 0, endedAt: 0, startedAt: 0 };
  let due = false;
  return {
    began: () => void (told.startedAt = now()),
    done() {
      told = { ...told, ended: told.ended + 1, endedAt: now() };
      if (due) return;
      due = true;
      setImmediate(() => {
        due = false;
        process.send?.(told);
      });
    },
  };
}
