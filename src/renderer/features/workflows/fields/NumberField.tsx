import { NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { settingsQuery } from '../../../api/overview.ts';
import { useReach } from '../../../stores/role.ts';
import type { Field } from './fields.ts';
import { inWords } from './fields.ts';

/** A number with its limits; empty: it is left out. Seconds are also said in words. */
export function NumberField({
  field,
  value,
  onChange,
  fault,
}: {
  field: Field;
  value: unknown;
  onChange: (value: number | undefined) => void;
  fault: string | null;
}): ReactNode {
  const { label, min, max, whole, required, editor } = field;
  const mayRead = useReach('settings.get');
  const { data } = useQuery({ ...settingsQuery(), enabled: field.limitHelp !== null && mayRead });
  const help = (data && field.limitHelp?.(data.limits)) ?? field.help;
  const words = editor === 'seconds' && typeof value === 'number' ? inWords(value) : '';
  return (
    <NumberInput
      label={label}
      description={[help, words].filter((part) => part !== '').join(' · ') || undefined}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      value={typeof value === 'number' || typeof value === 'string' ? value : ''}
      onChange={(next) => onChange(typeof next === 'number' && Number.isFinite(next) ? next : undefined)}
      {...(min === null ? {} : { min })}
      {...(max === null ? {} : { max })}
      // What lies outside is said, not changed under the hands.
      clampBehavior="none"
      allowDecimal={!whole}
      suffix={editor === 'seconds' ? ' s' : ''}
      withAsterisk={required}
      error={fault ?? outside(value, min, max)}
    />
  );
}

function outside(value: unknown, min: number | null, max: number | null): string | null {
  if (typeof value !== 'number') return null;
  if (min !== null && value < min) return `≥ ${min}`;
  return max !== null && value > max ? `≤ ${max}` : null;
}
