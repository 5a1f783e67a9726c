import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ReplayResult, ReplayRequest } from '../../contract/replay.ts';
import { bareEnvironment } from '../../lib/child-environment.ts';
import { threadFile } from '../../lib/thread-file.ts';

const MIB = 1024 * 1024;
/** Time that a process may take to be ready, before the time of its first replay begins. */
const START_MS = 60_000;

/** Why a replay came to no answer. */
export class ReplayProcessCrashed extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Runs replays one after the other in a process of its own, which is started when it is needed and anew where one broke it. */
export interface ReplayProcess {
  /** Rejects with `ReplayProcessCrashed`. */
  run(ask: ReplayRequest, seconds: number): Promise<ReplayResult>;
  close(): Promise<void>;
}

export function openReplayProcess(memoryBytes: number): ReplayProcess {
  let child: ChildProcess | null = null;
  const ready = new WeakSet<ChildProcess>();

  function start(): ChildProcess {
    const file = fileURLToPath(threadFile(import.meta.url, '../../worker/shadow/process-main.ts', 'replay-process.js'));
    const started = fork(file, [], {
      execArgv: [`--max-old-space-size=${Math.ceil(memoryBytes / MIB)}`],
      env: bareEnvironment(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    started.once('exit', () => {
      if (child === started) child = null;
    });
    return started;
  }

  async function end(): Promise<void> {
    const ending = child;
    child = null;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null || ending.pid === undefined) return;
    const gone = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
    ending.kill('SIGKILL');
    await gone;
  }

  return {
    run(ask, seconds) {
      const to = (child ??= start());
      return new Promise<ReplayResult>((resolve, reject) => {
        const settle = () => {
          clearTimeout(timer);
          to.off('message', answered).off('exit', ended).off('error', ended);
        };
        const broke = (code: string, message: string) => {
          settle();
          reject(new ReplayProcessCrashed(code, message));
        };
        const late = () => {
          broke(
            'TRIAL_TIMEOUT',
            ready.has(to)
              ? `the input took longer than ${seconds} s`
              : `the backtest process was not ready after ${START_MS / 1000} s`,
          );
          void end();
        };
        const answered = (answer: ReplayResult | { broke: string } | 'ready') => {
          if (answer === 'ready') {
            ready.add(to);
            clearTimeout(timer);
            timer = setTimeout(late, seconds * 1000);
            return;
          }
          if ('broke' in answer) return broke('TRIAL_FAILED', answer.broke);
          settle();
          resolve(answer);
        };
        const ended = (why: unknown) => {
          if (child === to) child = null;
          broke(
            'TRIAL_ENDED',
            why instanceof Error
              ? `the backtest process failed: ${why.message}`
              : `the backtest process ended: it may have needed more than ${Math.ceil(memoryBytes / MIB)} MiB of memory`,
          );
        };
        let timer = setTimeout(late, ready.has(to) ? seconds * 1000 : START_MS);
        to.on('message', answered).on('exit', ended).on('error', ended);
        to.send(ask, (error) => error && ended(error));
      });
    },
    close: end,
  };
}
