import { BACKOFF, createBackoff } from '../../lib/backoff.ts';
import { childEnvironment } from '../../lib/child-environment.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { NODE_ENVIRONMENT, NODE_FLAGS, type LocalWorkerEnded, type MasterAddress } from '../../contract/process.ts';

export interface SupervisorOptions {
  count: number;
  capacity: number;
  /** The entry that knows the `worker` command. */
  cli: string;
  token: string;
  /** Certificate that the workers trust besides the system's. */
  caFile: string | null;
  log(line: string): void;
}

export interface Supervisor {
  /** Says where the master is, to those that run and to all that follow; `ended` is called where one of them ends by itself. */
  announce(address: MasterAddress, ended: LocalWorkerEnded): void;
  /** Waits for them to end by themselves, then kills what is left after `seconds`. */
  close(seconds: number): Promise<void>;
}

/** A worker that ran this long starts its back-off anew. */
const STEADY_MS = 30_000;

interface Slot {
  /** Hands the line to the one that runs. */
  write(line: string): void;
  close(seconds: number): Promise<void>;
}
/** What is known of the master by now. */
interface Announced {
  line: string | null;
  ended: LocalWorkerEnded;
}

/**
 * Starts the local workers and restarts those that end, with back-off. They start while the master does and wait to be told where it is. Their standard input is a pipe of the master, so
 * that they end with it however it dies.
 */
export function superviseWorkers(options: SupervisorOptions): Supervisor {
  const announced: Announced = { line: null, ended: () => {} };
  const slots = Array.from({ length: options.count }, (_, i) => keepRunning(i + 1, announced, options));
  return {
    announce(address, ended) {
      announced.line = `${JSON.stringify(address)}\n`;
      announced.ended = ended;
      for (const slot of slots) slot.write(announced.line);
    },
    close: async (seconds) => void (await Promise.all(slots.map((slot) => slot.close(seconds)))),
  };
}

function keepRunning(number: number, announced: Announced, options: SupervisorOptions): Slot {
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closing = false;
  const backoff = createBackoff(BACKOFF.localWorker);

  function start() {
    timer = null;
    const startedAt = Date.now();
    const lines = tailOf();
    const current = spawn(
      process.execPath,
      [
        ...NODE_FLAGS,
        options.cli,
        'worker',
        '--master',
        '-',
        '--capacity',
        String(options.capacity),
        '--label',
        `local=${number}`,
        '--exit-with-parent',
      ],
      {
        stdio: ['pipe', 'ignore', 'pipe'],
        env: {
          ...NODE_ENVIRONMENT,
          ...childEnvironment(process.env),
          ...electronAsNode(),
          YARDMASTER_WORKER_TOKEN: options.token,
          ...(options.caFile ? { NODE_EXTRA_CA_CERTS: options.caFile } : {}),
        },
      },
    );
    child = current;
    current.stderr?.on('data', lines.push);
    current.stdin?.on('error', () => {});
    if (announced.line !== null) current.stdin?.write(announced.line);
    current.once('error', (error) => options.log(`could not start local worker ${number}: ${error.message}`));
    current.once('close', (code, signal) => {
      child = null;
      if (closing) return;
      announced.ended(number, { code, signal, lines: lines.last() });
      if (Date.now() - startedAt > STEADY_MS) backoff.reset();
      const waitMs = backoff.next();
      options.log(
        `local worker ${number} exited (${signal ?? `code ${code}`}); restarting in ${waitMs / 1000} s${lines.text()}`,
      );
      timer = setTimeout(start, waitMs);
    });
  }

  start();
  const close = async (seconds: number) => {
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
  return { write: (line) => void child?.stdin?.write(line), close };
}

/** Under Electron the executable is Electron's: this makes it behave as Node. */
const electronAsNode = (): Record<string, string> =>
  process.versions['electron'] ? { ELECTRON_RUN_AS_NODE: '1' } : {};

/** The last lines that a child wrote, for the message about its end. */
function tailOf(limit = 2000) {
  let text = '';
  return {
    push: (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-limit);
    },
    last: () => (text.trim() === '' ? [] : text.trim().split('\n').slice(-10)),
    text: () => (text.trim() === '' ? '' : `: ${text.trim().split('\n').slice(-3).join(' | ')}`),
  };
}

/** Seconds that the local workers have to register before the master serves without them and says so. */
const REGISTER_SECONDS = 20;

export async function waitForLocalWorkers(
  workers: { overview(): { total: number; down: number } },
  count: number,
  log: (line: string) => void,
): Promise<void> {
  const deadline = Date.now() + REGISTER_SECONDS * 1000;
  const up = () => {
    const { total, down } = workers.overview();
    return total - down;
  };
  while (up() < count) {
    if (Date.now() > deadline)
      return log(`only ${up()} of ${count} local workers have registered after ${REGISTER_SECONDS} s`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
