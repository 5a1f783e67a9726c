import { spawn, type ChildProcess } from 'node:child_process';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../contract/process.ts';

export interface SupervisorOptions {
  count: number;
  capacity: number;
  /** The entry that knows the `worker` command. */
  cli: string;
  masterUrl: string;
  /** A socket of the master that is quicker than its port; null: there is none. */
  socket: string | null;
  token: string;
  /** Certificate that the workers trust besides the system's. */
  caFile: string | null;
  /** The process of a local worker ended by itself. */
  ended(number: number): void;
  say(line: string): void;
}

export interface Supervisor {
  /** Waits for them to end by themselves, then kills what is left after `seconds`. */
  close(seconds: number): Promise<void>;
}

const BACKOFF_MS = { first: 250, most: 30_000 };
/** A worker that ran this long starts its back-off anew. */
const STEADY_MS = 30_000;

/**
 * Starts the local workers and restarts those that end, with back-off. Their standard input is a pipe of the master, so
 * that they end with it however it dies.
 */
export function superviseWorkers(options: SupervisorOptions): Supervisor {
  const slots = Array.from({ length: options.count }, (_, i) => keepRunning(i + 1, options));
  return { close: async (seconds) => void (await Promise.all(slots.map((close) => close(seconds)))) };
}

function keepRunning(number: number, options: SupervisorOptions): (seconds: number) => Promise<void> {
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closing = false;
  let backoff = BACKOFF_MS.first;

  function start() {
    timer = null;
    const startedAt = Date.now();
    const lines = tailOf();
    const current = spawn(process.execPath, [...NODE_FLAGS, options.cli, 'worker', '--master', options.masterUrl, '--capacity', String(options.capacity), '--label', `local=${number}`, '--exit-with-parent'], {
      stdio: ['pipe', 'ignore', 'pipe'],
      env: { ...NODE_ENVIRONMENT, ...process.env, ...electronAsNode(), YARDMASTER_WORKER_TOKEN: options.token, ...(options.socket === null ? {} : { YARDMASTER_WORKER_SOCKET: options.socket }), ...(options.caFile ? { NODE_EXTRA_CA_CERTS: options.caFile } : {}) },
    });
    child = current;
    current.stderr?.on('data', lines.push);
    current.stdin?.on('error', () => {});
    current.once('error', (error) => options.say(`local worker ${number} cannot be started: ${error.message}`));
    current.once('close', (code, signal) => {
      child = null;
      if (closing) return;
      options.ended(number);
      if (Date.now() - startedAt > STEADY_MS) backoff = BACKOFF_MS.first;
      options.say(`local worker ${number} ended (${signal ?? `exit ${code}`}); a new one starts in ${backoff / 1000} s${lines.text()}`);
      timer = setTimeout(start, backoff);
      backoff = Math.min(backoff * 2, BACKOFF_MS.most);
    });
  }

  start();
  return async (seconds) => {
    closing = true;
    if (timer) clearTimeout(timer);
    const current = child;
    if (!current || current.exitCode !== null || current.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      const kill = setTimeout(() => current.kill('SIGKILL'), seconds * 1000);
      current.once('close', () => {
        clearTimeout(kill);
        resolve();
      });
      current.kill('SIGTERM');
    });
  };
}

/** Under Electron the executable is Electron's: this makes it behave as Node. */
const electronAsNode = (): Record<string, string> => (process.versions['electron'] ? { ELECTRON_RUN_AS_NODE: '1' } : {});

/** The last lines that a child wrote, for the message about its end. */
function tailOf(limit = 2000) {
  let text = '';
  return {
    push: (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-limit);
    },
    text: () => (text.trim() === '' ? '' : `: ${text.trim().split('\n').slice(-3).join(' | ')}`),
  };
}
