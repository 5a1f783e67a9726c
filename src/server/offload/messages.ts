import type { FaultCode } from '../../contract/errors.ts';
import { Fault } from '../../lib/fault.ts';

/** Methods that a thread answers, by name. Arguments and results are copied as `structuredClone` would. */
export type Methods = Readonly<Record<string, (...args: never[]) => unknown>>;

/** What a call resolves to: Node's own bytes lose their methods on the way. */
export type Result<M extends Methods, K extends keyof M> =
  Awaited<ReturnType<M[K]>> extends infer R ? (R extends Uint8Array ? Uint8Array<ArrayBuffer> : R) : never;

export interface Call<Argument = unknown> {
  readonly id: number;
  readonly method: string;
  readonly args: readonly Argument[];
}

/** An error on its way between threads. */
export interface SerializedFault {
  readonly code: FaultCode;
  readonly detail: string;
  readonly extra: Record<string, unknown>;
  readonly errors: Fault['errors'];
}

export type Reply<Event> =
  // `never`: whoever called knows the type of the result.
  | { readonly id: number; readonly result: never }
  | { readonly id: number; readonly failure: SerializedFault }
  | { readonly event: Event };

export const serializeFault = (error: unknown): SerializedFault => {
  const {
    code = 'INTERNAL',
    message = String(error),
    extra = {},
    errors,
  }: Partial<Fault> = error instanceof Error ? error : {};
  return { code, detail: message, extra, errors };
};

export const deserializeFault = ({ code, detail, extra, errors }: SerializedFault): Fault =>
  new Fault(code, detail, { extra, ...(errors ? { errors } : {}) });
