import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { utilityProcess } from 'electron';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../contract/process.ts';

/** A running `yardmaster master --json`, wherever it runs. */
export interface MasterProcess {
  pid(): number | null;
  /** Asks it to end in order. */
  stop(): void;
  kill(): void;
}

export interface MasterListener {
  /** A line on standard output: the ready line first. */
  line(text: string): void;
  /** A line for people. */
  logLine(text: string): void;
  /** Once, last; `how` is readable: "exit 1", "SIGKILL". */
  ended(how: string, code: number | null): void;
}

export type StartProcess = (args: readonly string[], listener: MasterListener) => MasterProcess;

/** Node-API version that the store's native module needs. */
const NEEDED_NAPI = 10;

/** Runs it under `node` where one is given, else inside Electron; null where this Electron is too old for that. */
export function masterStarter(cli: string, node: string | undefined): StartProcess | null {
  if (node) return (args, listener) => underNode(node, [...NODE_FLAGS, cli, ...args], listener);
  if (Number(process.versions['napi'] ?? 0) < NEEDED_NAPI) return null;
  return (args, listener) => insideElectron(cli, args, listener);
}

function underNode(node: string, args: readonly string[], listener: MasterListener): MasterProcess {
  // A process group of its own: a Ctrl-C in the terminal reaches it through the app alone, which lets it drain.
  // What it reads ends with this process, however that ends: then it stops in order too (`--exit-with-parent`).
  const child = spawn(node, [...args, '--exit-with-parent'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...NODE_ENVIRONMENT, ...process.env },
    detached: process.platform !== 'win32',
  });
  const closed = listen(child.stdout, child.stderr, listener);
  let failure: string | null = null;
  child.once('error', (error) => {
    failure = error.message;
    if (child.pid === undefined) listener.ended(failure, null);
  });
  child.once(
    'exit',
    (code, signal) => void closed().then(() => listener.ended(failure ?? signal ?? `exit ${code}`, code)),
  );
  child.stdin.on('error', () => {
    // It ended first.
  });
  // Windows has no signal that a process could hear.
  const stop = () => void (process.platform === 'win32' ? child.stdin.end() : child.kill('SIGTERM'));
  return { pid: () => child.pid ?? null, stop, kill: () => void child.kill('SIGKILL') };
}

function insideElectron(cli: string, args: readonly string[], listener: MasterListener): MasterProcess {
  const child = utilityProcess.fork(cli, [...args], {
    stdio: 'pipe',
    serviceName: 'Yardmaster master',
    execArgv: [...NODE_FLAGS],
  });
  // Electron's type knows less of its streams than they are.
  const closed = listen(child.stdout as Readable | null, child.stderr as Readable | null, listener);
  child.once('exit', (code) => void closed().then(() => listener.ended(`exit ${code}`, code)));
  return {
    pid: () => child.pid ?? null,
    stop: () => void child.kill(),
    kill: () => {
      if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
    },
  };
}

/** Returns what waits until both streams have been read to their end (workers may hold them a moment longer). */
function listen(out: Readable | null, err: Readable | null, listener: MasterListener): () => Promise<void> {
  const readers = [
    [out, (text: string) => listener.line(text)],
    [err, (text: string) => listener.logLine(text)],
  ] as const;
  const ends = readers.map(([stream, take]) => {
    if (!stream) return Promise.resolve();
    const reader = createInterface({ input: stream }).on('line', take);
    return new Promise<void>((resolve) => reader.once('close', resolve));
  });
  return () =>
    Promise.race([Promise.all(ends).then(() => {}), new Promise<void>((resolve) => setTimeout(resolve, 500).unref())]);
}
