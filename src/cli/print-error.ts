import { ERRORS, isErrorCode } from '../contract/errors.ts';
import { errorCode, errorMessage } from '../lib/errors.ts';
import { Fault } from '../lib/fault.ts';
import { forTerminal } from '../lib/for-terminal.ts';
import type { ProcessIo } from './process-io.ts';

/** How a command ends badly: one clear line on standard error, or with `--json` a problem document; 2 for wrong usage, else 1. */
export function printError(error: unknown, json: boolean, io: Pick<ProcessIo, 'err'>): number {
  const fault = asFault(error);
  if (json) io.err(JSON.stringify(problemOf(fault)));
  else {
    io.err(forTerminal(`yardmaster: ${fault.message}`));
    const errors = fault.errors ?? [];
    // A single one is often the whole message.
    const told = errors.length === 1 && fault.message.includes(errors[0]?.message ?? '');
    for (const { pointer, message } of told ? [] : errors) io.err(forTerminal(`  ${pointer || '(whole)'}: ${message}`));
  }
  return fault.code === 'USAGE' ? 2 : 1;
}

/** By its members: what another entry of the build throws is of that entry's own class. */
const isFault = (error: unknown): error is Fault =>
  errorCode(error) !== undefined && error instanceof Error && 'extra' in error && typeof error.extra === 'object';

function asFault(error: unknown): Fault {
  if (isFault(error)) return error;
  const code = errorCode(error);
  return new Fault('INTERNAL', errorMessage(error), {
    cause: error,
    // One of Node's own, such as ENOENT.
    ...(code === undefined ? {} : { extra: { code, title: 'The command failed' } }),
  });
}

/** A problem document of the master goes through as it came; faults of the command itself get the same shape. */
function problemOf(fault: Fault): Record<string, unknown> {
  const [status, title] = isErrorCode(fault.code)
    ? ERRORS[fault.code]
    : fault.code === 'USAGE'
      ? [400, 'Invalid usage']
      : [500, 'The command failed'];
  return {
    type: 'about:blank',
    title,
    status,
    detail: fault.message,
    code: fault.code,
    instance: '',
    ...fault.extra,
    ...(fault.errors ? { errors: fault.errors } : {}),
  };
}
