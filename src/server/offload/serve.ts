import type { Limits } from '../../contract/limits.ts';
import type { NamedSecret } from '../../lib/redact.ts';
import { ownBuffer } from '../../lib/own-buffer.ts';
import { serveThread } from './serve-thread.ts';
import type { OffloadWork } from './port.ts';

/** Some of it may be loaded with its first use. */
type Served<Work> = {
  readonly [Name in keyof Work]: Work[Name] extends (ask: infer Ask) => infer Result
    ? (ask: Ask) => Result | Promise<Result>
    : never;
};

/** Each takes the limits in force as well. `never`: `Offload.call` says what comes of each. */
export type OffloadedMethods = Record<string, (ask: unknown, inForce: Limits) => never>;

/** The thread's end: does what it is asked, one thing after the other. */
export function serveOffload(
  work: Served<OffloadWork>,
  limits: Limits,
  redact: (secrets: readonly NamedSecret[]) => void,
): void {
  const methods = Object.entries(work).map(([name, run]: [string, (ask: never) => unknown]) => [
    name,
    (ask: never, inForce: Limits) => {
      Object.assign(limits, inForce);
      return run(ask);
    },
  ]);
  serveThread({ ...Object.fromEntries(methods), redact }, buffersIn);
}

/** Packed inputs and bytes are handed over. */
function buffersIn(result: unknown): ArrayBuffer[] {
  const { inputs }: { inputs?: { chunks?: readonly { texts: Uint8Array }[] } } = Object(result);
  return inputs?.chunks ? inputs.chunks.flatMap(({ texts }) => ownBuffer(texts)) : ownBuffer(result);
}
