import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { isJsonEqual } from '../../../ui/json-text/json-equal.ts';
import classes from './Fields.module.css';
import { bindText } from '../../../ui/bind.ts';
import { FieldBox } from './FieldBox.tsx';

type Pair = readonly [name: string, value: string];
type Scalar = string | number | boolean;

const pairsOf = (value: unknown): Pair[] =>
  value !== null && typeof value === 'object'
    ? Object.entries(value).map(([name, one]) => [name, typeof one === 'string' ? one : (JSON.stringify(one) ?? '')])
    : [];

/** Names and values, such as headers. A value that was a number or true and is not touched stays one. */
export function PairsField({
  label,
  help,
  value,
  onChange,
  fault,
}: {
  label: string;
  help: string;
  value: unknown;
  onChange: (value: Record<string, Scalar> | undefined) => void;
  fault: string | null;
}): ReactNode {
  const [pairs, setPairs] = useState<Pair[]>(() => pairsOf(value));
  const sent = useRef(value);
  useEffect(() => {
    if (!isJsonEqual(value, sent.current)) setPairs(pairsOf(value));
    sent.current = value;
  }, [value]);

  const change = (next: Pair[]) => {
    setPairs(next);
    const before = (value ?? {}) as Record<string, Scalar>;
    const named = next.filter(([name]) => name !== '');
    const record = Object.fromEntries(
      named.map(([name, text]) => [
        name,
        Object.hasOwn(before, name) && typeof before[name] !== 'string' && JSON.stringify(before[name]) === text
          ? (before[name] as Scalar)
          : text,
      ]),
    );
    sent.current = named.length === 0 ? undefined : record;
    onChange(named.length === 0 ? undefined : record);
  };
  const doubled = pairs.find(
    ([name], index) => name !== '' && pairs.findIndex(([other]) => other === name) !== index,
  )?.[0];

  return (
    <div role="group" aria-label={label}>
      <FieldBox
        label={label}
        help={help}
        fault={
          fault ?? (doubled === undefined ? null : t('{name} is set twice: the last one is used.', { name: doubled }))
        }
      >
        <Stack gap={4}>
          {pairs.map(([name, text], index) => (
            <Group key={index} gap={4} wrap="nowrap" className={classes.pair}>
              <TextInput
                aria-label={t('Name {number} of {label}', { number: index + 1, label })}
                placeholder={t('name')}
                {...bindText(name, (next) => change(pairs.with(index, [next, text])))}
              />
              <TextInput
                flex={1}
                aria-label={t('Value of {name}', { name: name || String(index + 1) })}
                placeholder={t('value')}
                {...bindText(text, (next) => change(pairs.with(index, [name, next])))}
              />
              <ActionIcon
                size="sm"
                aria-label={t('Remove {name}', { name: name || String(index + 1) })}
                onClick={() => change(pairs.toSpliced(index, 1))}
              >
                <IconTrash size={14} aria-hidden="true" />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
        <Button
          size="compact-xs"
          variant="subtle"
          mt={4}
          leftSection={<IconPlus size={12} aria-hidden="true" />}
          onClick={() => setPairs([...pairs, ['', '']])}
        >
          {t('Add to {label}', { label })}
        </Button>
      </FieldBox>
    </div>
  );
}
