import { Button, Group, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import { t, tn } from '../../../../lib/language.ts';
import { faultAt, type NodeFault } from '../fields/faults.ts';
import classes from './InputSchema.module.css';
import { InputSchemaDialog } from './InputSchemaDialog.tsx';
import { isSchema, schemaProperties, schemaType } from './schema-tree.ts';

export interface InputSchemaFieldProps {
  readonly definition: Definition;
  readonly faults: readonly NodeFault[];
  /** `undefined`: any input is taken. */
  readonly onChange: (schema: unknown) => void;
}

/** What the workflow takes, in short, and the way to its editor. */
export function InputSchemaField({ definition, faults, onChange }: InputSchemaFieldProps): ReactNode {
  const [open, setOpen] = useState(false);
  const { input } = definition;
  const properties = isSchema(input) ? schemaProperties(input) : [];
  const fault = faultAt(faults, '/input');
  return (
    <div>
      <Group justify="space-between" wrap="nowrap">
        <Text size="xs" fw={600}>
          {t('Input schema')}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconPencil size={12} aria-hidden="true" />}
          onClick={() => setOpen(true)}
        >
          {t('Edit')}
        </Button>
      </Group>
      <Text size="xs" className="dim" mb={4}>
        {input === undefined || input === true
          ? t('Accepts any object.')
          : properties.length === 0
            ? t('Defined as JSON Schema.')
            : tn('{count} property', '{count} properties', properties.length)}
      </Text>
      {properties.length > 0 && (
        <ul className={classes.short}>
          {properties.slice(0, 12).map(({ name, schema, required }) => (
            <li key={name}>
              <code>{name}</code>
              <span className="dim">
                {[schemaType(schema) ?? '', required ? t('required') : ''].filter((part) => part !== '').join(', ')}
              </span>
            </li>
          ))}
        </ul>
      )}
      {fault !== null && (
        <Text size="xs" c="var(--tone-warn-text)" role="status">
          {fault}
        </Text>
      )}
      {open && (
        <InputSchemaDialog definition={definition} fault={fault} onChange={onChange} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}
