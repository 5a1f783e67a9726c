import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { createBackoff } from '../../lib/backoff.ts';
import { errorMessage } from '../../lib/errors.ts';
import { Fault } from '../../lib/fault.ts';
import { watchThread } from './thread-usage.ts';
import { ownBuffer } from '../../lib/own-buffer.ts';
import {
  deserializeFault,
  type Call,
  type SerializedFault,
  type Methods,
  type Reply,
  type Result,
} from './messages.ts';

/** A call to a method of the thread. Bytes among the arguments that share their memory with no others are handed over. */
export type CallThread<M extends Methods> = <K extends keyof M & string>(
  method: K,
  ...args: Parameters<M[K]>
) => Promise<Result<M, K>>;

/** Calls that belong together: they go to one and the same thread, which stays until `release`. */
export interface Session<M extends Methods> {
  readonly call: CallThread<M>;
  release(): void;
  /** The thread is not used for anything new, and ends with its last session. */
  retire(): void;
}

/** A worker thread that is started, watched, ended and started again. */
export interface Thread<M extends Methods> {
  /** Rejects with the fault that the method threw, or where the thread ends before it has answered. */
  readonly call: CallThread<M>;
  /** The same with bytes to hand over that stand within the arguments. */
  send<K extends keyof M & string>(
    method: K,
    args: Parameters<M[K]>,
    bytes: readonly Uint8Array[],
  ): Promise<Result<M, K>>;
  /** Calls it where it runs; nobody learns what comes of it. */
  notify<K extends keyof M & string>(method: K, ...args: Parameters<M[K]>): void;
  session(): Session<M>;
  /** Of a thread that is kept running: resolves when the first one has started, rejects with what kept it from that; then close it. */
  readonly started: Promise<void>;
  readonly running: boolean;
  /** Bytes that came with calls under way. */
  readonly queuedBytes: number;
  /** Ends the thread at once, whatever it does; the next call starts another. */
  stop(): Promise<void>;
  /** Ends it for good. */
  close(): Promise<void>;
}

export interface ThreadOptions<M extends Methods, Event> {
  readonly file: URL;
  /** What the thread is, in the words of a fault: "the … thread", or "a … thread" where there are several. */
  readonly name: string;
  /** Handed to each thread that is started. */
  data(): unknown;
  /** Megabytes: of new objects a third of `youngMb`; above `oldMb` of all objects the thread ends. */
  memory?(): { readonly youngMb?: number; readonly oldMb?: number };
  /** Tells a new thread what it has to know. Where it rejects, the thread is ended as if it had ended by itself. */
  onStart?(call: CallThread<M>): Promise<void> | void;
  onEvent?(event: Event): void;
  /** The thread has ended; `why` null: it was ended here. `replaced`: there is another one already; `lostCalls` were under way. */
  onExit?(why: string | null, end: { readonly replaced: boolean; readonly lostCalls: number }): void;
  /** Started at once, and again this long after it ended by itself; longer where it ends again and again. Else it is started by calls. */
  readonly restartMs?: number;
  /** Ended when it had no call and no session for so long. */
  readonly idleMs?: number;
  /** Bytes of calls under way, above which others are refused. One call alone is always taken. */
  readonly queue?: { most(): number; refusal(queued: number): Error };
  /** What calls reject with whose thread ended. */
  lost?(why: string, code: string | undefined): Error;
  /** What calls reject with whose method failed. */
  failed?(failure: SerializedFault): Error;
}

/** Most threads do little at a time, and there are a dozen of them. */
const YOUNG_MB = 6;
/** A thread that ended sooner is likely to end again: the next start waits twice as long, up to ten times. */
const STEADY_MS = 60_000;
const MAX_WAIT = 10;

interface Waiting {
  readonly bytes: number;
  resolve(result: never): void;
  reject(error: unknown): void;
}

/** One worker, from its start to its end. */
interface Run<M extends Methods> {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
  readonly call: CallThread<M>;
  readonly startedAt: number;
  sessions: number;
  retired: boolean;
  ended: boolean;
  idle: NodeJS.Timeout | undefined;
}

