import { Checkbox, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FormField } from '../../../lib/form-fields.ts';
import { t } from '../../../lib/language.ts';
import type { FormAnswer } from './use-form-answer.ts';

/** The fields of a form for approvers, each with what is wrong with it. */
export function FormFields({ answer: { fields, filled, faults, fill } }: { answer: FormAnswer }): ReactNode {
  return fields.map((field) => (
    <OneField
      key={field.name}
      field={field}
      value={filled[field.name] ?? ''}
      fault={faults.get(field.name)}
      onChange={(value) => fill({ ...filled, [field.name]: value })}
    />
  ));
}

function OneField({
  field: { label, help, kind, choices, required, name },
  value,
  fault,
  onChange,
}: {
  field: FormField;
  value: string;
  fault: string | undefined;
  onChange(value: string): void;
}): ReactNode {
  const shared = {
    label: name === '' ? t('Answer') : label,
    description: help === '' ? undefined : help,
    error: fault,
    required,
  };
  switch (kind) {
    case 'boolean':
      return (
        <Checkbox
          label={label}
          description={shared.description}
          error={fault}
          checked={value === 'true'}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
      );
    case 'choice':
      return (
        <Select
          {...shared}
          data={choices.map((one) => ({ value: one, label: one.replace(/^"|"$/g, '') }))}
          value={value === '' ? null : value}
          onChange={(next) => onChange(next ?? '')}
        />
      );
    case 'number':
    case 'integer':
      return (
        <NumberInput
          {...shared}
          allowDecimal={kind === 'number'}
          value={value}
          onChange={(next) => onChange(String(next))}
        />
      );
    case 'json':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={2}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'text':
      return <TextInput {...shared} value={value} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
}
