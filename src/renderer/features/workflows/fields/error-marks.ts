import type { StackFrame } from '../../../../contract/tasks.ts';
import { t } from '../../../../lib/language.ts';
import type { CodeDiagnostic } from '../../../ui/CodeEditor.tsx';

export interface SourceError {
  readonly message: string;
  /** Of code: where it was thrown, then who called it. */
  readonly stack: readonly StackFrame[];
}

/** Where an error lies in the source: the word it was thrown at, and the calls that led there. Empty where nothing is known of it. */
export function errorMarks(source: string, { message, stack }: SourceError): CodeDiagnostic[] {
  const frames = stack.flatMap((frame) => offsetOf(source, frame) ?? []);
  // JSONata says after how many characters it gave up.
  const position = stack.length > 0 ? undefined : /\(at (\d+)\)$/.exec(message)?.[1];
  if (position !== undefined) frames.push(Math.min(Math.max(0, Number(position) - 1), source.length));
  return frames.map((from, index) => ({
    from,
    to: from + Math.max(1, /^\??\.?[\w$]*/.exec(source.slice(from))?.[0].length ?? 1),
    severity: index === 0 ? 'error' : 'info',
    message: index === 0 ? message : t('Called here: {message}', { message }),
  }));
}

/** Null: the source is another one by now. */
function offsetOf(source: string, { line, column }: StackFrame): number | null {
  const lines = source.split('\n');
  const text = lines[line - 1];
  if (text === undefined) return null;
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return before + Math.min(column - 1, text.length);
}