export function createThread<M extends Methods, Event = never>(options: ThreadOptions<M, Event>): Thread<M> {
  const { restartMs, idleMs, onStart, onExit, failed = deserializeFault } = options;
  const lost =
    options.lost ?? ((why: string) => new Fault('STORE_UNAVAILABLE', `${options.name} ended (${why}); try again`));
  const alive = new Set<Run<M>>();
  let current: Run<M> | null = null;
  let closed = false;
  let lastId = 0;
  let queuedBytes = 0;
  let restart: NodeJS.Timeout | undefined;
  const backoff = createBackoff({ firstMs: restartMs ?? 0, mostMs: (restartMs ?? 0) * MAX_WAIT });

  function start(): Run<M> {
    const worker = startWorker(options.file, options.name, options.data(), options.memory?.());
    const run: Run<M> = {
      worker,
      waiting: new Map(),
      call: (method, ...args) => post(run, method, args, bytesAmong(args)),
      startedAt: performance.now(),
      sessions: 0,
      retired: false,
      ended: false,
      idle: undefined,
    };
    current = run;
    alive.add(run);
    worker.on('message', (reply: Reply<Event>) => {
      if ('event' in reply) return options.onEvent?.(reply.event);
      const call = settle(run, reply.id);
      if ('result' in reply) call?.resolve(reply.result);
      else call?.reject(failed(reply.failure));
    });
    worker.on('error', (error: NodeJS.ErrnoException) => exited(run, error.message, error.code));
    worker.on('exit', (code) => exited(run, `exit ${code}`));
    rest(run);
    return run;
  }

  /** What it was asked may be what ended it, so nothing is asked again. */
  function exited(run: Run<M>, why: string, code?: string): void {
    if (run.ended) return;
    const lostCalls = run.waiting.size;
    forget(run, lost(why, code));
    onExit?.(why, { replaced: current !== null, lostCalls });
    if (restartMs === undefined || closed) return;
    if (performance.now() - run.startedAt > STEADY_MS) backoff.reset();
    restart = setTimeout(async () => {
      const next = start();
      try {
        await onStart?.(next.call);
      } catch (error) {
        exited(next, errorMessage(error));
        await next.worker.terminate();
      }
    }, backoff.next()).unref();
  }

  async function startFirst(): Promise<void> {
    const run = start();
    await onStart?.(run.call);
  }

  function forget(run: Run<M>, error: Error): void {
    run.ended = true;
    alive.delete(run);
    if (current === run) current = null;
    clearTimeout(run.idle);
    for (const id of [...run.waiting.keys()]) settle(run, id)?.reject(error);
  }

  async function end(run: Run<M>, error: Error): Promise<void> {
    if (run.ended) return;
    const lostCalls = run.waiting.size;
    forget(run, error);
    await run.worker.terminate();
    onExit?.(null, { replaced: current !== null, lostCalls });
  }

  const endAll = async (error: Error): Promise<void> =>
    void (await Promise.all([...alive].map((run) => end(run, error))));

  function settle(run: Run<M>, id: number): Waiting | undefined {
    const call = run.waiting.get(id);
    run.waiting.delete(id);
    queuedBytes -= call?.bytes ?? 0;
    if (call) rest(run);
    return call;
  }

  /** Nobody waits for it: it keeps no process alive, and goes once it was retired, or has been idle for long. */
  function rest(run: Run<M>): void {
    if (run.waiting.size + run.sessions > 0 || run.ended || restartMs !== undefined) return;
    run.worker.unref();
    if (run.retired) void end(run, lost('it was no longer needed', undefined));
    else if (idleMs !== undefined)
      run.idle = setTimeout(() => void end(run, lost('it was idle', undefined)), idleMs).unref();
  }

  function wake(run: Run<M>): void {
    clearTimeout(run.idle);
    run.worker.ref();
  }

  function running(): Run<M> {
    if (closed) throw new Fault('SHUTTING_DOWN', 'the master is shutting down');
    if (current) return current;
    if (restartMs !== undefined) throw lost('it is about to restart', undefined);
    const run = start();
    // Of a thread that is started by a call, that call is what fails where it cannot start.
    void Promise.resolve(onStart?.(run.call)).catch(() => {});
    return run;
  }

  function post<K extends keyof M & string>(
    run: Run<M>,
    method: K,
    args: readonly unknown[],
    moved: readonly Uint8Array[],
  ): Promise<Result<M, K>> {
    const bytes = moved.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return new Promise<Result<M, K>>((resolve, reject) => {
      if (run.ended) return reject(lost('it has ended', undefined));
      if (options.queue && queuedBytes > 0 && queuedBytes + bytes > options.queue.most())
        return reject(options.queue.refusal(queuedBytes));
      const id = ++lastId;
      // Throws where an argument cannot be copied.
      run.worker.postMessage({ id, method, args } satisfies Call, moved.flatMap(ownBuffer));
      wake(run);
      queuedBytes += bytes;
      run.waiting.set(id, { bytes, resolve, reject });
    });
  }

  const started = restartMs === undefined ? Promise.resolve() : startFirst();
  started.catch(() => {});

  return {
    started,
    call: async (method, ...args) => running().call(method, ...args),
    send: async (method, args, bytes) => post(running(), method, args, bytes),
    notify: (method, ...args) => void current?.call(method, ...args).catch(() => {}),
    session() {
      const run = running();
      run.sessions++;
      wake(run);
      let released = false;
      return {
        call: run.call,
        retire() {
          run.retired = true;
          if (current === run) current = null;
        },
        release() {
          if (released) return;
          released = true;
          run.sessions--;
          rest(run);
        },
      };
    },
    get running() {
      return current !== null;
    },
    get queuedBytes() {
      return queuedBytes;
    },
    stop: () => endAll(lost('it was stopped', undefined)),
    async close() {
      closed = true;
      clearTimeout(restart);
      await endAll(new Fault('SHUTTING_DOWN', 'the master is shutting down'));
    },
  };
}

const bytesAmong = (args: readonly unknown[]): Uint8Array[] => args.filter((arg) => arg instanceof Uint8Array);

/**
 * Starts a thread whose space for new objects is as small as told. The flag that sets it for the process
 * (contract/process.ts) would hold for each thread, whatever its own limits say; the main thread has its space already,
 * so the flag is taken back.
 */
function startWorker(
  file: URL,
  name: string,
  workerData: unknown,
  { youngMb = YOUNG_MB, oldMb }: { readonly youngMb?: number; readonly oldMb?: number } = {},
): Worker {
  setFlagsFromString('--max-semi-space-size=0');
  const worker = new Worker(file, {
    // As the system and System Health list it: "the metric writer thread" is metric writer.
    name: name.replace(/^(?:the|a) /, '').replace(/ thread$/, ''),
    workerData,
    resourceLimits: {
      maxYoungGenerationSizeMb: youngMb,
      ...(oldMb === undefined ? {} : { maxOldGenerationSizeMb: oldMb }),
    },
  });
  watchThread(worker);
  return worker;
}
