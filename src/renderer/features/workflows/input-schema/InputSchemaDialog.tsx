import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconPlus, IconWand } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Definition } from '../../../../contract/definition.ts';
import { parseJson, withPlainNumbers } from '../../../../lib/json.ts';
import { t } from '../../../../lib/language.ts';
import { here } from '../../../stores/desktop.ts';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import { useFocusBack } from '../../../ui/restore-focus.ts';
import { toastInfo } from '../../../ui/toasts.tsx';
import { useDraftRuns } from '../draft-run/context.tsx';
import { sampleFaults } from '../draft-run/sample-faults.ts';
import { JsonField } from '../fields/JsonField.tsx';
import { inferSchema } from './infer.ts';
import classes from './InputSchema.module.css';
import { addProperty, isSchema, type SchemaValue } from './schema-tree.ts';
import { SchemaRows } from './SchemaRows.tsx';

/** The input schema as a tree, as JSON, and beside both an example that is checked against it. All three say the same at any moment. */
export function InputSchemaDialog({
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
  useFocusBack(true);
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
              {t('Used for draft runs. It stays {here}.', { here: here() })}
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
