import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from '../../lib/child-environment.ts';
import { lowerPriority } from '../../lib/lower-thread-priority.ts';
import { threadFile } from '../../lib/thread-file.ts';

/** What the process is asked; JSON as text, so that no number changes. */
export interface ExpressionAsk {
  readonly source: string;
  readonly input: string;
  readonly timeoutMs: number;
  readonly outputBytes: number;
}

export type ExpressionOutcome =
  /** JSON text; empty: it has no value. */
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string }
  /** The process is gone. */
  | { readonly kind: 'ended'; readonly message: string };

export interface ExpressionProcess {
  /** Evaluates one expression; the next one only after that. */
  run(ask: ExpressionAsk): Promise<ExpressionOutcome>;
  /** Calls back once it was asked nothing for so long. */
  whenIdle(ms: number, told: () => void): void;
  end(): Promise<void>;
}

/** What the process says (src/worker/isolation/protocol.ts). */
type Message =
  | { t: 'ready' }
  | { t: 'log' }
  | { t: 'done'; text: string }
  | { t: 'fail'; error: { readonly message: string } };

const MIB = 1024 * 1024;
/** The process looks at its time limit between steps; one that holds it for longer is ended. */
const GRACE_MS = 500;

/** The process in which workers evaluate expressions, started by the master for its own. */
export function openProcess(memoryBytes: number): ExpressionProcess {
  const file = threadFile(import.meta.url, '../../worker/expressions/process-main.ts', 'expression-process.js');
  const child = fork(fileURLToPath(file), [], {
    execArgv: [`--max-old-space-size=${Math.max(16, Math.ceil(memoryBytes / MIB))}`],
    env: bareEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Some at once would take the processors from the master's own loop.
  if (child.pid !== undefined) lowerPriority(child.pid);
  const ready = Promise.withResolvers<void>();
  let told: ((outcome: ExpressionOutcome) => void) | null = null;
  let timedOut: string | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let gone: string | null = null;

  function tell(outcome: ExpressionOutcome): void {
    const waits = told;
    told = null;
    waits?.(outcome);
  }
  function ended(message: string): void {
    gone ??= message;
    ready.resolve();
    tell({ kind: 'ended', message: timedOut ?? message });
  }
  child.on('message', (message: Message) => {
    if (message.t === 'ready') ready.resolve();
    else if (message.t === 'done') tell({ kind: 'value', text: message.text });
    else if (message.t === 'fail') tell({ kind: 'failed', message: message.error.message });
  });
  child.on('error', (error) => ended(`the process for expressions could not be started: ${error.message}`));
  child.on('exit', (code, signal) =>
    ended(
      `the expression ended its process (${signal ?? `exit code ${code}`}); it may need more than ${Math.ceil(memoryBytes / MIB)} MiB of memory`,
    ),
  );
  child.unref();
  child.channel?.unref();

  return {
    async run({ source, input, timeoutMs, outputBytes }) {
      clearTimeout(idleTimer);
      await ready.promise;
      if (gone !== null) return { kind: 'ended', message: gone };
      const outcome = Promise.withResolvers<ExpressionOutcome>();
      const guard = setTimeout(() => {
        timedOut = `the expression took longer than ${timeoutMs / 1000} s`;
        child.kill('SIGKILL');
      }, timeoutMs + GRACE_MS);
      told = (known) => {
        clearTimeout(guard);
        outcome.resolve(known);
      };
      child.send(
        { kind: 'expression', source, input, timeoutMs, outputBytes },
        (error) => error && ended(`the process for expressions was lost: ${error.message}`),
      );
      return outcome.promise;
    },
    whenIdle(ms, idle) {
      idleTimer = setTimeout(idle, ms).unref();
    },
    async end() {
      clearTimeout(idleTimer);
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGKILL');
      await exit;
    },
  };
}
