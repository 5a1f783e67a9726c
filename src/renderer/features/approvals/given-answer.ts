import { parseJson } from '../../../lib/json.ts';
import { formFields } from '../../../lib/form-fields.ts';
import { isRecord } from '../../../lib/is-record.ts';

interface Given {
  /** Empty: the whole answer. */
  readonly label: string;
  /** JSON, but for texts. */
  readonly value: string | boolean;
}

/**
 * What was filled in where a job waited for an approval, in the order of its form: from the output of the task that waited. Null:
 * nothing was, as when the deadline decided.
 */
export function givenAnswer(schema: unknown, output: ArrayBuffer): readonly Given[] | null {
  const parsed = parseJson(new TextDecoder().decode(output));
  const approval = isRecord(parsed) ? parsed['approval'] : undefined;
  const form = isRecord(approval) ? approval['form'] : undefined;
  if (form === null || form === undefined) return null;
  if (!isRecord(form)) return [{ label: '', value: shown(form) }];
  const labels = new Map(formFields(schema).map(({ name, label }) => [name, label]));
  const names = [...[...labels.keys()].filter((name) => Object.hasOwn(form, name)), ...Object.keys(form)];
  return [...new Set(names)].map((name) => ({ label: labels.get(name) ?? name, value: shown(form[name]) }));
}

const shown = (value: unknown): Given['value'] =>
  typeof value === 'string' || typeof value === 'boolean' ? value : JSON.stringify(value);
