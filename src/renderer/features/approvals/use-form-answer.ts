import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { type FormField, formFields, formValue } from '../../../lib/form-fields.ts';
import { t } from '../../../lib/language.ts';
import { scanJson } from '../../ui/json-text/scan.ts';

/** What an approval asks to be filled in, and what is wrong with it, by name of the field. */
export interface FormAnswer {
  readonly fields: readonly FormField[];
  readonly filled: Readonly<Record<string, string>>;
  readonly faults: ReadonlyMap<string, string>;
  fill(filled: Readonly<Record<string, string>>): void;
  /** Undefined: something is missing, which the fields say. Null: there is no form. */
  value(): { readonly form?: unknown } | undefined;
  /** Takes what the master refused to its fields; false: not all of it is of a field. */
  refused(error: unknown): boolean;
}

export function useFormAnswer(schema: unknown): FormAnswer {
  const fields = formFields(schema);
  const [filled, setFilled] = useState<Readonly<Record<string, string>>>({});
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  return {
    fields,
    filled,
    faults,
    fill(next) {
      setFilled(next);
      setFaults((now) => new Map([...now].filter(([name]) => next[name] === filled[name])));
    },
    value() {
      const wrong = new Map(
        fields.flatMap((field) => {
          const fault = faultOf(field, filled[field.name] ?? '');
          return fault === null ? [] : [[field.name, fault] as const];
        }),
      );
      setFaults(wrong);
      if (wrong.size > 0) return undefined;
      return fields.length === 0 ? {} : { form: formValue(fields, (name) => filled[name] ?? null) };
    },
    refused(error) {
      if (!(error instanceof ApiError) || error.code !== 'INPUT_INVALID') return false;
      const found = error.errors.map(({ pointer, message }) => [nameIn(pointer, fields), message] as const);
      setFaults(new Map(found.flatMap(([name, message]) => (name === null ? [] : [[name, message] as const]))));
      return found.length > 0 && found.every(([name]) => name !== null);
    },
  };
}

/** The field that a pointer of the master leads into. */
function nameIn(pointer: string, fields: readonly FormField[]): string | null {
  const name = pointer.split('/')[2]?.replaceAll('~1', '/').replaceAll('~0', '~') ?? '';
  return fields.some((field) => field.name === name) ? name : (fields.find((field) => field.name === '')?.name ?? null);
}

/** What needs no master to be seen. */
function faultOf({ kind, required }: FormField, text: string): string | null {
  if (text.trim() === '') return required && kind !== 'boolean' ? t('Required.') : null;
  return kind === 'json' && scanJson(text).errors.length > 0 ? t('Expected JSON.') : null;
}
