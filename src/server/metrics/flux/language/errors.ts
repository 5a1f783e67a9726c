import { Fault } from '../../../../lib/fault.ts';

/** Where something stands in the program; lines and columns count from 1, the end is past the last character. */
export interface Span {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

const place = ({ line, column, endLine, endColumn }: Span): string => `@${line}:${column}-${endLine}:${endColumn}`;

/** The program is at fault, known before it runs. */
export const compileError = (span: Span, what: string): Fault =>
  new Fault('FLUX_INVALID', `compilation failed: error ${place(span)}: ${what}`);

/** The program is at fault, known as it runs. */
export const runtimeError = (what: string): Fault => new Fault('FLUX_RUNTIME', what);

/** Adds the place of the call, once: the innermost call that failed is the one to name. */
export function located(error: unknown, span: Span, name: string | null): unknown {
  if (!(error instanceof Fault) || error.code !== 'FLUX_RUNTIME' || error.message.startsWith('runtime error'))
    return error;
  return new Fault(
    'FLUX_RUNTIME',
    `runtime error ${place(span)}: ${name === null ? '' : `${name}: `}${error.message}`,
    { cause: error },
  );
}

/** The query is well formed and asks for too much. */
export const limitError = (what: string): Fault => new Fault('FLUX_LIMIT', what);
