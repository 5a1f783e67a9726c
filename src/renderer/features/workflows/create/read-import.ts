import { errorMessage } from '../../../../lib/errors.ts';
import { isRecord } from '../../../../lib/is-record.ts';
import { t } from '../../../../lib/language.ts';
import { idFromName } from '../../../ui/ids.ts';
import { formatDefinition } from '../../../ui/json-text/format.ts';
import { scanJson } from '../../../ui/json-text/scan.ts';

export interface ReadWorkflow {
  id: string;
  name: string;
  description: string | null;
  /** The definition as text, in the layout of the editor; numbers as they were. */
  text: string;
}

const LONGEST = { name: 200, description: 2000 };

/**
 * Reads a `.workflow.json`: an object with `id`, `name` and `definition` (as the examples are), or a definition alone, whose
 * name then stands in it. Throws an error with what is wrong.
 */
export function readWorkflow(bytes: Uint8Array, fileName: string): ReadWorkflow {
  let whole: string;
  let value: unknown;
  try {
    whole = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(whole);
  } catch (error) {
    throw new Error(t('{name} is not valid JSON ({reason}).', { name: fileName, reason: errorMessage(error) }), {
      cause: error,
    });
  }
  if (!isRecord(value)) throw new Error(t('{name} is not a workflow: expected an object.', { name: fileName }));
  const wrapped = isRecord(value['definition']);
  const definition = wrapped ? value['definition'] : value;
  if (!isRecord(definition) || !Array.isArray(definition['nodes']))
    throw new Error(t('{name} is not a workflow: expected a definition with a list of nodes.', { name: fileName }));
  const textOf = (from: Record<string, unknown>, key: string) =>
    typeof from[key] === 'string' && from[key].trim() !== '' ? from[key].trim() : null;
  const stem = fileName.replace(/\.workflow\.json$/i, '');
  const name = ((wrapped ? textOf(value, 'name') : null) ?? textOf(definition, 'name') ?? stem).slice(0, LONGEST.name);
  const id = idFromName((wrapped ? textOf(value, 'id') : null) ?? stem);
  return {
    id,
    name,
    description: wrapped ? (textOf(value, 'description')?.slice(0, LONGEST.description) ?? null) : null,
    text: formatDefinition(wrapped ? memberText(whole, 'definition') : whole),
  };
}

/** The text of a member of an object, to the letter. */
function memberText(whole: string, key: string): string {
  const { root } = scanJson(whole);
  const member =
    root?.kind === 'object'
      ? root.members.findLast((one) => JSON.parse(whole.slice(one.keyFrom, one.keyTo)) === key)
      : undefined;
  return member?.value ? whole.slice(member.value.from, member.value.to) : '{}';
}
