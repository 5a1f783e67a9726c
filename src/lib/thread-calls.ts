import type { MessagePort } from 'node:worker_threads';
import { Fault } from './fault.ts';
import { parseJson } from './json.ts';
import { startWorker } from './start-worker.ts';

/** Calls to a worker thread and what it tells by itself. */
export interface ThreadCalls {
  /** Calls a method of the thread; bytes among the arguments are handed over. Rejects with the `Fault` that it threw, or where the thread ends. */
  call<T>(method: string, ...args: unknown[]): Promise<T>;
  /** The same, with the result as the JSON text that it travels as: for what is only sent on. */
  text(method: string, ...args: unknown[]): Promise<string>;
  /** The same for a method that gives bytes, or null. They are handed over, not copied. */
  bytes(method: string, ...args: unknown[]): Promise<Uint8Array | null>;
  /** Ends the thread at once; calls under way reject. */
  end(): Promise<void>;
}

interface Call {
  id: number;
  method: string;
  args: unknown[];
}
/** Results and events travel as JSON text, so that numbers stay as they are (lib/json); undefined comes out as null. */
type Reply =
  | { id: number; result: string | Uint8Array }
  | {
      id: number;
      fault: {
        code: string;
        detail: string;
        extra: Record<string, unknown>;
        errors: { pointer: string; message: string }[] | undefined;
      };
    }
  | { event: string };

/** Starts a thread that `serveCalls`. `onEnd` hears why it ended by itself. */
export function startThread(
  file: URL,
  data: unknown,
  onEvent: (event: unknown) => void,
  onEnd: (why: string) => void,
): ThreadCalls {
  const worker = startWorker(file, { data });
  const waiting = new Map<number, { take(result: string | Uint8Array): void; reject(error: unknown): void }>();
  let last = 0;
  let ended = false;
  const over = (why: string) => {
    for (const { reject } of waiting.values())
      reject(new Fault('STORE_UNAVAILABLE', `the thread ${file.pathname.split('/').at(-1)} ended (${why}); try again`));
    waiting.clear();
    if (!ended) onEnd(why);
    ended = true;
  };
  worker.on('message', (reply: Reply) => {
    if ('event' in reply) return onEvent(parseJson(reply.event));
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('result' in reply) call?.take(reply.result);
    else
      call?.reject(
        new Fault(reply.fault.code, reply.fault.detail, {
          extra: reply.fault.extra,
          ...(reply.fault.errors ? { errors: reply.fault.errors } : {}),
        }),
      );
  });
  worker.on('error', (error) => over(error.message));
  worker.on('exit', (code) => over(`exit ${code}`));
  const send = (method: string, args: unknown[]): Promise<string | Uint8Array> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(new Fault('STORE_UNAVAILABLE', 'the thread has ended'));
      const id = ++last;
      waiting.set(id, { take: resolve, reject });
      worker.postMessage({ id, method, args } satisfies Call, args.flatMap(ownBytes));
    });
  const text = async (method: string, ...args: unknown[]) => (await send(method, args)) as string;
  return {
    text,
    async bytes(method, ...args) {
      const result = await send(method, args);
      return typeof result === 'string' ? null : result;
    },
    call: async <T>(method: string, ...args: unknown[]) => parseJson(await text(method, ...args)) as T,
    async end() {
      ended = true;
      await worker.terminate();
    },
  };
}

/** The thread's end: answers calls with the methods of that name, in the order in which they come. */
export function serveCalls(
  port: MessagePort,
  methods: Record<string, (...args: never[]) => unknown>,
): { tell(event: unknown): void } {
  port.on('message', async ({ id, method, args }: Call) => {
    try {
      const result = await methods[method]?.(...(args as never[]));
      if (result instanceof Uint8Array) port.postMessage({ id, result } satisfies Reply, ownBytes(result));
      else port.postMessage({ id, result: JSON.stringify(result ?? null) } satisfies Reply);
    } catch (error) {
      const { code = 'INTERNAL', message, extra = {}, errors } = error as Fault;
      port.postMessage({ id, fault: { code, detail: message, extra, errors } } satisfies Reply);
    }
  });
  return { tell: (event) => port.postMessage({ event: JSON.stringify(event) } satisfies Reply) };
}

/** The buffer of bytes that share it with no others: it can be handed over. */
const ownBytes = (value: unknown): ArrayBuffer[] =>
  value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength
    ? [value.buffer]
    : [];
