import type { Limits } from '../../contract/limits.ts';
import { Fault } from '../../lib/fault.ts';
import type { NamedSecret } from '../../lib/redact.ts';
import { createThread } from './thread.ts';
import type { Offload } from './port.ts';
import type { OffloadedMethods } from './serve.ts';

/** The thread ends when it had nothing to do for so long: most masters never need it again. */
const IDLE_MS = 10_000;
/** Memory of the thread: the values of the largest body take some hundred megabytes. */
const HEAP_MB = 1024;
/** A third of it is the space for new objects: with twice as much no body is parsed sooner. */
const YOUNG_MB = 12;

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
  let secrets: readonly NamedSecret[] = [];
  const overloaded = (what: string, retryAfterSeconds: number) =>
    new Fault('OVERLOADED', what, { extra: { retryAfterSeconds } });
  const thread = createThread<OffloadedMethods>({
    file,
    name: 'the body parser thread',
    data: () => limits,
    memory: () => ({ youngMb: YOUNG_MB, oldMb: HEAP_MB }),
    idleMs,
    onStart: (call) => void call('redact', secrets, limits).catch(() => {}),
    onExit: (why, { lostCalls }) => {
      if (why !== null && lostCalls > 0) onError(new Error(`the body parser thread ended (${why})`));
    },
    lost: () => overloaded('the body parser thread ended; retry', 1),
    queue: {
      most: () => limits.heavyQueueBytes,
      refusal: () => overloaded('too many large bodies are waiting to be parsed; retry in a moment', 2),
    },
  });
  return {
    // Limits can be changed while the master runs.
    call: (method, ask, moved = []) => thread.send(method, [ask, { ...limits }], moved),
    redact(given) {
      secrets = given;
      thread.notify('redact', secrets, limits);
    },
    close: () => thread.close(),
  };
}
