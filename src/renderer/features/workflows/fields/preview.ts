import type { Definition } from '../../../../contract/definition.ts';
import type { DraftRun } from '../../../../contract/drafts.ts';
import type { Language } from './complete.ts';
import type { SourceError } from './error-marks.ts';

/** What an expression gives for a sample, worked out by the master: nothing is evaluated in the window. */
export type Preview =
  | { readonly kind: 'value'; readonly value: unknown; readonly ms: number | null }
  | ({ readonly kind: 'error' } & SourceError)
  | { readonly kind: 'late' };

/** The smallest workflow that shows what an expression, template or code gives: it gets the sample as its input. */
export function previewDefinition(language: Language, source: string): Definition {
  const config: Record<string, unknown> =
    language === 'javascript'
      ? { source, timeoutSeconds: 5 }
      : language === 'template'
        ? { template: source }
        : { expression: source };
  const type = language === 'javascript' ? 'code' : language === 'template' ? 'template' : 'transform';
  return {
    schemaVersion: 1,
    name: 'Preview',
    response: 'first',
    nodes: [
      { id: 'input', type: 'input' },
      { id: 'preview', type, config },
      { id: 'output', type: 'output' },
    ],
    edges: [
      { from: 'input', to: 'preview' },
      { from: 'preview', to: 'output' },
    ],
    output: 'output',
  };
}

export function previewResult({ finishedAt, error, output, nodes }: DraftRun): Preview {
  if (error) return { kind: 'error', message: error.message, stack: nodes[0]?.error?.stack ?? [] };
  return finishedAt === null ? { kind: 'late' } : { kind: 'value', value: output, ms: nodes[0]?.ms ?? null };
}

/** Whether a text needs no master to be shown: a template without braces is its own result. */
export const isPlain = (language: Language, source: string): boolean =>
  source.trim() === '' || (language === 'template' && !source.includes('{{'));
