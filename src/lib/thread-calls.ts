import { Worker, type MessagePort } from 'node:worker_threads';
import { Fault } from './fault.ts';
import { parseJson } from './json.ts';

/** Calls to a worker thread and what it tells by itself. */
export interface ThreadCalls {
  /** Calls a method of the thread. Rejects with the `Fault` that it threw, or where the thread ends. */
  call<T>(method: string, ...args: unknown[]): Promise<T>;
  /** The same, with the result as the JSON text that it travels as: for what is only sent on. */
  text(method: string, ...args: unknown[]): Promise<string>;
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
  | { id: number; result: string }
  | { id: number; fault: { code: string; detail: string; extra: Record<string, unknown>; errors: { pointer: string; message: string }[] | undefined } }
  | { event: string };

const YOUNG_MB = 12;

/** Starts a thread that `serveCalls`. `onEnd` hears why it ended by itself. */
export function startThread(file: URL, data: unknown, onEvent: (event: unknown) => void, onEnd: (why: string) => void): ThreadCalls {
  // The space for new objects of a thread is kept small, as that of the process is (contract/process.ts).
  const worker = new Worker(file, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
  const waiting = new Map<number, { take(result: string): void; reject(error: unknown): void }>();
  let last = 0;
  let ended = false;
  const over = (why: string) => {
    for (const { reject } of waiting.values()) reject(new Fault('STORE_UNAVAILABLE', `the thread ${file.pathname.split('/').at(-1)} ended (${why}); try again`));
    waiting.clear();
    if (!ended) onEnd(why);
    ended = true;
  };
  worker.on('message', (reply: Reply) => {
    if ('event' in reply) return onEvent(parseJson(reply.event));
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('result' in reply) call?.take(reply.result);
    else call?.reject(new Fault(reply.fault.code, reply.fault.detail, { extra: reply.fault.extra, ...(reply.fault.errors ? { errors: reply.fault.errors } : {}) }));
  });
  worker.on('error', (error) => over(error.message));
  worker.on('exit', (code) => over(`exit ${code}`));
  const text = (method: string, ...args: unknown[]): Promise<string> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(new Fault('STORE_UNAVAILABLE', 'the thread has ended'));
      const id = ++last;
      waiting.set(id, { take: resolve, reject });
      worker.postMessage({ id, method, args } satisfies Call);
    });
  return {
    text,
    call: async <T>(method: string, ...args: unknown[]) => parseJson(await text(method, ...args)) as T,
    async end() {
      ended = true;
      await worker.terminate();
    },
  };
}

/** The thread's end: answers calls with the methods of that name, in the order in which they come. */
export function serveCalls(port: MessagePort, methods: Record<string, (...args: never[]) => unknown>): { tell(event: unknown): void } {
  port.on('message', async ({ id, method, args }: Call) => {
    try {
      port.postMessage({ id, result: JSON.stringify((await methods[method]?.(...(args as never[]))) ?? null) } satisfies Reply);
    } catch (error) {
      const { code = 'INTERNAL', message, extra = {}, errors } = error as Fault;
      port.postMessage({ id, fault: { code, detail: message, extra, errors } } satisfies Reply);
    }
  });
  return { tell: (event) => port.postMessage({ event: JSON.stringify(event) } satisfies Reply) };
}
