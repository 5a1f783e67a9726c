import type { MessagePort } from 'node:worker_threads';
import type { Limits } from '../../contract/limits.ts';
import type { Fault } from '../../lib/fault.ts';
import type { NamedSecret } from '../../lib/redact.ts';
import type { OffloadWork } from './port.ts';

export interface OffloadCall {
  readonly id: number;
  readonly method: keyof OffloadWork;
  readonly ask: unknown;
  /** Those in force: they can be changed while the master runs. */
  readonly limits: Limits;
}
/** What the thread is told besides. */
export interface OffloadSecrets {
  readonly secrets: readonly NamedSecret[];
}
export type OffloadReply =
  | { readonly id: number; readonly result: unknown }
  | {
      readonly id: number;
      readonly fault: {
        code: string;
        detail: string;
        extra: Record<string, unknown>;
        errors: { pointer: string; message: string }[] | undefined;
      };
    };

/** The thread's end: does what it is asked, one thing after the other. */
export function serveOffload(
  port: MessagePort,
  work: OffloadWork,
  limits: Limits,
  redact: (secrets: readonly NamedSecret[]) => void,
): void {
  port.on('message', (message: OffloadCall | OffloadSecrets) => {
    if ('secrets' in message) return redact(message.secrets);
    const { id, method, ask, limits: inForce } = message;
    Object.assign(limits, inForce);
    try {
      const result = work[method](ask as never);
      port.postMessage({ id, result } satisfies OffloadReply, buffersOf(result));
    } catch (error) {
      const { code = 'INTERNAL', message, extra = {}, errors } = error as Fault;
      port.postMessage({ id, fault: { code, detail: message, extra, errors } } satisfies OffloadReply);
    }
  });
}

/** Packed inputs and bytes are moved. */
function buffersOf(result: unknown): ArrayBuffer[] {
  if (result instanceof Uint8Array)
    return result.byteLength === result.buffer.byteLength ? [result.buffer as ArrayBuffer] : [];
  const inputs = (result as { inputs?: { chunks?: { texts: Uint8Array }[] } } | null)?.inputs;
  return inputs?.chunks?.map(({ texts }) => texts.buffer as ArrayBuffer) ?? [];
}
