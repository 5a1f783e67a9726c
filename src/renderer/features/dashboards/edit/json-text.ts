import { hashKey } from '@tanstack/react-query';
import { parseStored } from '../../../../lib/json.ts';
import { type DashboardDefinition, DashboardDefinitionSchema } from '../../../../contract/dashboards.ts';
import { t } from '../../../../lib/language.ts';
import type { CodeDiagnostic } from '../../../ui/CodeEditor.tsx';
import { duplicateKeys, shapeFaults } from '../../../ui/json-text/check.ts';
import { rangeAtPointer } from '../../../ui/json-text/locate.ts';
import { scanJson } from '../../../ui/json-text/scan.ts';

export const textOfDefinition = (definition: DashboardDefinition): string => `${JSON.stringify(definition, null, 2)}\n`;

/** A definition as text: what it stands for (null: it is none), and what is wrong with it, each fault at its place. */
export function readDefinition(text: string): { definition: DashboardDefinition | null; marks: CodeDiagnostic[] } {
  const { root, errors } = scanJson(text);
  if (errors.length > 0 || root === null)
    return {
      definition: null,
      marks:
        errors.length > 0
          ? errors.map((error) => ({ ...error, severity: 'error' as const }))
          : [{ from: 0, to: 0, severity: 'error', message: t('A dashboard must be a JSON object.') }],
    };
  const faults = shapeFaults(root, DashboardDefinitionSchema);
  const marks: CodeDiagnostic[] = [
    ...faults.map(({ pointer, message }): CodeDiagnostic => ({
      ...rangeAtPointer(root, pointer),
      severity: 'error',
      message,
    })),
    ...duplicateKeys(root).map((found): CodeDiagnostic => ({ ...found, severity: 'warning' })),
  ];
  return { definition: faults.length === 0 ? parseStored<DashboardDefinition>(text) : null, marks };
}

/** What the master refused, at its place; its pointers lead into the body that was sent. */
export function refusedMarks(text: string, errors: readonly { pointer: string; message: string }[]): CodeDiagnostic[] {
  const { root } = scanJson(text);
  return errors
    .filter(({ pointer }) => pointer.startsWith('/definition'))
    .map(({ pointer, message }) => ({
      ...rangeAtPointer(root, pointer.slice('/definition'.length)),
      severity: 'error',
      message: message.charAt(0).toUpperCase() + message.slice(1),
    }));
}

/** Whether two definitions say the same: the master writes keys in an order of its own. */
export const sameDefinition = (a: DashboardDefinition, b: DashboardDefinition): boolean =>
  hashKey([a]) === hashKey([b]);
