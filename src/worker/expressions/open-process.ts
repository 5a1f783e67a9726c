import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from '../../lib/child-environment.ts';
import { threadFile } from '../../lib/thread-file.ts';
import type { IsolateMessage } from '../isolation/protocol.ts';
import type { Isolate, IsolateEvents } from '../isolation/pool.ts';

const MIB = 1024 * 1024;
/** Ends that the operating system or an operator brought, not the expression. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

/**
 * A process for expressions. V8 ends a whole process where one allocation finds no room, whatever the limits of the
 * thread that asked for it; so what cannot be known to be small runs where nothing else does.
 */
export function openExpressionProcess(events: IsolateEvents, memoryBytes: number): Isolate {
  const child = fork(fileURLToPath(threadFile(import.meta.url, './process-main.ts', 'expression-process.js')), [], {
    execArgv: [`--max-old-space-size=${Math.max(16, Math.ceil(memoryBytes / MIB))}`],
    env: bareEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let ended = false;
  const end = (why: string, final: boolean) => {
    if (ended) return;
    ended = true;
    events.ended(why, final);
  };
  child.on('message', (answer: IsolateMessage) => events.message(answer));
  child.on('error', (error) => end(`could not start a process: ${error.message}`, false));
  child.on('exit', (code, signal) => {
    if (code === 0 || (signal !== null && FROM_OUTSIDE.has(signal)))
      return end(`lost its process (${signal ?? `exit ${code}`})`, false);
    end(
      `needed more than the allowed ${Math.ceil(memoryBytes / MIB)} MiB of memory (its process ended with ${signal ?? `exit ${code}`})`,
      true,
    );
  });
  return {
    post: (job) => void child.send(job, (error) => error && end(`lost its process: ${error.message}`, false)),
    end() {
      ended = true;
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGKILL');
      return gone;
    },
    hold(on) {
      if (on) child.ref();
      else child.unref();
      if (on) child.channel?.ref();
      else child.channel?.unref();
    },
  };
}
