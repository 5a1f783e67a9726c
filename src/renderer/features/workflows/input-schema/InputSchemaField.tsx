import { Button, Group, Text, Modal, Stack } from '@mantine/core';
import { IconPencil, IconPlus, IconWand } from '@tabler/icons-react';
import { type ReactNode, useState, useMemo } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import { t, tn } from '../../../../lib/language.ts';
import { faultAt, type NodeFault } from '../fields/faults.ts';
import classes from './InputSchema.module.css';
import { isSchema, schemaProperties, schemaType, addProperty, type SchemaValue } from './schema-tree.ts';
import { useStore } from 'zustand';
import { parseJson, withPlainNumbers } from '../../../../lib/json.ts';
import { storageLocationText } from '../../../stores/desktop.ts';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';
import { toastInfo } from '../../../ui/toasts.tsx';
import { useDraftRuns } from '../draft-run/context.tsx';
import { sampleFaults } from '../draft-run/sample-faults.ts';
import { JsonField } from '../fields/JsonField.tsx';
import { inferSchema } from './infer.ts';
import { SchemaRows } from './SchemaRows.tsx';

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

/** The input schema as a tree, as JSON, and beside both an example that is checked against it. All three say the same at any moment. */
function InputSchemaDialog({
  definition,
  fault,
  onChange,
  onClose,
}: {
  definition: Definition;
  fault: string | null;
  onChange: (schema: unknown) => void;
  onClose: () => void;
}): ReactNode {
  useRestoreFocus(true);
  const runs = useDraftRuns();
  useStore(runs.store, (state) => state.sample);
  const { input } = definition;
  const schema: SchemaValue = isSchema(input) ? input : {};
  const example = runs.sampleFor(definition);
  const marks = useMemo(() => sampleFaults(example, withPlainNumbers(input)), [example, input]);
  const infer = () => {
    try {
      onChange(inferSchema(parseJson(example)));
    } catch {
      toastInfo(t('No schema inferred'), t('The example is not valid JSON.'));
    }
  };
  return (
    <Modal opened onClose={onClose} title={<strong>{t('Input schema')}</strong>} size="74rem">
      <div className={classes.split}>
        <Stack gap="xs" miw={0}>
          <Text size="sm" fw={600}>
            {t('Properties')}
          </Text>
          <SchemaRows schema={schema} place={[]} whole={schema} onChange={onChange} />
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden="true" />}
              onClick={() => onChange(addProperty(schema, []).schema)}
            >
              {t('Add property')}
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconWand size={14} aria-hidden="true" />}
              onClick={infer}
            >
              {t('Infer from example')}
            </Button>
            {input !== undefined && (
              <Button size="compact-sm" variant="subtle" onClick={() => onChange(undefined)}>
                {t('Accept any input')}
              </Button>
            )}
          </Group>
        </Stack>
        <Stack gap="sm" miw={0}>
          <JsonField
            label={t('As JSON Schema')}
            help={t('Draft 2020-12; keywords that the form does not support are kept')}
            value={input}
            fault={fault}
            onChange={onChange}
            minHeight={160}
            maxHeight={300}
            check={(value) =>
              value === undefined || typeof value === 'boolean' || isSchema(value)
                ? null
                : t('A schema must be an object, true or false.')
            }
          />
          <div>
            <Text size="xs" fw={600}>
              {t('Example input')}
            </Text>
            <Text size="xs" className="dim" mb={4}>
              {t('Used for draft runs. It stays {here}.', { here: storageLocationText() })}
            </Text>
            <CodeEditor
              label={t('Example input')}
              value={example}
              onChange={runs.setSample}
              bare
              minHeight={100}
              maxHeight={240}
              diagnostics={marks}
            />
            <Text
              size="xs"
              mt={4}
              c={marks.length > 0 ? 'var(--tone-warn-text)' : 'var(--tone-done-text)'}
              role="status"
            >
              {marks[0]?.message ?? t('Valid against the schema.')}
            </Text>
          </div>
        </Stack>
      </div>
      <Group justify="flex-end" mt="sm">
        <Text size="xs" className="dim" mr="auto">
          {t('Changes are part of the draft: undo reverts them, Save version keeps them.')}
        </Text>
        <Button onClick={onClose}>{t('Done')}</Button>
      </Group>
    </Modal>
  );
}
