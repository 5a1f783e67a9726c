import type { DefinitionWarning } from '../../../../contract/definition.ts';
import { t } from '../../../../lib/language.ts';
import { configFaults, formFaults } from './check.ts';
import { duplicateKeys, type JsonFault } from '../../../ui/json-text/check.ts';
import { rangeAtPointer } from '../../../ui/json-text/locate.ts';
import type { JsonNode, Parsed } from '../../../ui/json-text/scan.ts';

/**
 * One mark in the text of a draft. `blocks` says what it keeps the draft from: `save` for what is no definition at all,
 * `publish` for a faulty graph, which may be saved as work in progress; null for advice.
 */
export interface DefinitionMark {
  readonly from: number;
  readonly to: number;
  readonly blocks: 'save' | 'publish' | null;
  readonly message: string;
  /** Where it is, for people: a JSON pointer, or empty. */
  readonly pointer: string;
  /** From 1. */
  readonly line: number;
}

/** All that is known to be wrong. `graph`, `warnings`: what the master said of the latest draft that it could read. */
export function markDefinition(
  text: string,
  parsed: Parsed,
  graph: readonly JsonFault[],
  warnings: readonly DefinitionWarning[] = [],
): DefinitionMark[] {
  const lineAt = lineCounter(text);
  const mark = (
    range: { from: number; to: number },
    blocks: DefinitionMark['blocks'],
    message: string,
    pointer = '',
  ): DefinitionMark => ({
    from: range.from,
    to: range.to,
    blocks,
    message,
    pointer,
    line: lineAt(range.from),
  });
  if (parsed.errors.length > 0 || parsed.root === null)
    return parsed.errors.map((error) => mark(error, 'save', error.message));
  const { root } = parsed;
  const { form, doubled } = looksOf(root);
  const marks = [
    ...form.map((fault) => mark(rangeAtPointer(root, fault.pointer), 'save', fault.message, fault.pointer)),
    ...doubled.map((found) => mark(found, null, found.message)),
  ];
  // A draft of the wrong form was not shown to the master: its faults are of an older text, and the local ones have to do.
  // Of settings that break their schema the words for people are here; what they are about, the master says.
  const words = new Map(
    graph.length > 0 || form.length > 0 ? configFaults(root).map((fault) => [fault.pointer, fault]) : [],
  );
  const later = form.length > 0 ? [...words.values()] : graph;
  for (const { pointer, message } of later)
    marks.push(
      mark(rangeAtPointer(root, pointer), 'publish', words.get(pointer)?.message ?? sentence(message), pointer),
    );
  for (const warning of warnings)
    marks.push(mark(rangeAtPointer(root, warning.pointer), null, warningText(warning), warning.pointer));
  return marks.sort((a, b) => a.from - b.from || a.to - b.to);
}

/** Whether the master can be asked about it. */
export const isDefinition = (parsed: Parsed): boolean =>
  parsed.errors.length === 0 && parsed.root !== null && looksOf(parsed.root).form.length === 0;

/** What a text says by itself, of the trees that are still in use: it is asked for when the text changes, and again when the master has answered. */
const looked = new WeakMap<JsonNode, { form: readonly JsonFault[]; doubled: ReturnType<typeof duplicateKeys> }>();
function looksOf(root: JsonNode) {
  const known = looked.get(root) ?? { form: formFaults(root), doubled: duplicateKeys(root) };
  looked.set(root, known);
  return known;
}

/** What a call of what is not there (yet) means, or an edge that is missing. */
export function warningText(warning: DefinitionWarning): string {
  switch (warning.code) {
    case 'PORT_UNCONNECTED':
      return t('Port {port} leads nowhere: an input that takes it is not processed further.', { port: warning.port });
    case 'RESULT_UNUSED':
      return t('The result of {node} is not used: no edge leads from it.', { node: warning.node });
    case 'FIELD_UNKNOWN':
      return warning.suggestion === null
        ? t('The input schema has no field “{field}”.', { field: warning.field })
        : t('The input schema has no field “{field}”. Did you mean “{suggestion}”?', {
            field: warning.field,
            suggestion: warning.suggestion,
          });
    case 'CALL_UNKNOWN':
      return t('Calls {workflow}, which does not exist or is archived: the task will fail.', {
        workflow: warning.workflowId,
      });
    case 'CALL_NOT_PUBLISHED':
      return t('Calls {workflow} in {environment}, where it is not published: the task will fail.', {
        workflow: warning.workflowId,
        environment: warning.environment,
      });
    default:
      // A newer master may know more of them.
      return sentence((warning satisfies never as DefinitionWarning).message);
  }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
