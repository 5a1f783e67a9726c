import { t } from '../../../../lib/language.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import type { CodeDiagnostic } from '../../../ui/CodeEditor.tsx';
import { inputFaults } from '../../../ui/json-text/check.ts';
import { rangeAtPointer } from '../../../ui/json-text/locate.ts';
import { scanJson } from '../../../ui/json-text/scan.ts';

/** What the master found wrong in the inputs that were sent; pointers into the list. */
export interface Refused {
  readonly pointer: string;
  readonly message: string;
}
const IN_BODY = /^\/inputs(?=\/|$)/;

/** The faults of an answer that are about the inputs. */
export function refusedInputs(error: unknown): readonly Refused[] {
  if (!(error instanceof ApiError)) return [];
  return error.errors
    .filter(({ pointer }) => IN_BODY.test(pointer) || error.code === 'INPUT_INVALID')
    .map(({ pointer, message }) => ({ pointer: pointer.replace(IN_BODY, ''), message }));
}

/** Everything that is known to be wrong with a list of inputs, where it stands in its text. */
export function markInputs(text: string, schema: unknown, refused: readonly Refused[]): CodeDiagnostic[] {
  const { root, errors } = scanJson(text);
  if (root === null || errors.length > 0)
    return errors.length === 0
      ? [{ from: 0, to: text.length, severity: 'error', message: t('Expected an array of inputs.') }]
      : errors.map((fault) => ({ ...fault, severity: 'error' as const }));
  const own = inputFaults(root, schema);
  // What the master said is of the text as it was sent: typing takes it away.
  return (own.length > 0 ? own : refused).map(({ pointer, message }) => ({
    ...rangeAtPointer(root, pointer),
    severity: 'error' as const,
    message: `${where(pointer)}${message}`,
  }));
}

const where = (pointer: string): string => (pointer === '' ? '' : `${pointer}: `);
