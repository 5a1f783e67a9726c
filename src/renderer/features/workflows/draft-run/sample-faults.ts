import type { CodeDiagnostic } from '../../../ui/CodeEditor.tsx';
import { inputFaults } from '../../../ui/json-text/check.ts';
import { rangeAtPointer } from '../../../ui/json-text/locate.ts';
import { scanJson } from '../../../ui/json-text/scan.ts';

/** What is wrong with an example input: its form, and what the common words of the schema forbid. The master tells the rest when it is run. */
export function sampleFaults(text: string, schema: unknown): CodeDiagnostic[] {
  // The check is made for a list of inputs; the example is one of them.
  const list = scanJson(`[${text}\n]`);
  const at = (offset: number) => Math.max(0, Math.min(text.length, offset - 1));
  if (list.errors.length > 0 || !list.root)
    return list.errors.map(({ from, to, message }) => ({
      from: at(from),
      to: at(to),
      message,
      severity: 'error' as const,
    }));
  const { root } = list;
  return inputFaults(root, schema).map(({ pointer, message }) => {
    const { from, to } = rangeAtPointer(root, pointer);
    return { from: at(from), to: at(to), message, severity: 'warning' as const };
  });
}
