import type { Worker } from 'node:worker_threads';
import type { Limits } from '../../contract/limits.ts';
import { Fault } from '../../lib/fault.ts';
import type { NamedSecret } from '../../lib/redact.ts';
import { startWorker } from '../../lib/start-worker.ts';
import type { Offload, OffloadWork } from './port.ts';
import type { OffloadCall, OffloadReply, OffloadSecrets } from './serve.ts';

/** The thread ends when it had nothing to do for so long: most masters never need it again. */
const IDLE_MS = 30_000;
/** Memory of the thread: the values of the largest body take some hundred megabytes. */
const HEAP_MB = 1024;

interface Waiting {
  readonly bytes: number;
  resolve(value: never): void;
  reject(error: unknown): void;
}

/** Calls the thread of `file`, which is started when it is first needed. */
export function createOffload({
  file,
  limits,
  onError,
  idleMs = IDLE_MS,
}: {
  file: URL;
  limits: Readonly<Limits>;
  onError(error: unknown): void;
  idleMs?: number;
}): Offload {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let secrets: readonly NamedSecret[] = [];
  let queued = 0;
  let last = 0;

  function start(): Worker {
    const started = startWorker(file, { data: limits, youngMb: 24, oldMb: HEAP_MB });
    started.on('message', (reply: OffloadReply) => {
      const call = take(reply.id);
      if ('result' in reply) call?.resolve(reply.result as never);
      else
        call?.reject(
          new Fault(reply.fault.code, reply.fault.detail, {
            extra: reply.fault.extra,
            ...(reply.fault.errors ? { errors: reply.fault.errors } : {}),
          }),
        );
    });
    started.on('error', (error) => over(started, error));
    started.on('exit', (code) => over(started, new Error(`the thread for large bodies ended (exit ${code})`)));
    started.postMessage({ secrets } satisfies OffloadSecrets);
    return started;
  }

  /** What it was asked may be what ended it, so nothing is asked again. */
  function over(ended: Worker, error: unknown) {
    if (worker !== ended) return;
    worker = null;
    if (waiting.size > 0) onError(error);
    for (const id of [...waiting.keys()])
      take(id)?.reject(
        new Fault('OVERLOADED', 'the thread that reads large bodies ended; send the call again', {
          extra: { retryAfterSeconds: 1 },
        }),
      );
  }

  function take(id: number): Waiting | undefined {
    const call = waiting.get(id);
    waiting.delete(id);
    queued -= call?.bytes ?? 0;
    if (waiting.size === 0) idle = setTimeout(rest, idleMs).unref();
    return call;
  }

  function rest() {
    const resting = worker;
    worker = null;
    void resting?.terminate();
  }

  return {
    call<M extends keyof OffloadWork>(
      method: M,
      ask: Parameters<OffloadWork[M]>[0],
      moved: readonly Uint8Array[] = [],
    ) {
      const bytes = moved.reduce((sum, { byteLength }) => sum + byteLength, 0);
      return new Promise<ReturnType<OffloadWork[M]>>((resolve, reject) => {
        // One alone is always taken, however large.
        if (queued > 0 && queued + bytes > limits.heavyQueueBytes)
          return reject(
            new Fault('OVERLOADED', 'too many large bodies wait to be read; send the call again in a moment', {
              extra: { retryAfterSeconds: 2 },
            }),
          );
        clearTimeout(idle);
        worker ??= start();
        const id = ++last;
        queued += bytes;
        waiting.set(id, { bytes, resolve, reject });
        worker.postMessage(
          { id, method, ask, limits: { ...limits } } satisfies OffloadCall,
          moved.map(({ buffer }) => buffer as ArrayBuffer),
        );
      });
    },
    redact(given) {
      secrets = given;
      worker?.postMessage({ secrets } satisfies OffloadSecrets);
    },
    async close() {
      clearTimeout(idle);
      const ended = worker;
      worker = null;
      for (const id of [...waiting.keys()]) take(id)?.reject(new Fault('SHUTTING_DOWN', 'the master is shutting down'));
      clearTimeout(idle);
      await ended?.terminate();
    },
  };
}
