import type { FaultCode } from '../contract/errors.ts';

/**
 * A coded error. Rooms throw it; the one translator in `server/http` makes a problem document of it.
 * `detail` says what was expected, what came, and what to do. `extra` members stand beside the standard ones.
 */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly extra: Record<string, unknown>;
  readonly errors: { pointer: string; message: string }[] | undefined;
  constructor(
    code: FaultCode,
    detail: string,
    options: { extra?: Record<string, unknown>; errors?: { pointer: string; message: string }[]; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.extra = options.extra ?? {};
    this.errors = options.errors;
  }
}

/** What a caller sent is wrong in one place; `message`: what its list of errors says, where that is not the detail. */
export const invalidAt = (pointer: string, detail: string, message = detail): Fault =>
  new Fault('VALIDATION_FAILED', detail, { errors: [{ pointer, message }] });

/** Closes a union: reaching it is a bug, and a compile-time error where a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
