import { SegmentedControl, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type Definition, NodeSchema, type WorkflowNode } from '../../../../contract/definition.ts';
import { t } from '../../../../lib/language.ts';
import { parseJson } from '../../../../lib/json.ts';
import { useDraftRuns } from '../draft-run/context.tsx';
import { jobOfRun, type NodeInput, nodeInput } from '../draft-run/node-input.ts';
import { NodeResult } from '../draft-run/NodeResult.tsx';
import { InputSchemaField } from '../input-schema/InputSchemaField.tsx';
import { setNode } from '../definition/edits.ts';
import { renameNode } from '../definition/rename-node.ts';
import { codeSource } from '../code-source.ts';
import { nodeTypeDoc } from '../definition/node-types.ts';
import { ConfigFields } from '../fields/ConfigFields.tsx';
import { faultAt, faultsBeside, faultsByField, type NodeFault } from '../fields/faults.ts';
import { commonFields, configFields, nodeField } from '../fields/fields.ts';
import { JsonField } from '../fields/JsonField.tsx';
import classes from '../fields/Fields.module.css';
import { NodeErrorContext } from '../fields/node-error.ts';
import { NumberField } from '../fields/NumberField.tsx';
import { TypedText } from '../fields/TypedText.tsx';
import { DEBOUNCE_MS } from '../fields/use-debounced-text.ts';
import { Callout } from '../../../ui/Callout.tsx';
import { bindText } from '../../../ui/bind.ts';

export interface NodePanelProps {
  readonly definition: Definition;
  readonly nodeId: string;
  /** Changes the newest definition; `kind`: acts of one kind that follow each other are one step of the history. */
  readonly onEdit: (label: string, change: (definition: Definition) => Definition, kind: string) => void;
  /** It has another id now. */
  readonly onRenamed: (id: string) => void;
  /** Of the whole definition, by JSON pointer. */
  readonly faults: readonly NodeFault[];
}

// The schema has it, its type does not.
const ID = new RegExp((NodeSchema.properties.id as unknown as { pattern: string }).pattern);
const STRUCTURE: ReadonlySet<string> = new Set(['input', 'output']);

/** The form of one node, drawn from the schema of its type, and what the last draft run made of it. */
export function NodePanel(props: NodePanelProps): ReactNode {
  const { definition, nodeId } = props;
  const node = definition.nodes.find(({ id }) => id === nodeId);
  const runs = useDraftRuns();
  const { run, ran: ranDefinition } = useStore(runs.store);
  const [tab, setTab] = useState('settings');
  const ran = run?.nodes.find((one) => one.node === nodeId);
  const error = ran?.error;
  const nodeError = useMemo(() => {
    const source = ranDefinition && codeSource(ranDefinition, nodeId);
    return error?.stack && typeof source === 'string' ? { message: error.message, stack: error.stack, source } : null;
  }, [error, ranDefinition, nodeId]);
  if (!node) return null;
  return (
    <Stack gap="var(--mantine-spacing-sm)" miw={0} onKeyDownCapture={passOn}>
      <div>
        <Text fw={600} className="clip">
          {node.name || node.id}
        </Text>
        <Text size="xs" className="dim">
          {[node.type, nodeTypeDoc(node.type)?.summary].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <Tabs value={tab} onChange={(next) => setTab(next ?? 'settings')} keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="settings">{t('Settings')}</Tabs.Tab>
          <Tabs.Tab value="result">{ran?.error ? t('Result: failed') : t('Result')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settings">
          <NodeErrorContext value={nodeError}>
            <Settings {...props} node={node} />
          </NodeErrorContext>
        </Tabs.Panel>
        <Tabs.Panel value="result">
          <NodeResult definition={definition} nodeId={nodeId} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** Keys of the page that an editor in the form would keep for itself: saving, and running the draft once what was typed is handed on. */
function passOn(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey } = event;
  if (!(ctrlKey || metaKey) || event.altKey || (key !== 's' && key !== 'Enter')) return;
  event.preventDefault();
  event.stopPropagation();
  setTimeout(
    () =>
      document.body.dispatchEvent(
        new window.KeyboardEvent('keydown', { key, ctrlKey, metaKey, bubbles: true, cancelable: true }),
      ),
    2 * DEBOUNCE_MS,
  );
}

function Settings({ definition, node, onEdit, onRenamed, faults }: NodePanelProps & { node: WorkflowNode }): ReactNode {
  const { id, type } = node;
  const runs = useDraftRuns();
  const { run, sample, isRecorded, borrowed } = useStore(runs.store);
  const index = definition.nodes.indexOf(node);
  const own = useMemo(() => faultsByField(faults, index), [faults, index]);
  // The text of the example may be no JSON for a moment: then nothing is known of the input.
  const example = useMemo(() => {
    try {
      return { value: parseJson(runs.sampleFor(definition)) };
    } catch {
      return null;
    }
  }, [runs, sample, definition.input]);
  const input = useMemo(
    () => nodeInput(definition, id, { run, isRecorded, sample: example, borrowed }),
    [definition.nodes, definition.edges, id, run, isRecorded, example, borrowed],
  );
  const items = run?.nodes.find((one) => one.node === id)?.items;
  const item = useMemo(
    (): NodeInput =>
      items ? { known: true, value: items.input, from: 'run', job: jobOfRun({ run, isRecorded }) } : { known: false },
    [items, run, isRecorded],
  );
  const set = (key: keyof WorkflowNode, value: unknown) =>
    onEdit(t('Change settings'), (now) => setNode(now, id, { [key]: value }), `form ${id} ${key}`);
  const isJoin = definition.edges.filter(({ to }) => to === id).length > 1 || node.join !== undefined;
  const shown = [
    '/id',
    '/name',
    '/join',
    ...configFields(type).map(({ key }) => `/config/${key}`),
    ...commonFields().map(({ key }) => `/${key}`),
  ];
  const beside = faultsBeside(own, shown);
  const name = nodeField('name');
  const join = nodeField('join');
  return (
    <Stack gap="var(--mantine-spacing-sm)" miw={0}>
      {beside.length > 0 && (
        <Callout tone="warn">{[...new Set(beside.map(({ message }) => message))].join(' ')}</Callout>
      )}
      <div className={classes.twoFields}>
        <TypedText
          key={`name of ${id}`}
          label={name.label}
          data-hint={name.help}
          placeholder={id}
          value={node.name ?? ''}
          maxLength={200}
          onChange={(text) => set('name', text === '' ? undefined : text)}
          error={faultAt(own, '/name')}
        />
        <IdField
          key={id}
          definition={definition}
          id={id}
          fault={faultAt(own, '/id')}
          onRename={(next) => {
            onEdit(t('Rename {id} to {next}', { id, next }), (now) => renameNode(now, id, next), `rename ${id}`);
            onRenamed(next);
          }}
        />
      </div>
      {type === 'input' && (
        <InputSchemaField
          definition={definition}
          faults={faults}
          onChange={(schema) =>
            onEdit(
              t('Change the input schema'),
              (now) => ({
                ...without(now, 'input'),
                ...(schema === undefined ? {} : { input: schema as Definition['input'] & {} }),
              }),
              'input schema',
            )
          }
        />
      )}
      <ConfigFields
        key={`${id} ${type}`}
        type={type}
        config={node.config ?? {}}
        onChange={(config) => set('config', config)}
        faults={own.flatMap((fault) =>
          fault.pointer.startsWith('/config') ? [{ ...fault, pointer: fault.pointer.slice('/config'.length) }] : [],
        )}
        workflowId={runs.workflowId}
        input={input}
        item={item}
      />
      {isJoin && type !== 'input' && (
        <div>
          <Text size="xs" fw={600}>
            {join.label}
          </Text>
          <Text size="xs" className="dim" mb={4}>
            {join.help}
          </Text>
          <SegmentedControl
            fullWidth
            orientation="vertical"
            aria-label={join.label}
            data={join.choices.map((one) => ({ ...one }))}
            value={node.join ?? 'keyed'}
            onChange={(value) => set('join', value === 'keyed' ? undefined : value)}
          />
        </div>
      )}
      {!STRUCTURE.has(type) && (
        <details
          className={classes.more}
          open={commonFields().some(
            ({ key }) => node[key as 'retries'] !== undefined || faultAt(own, `/${key}`) !== null,
          )}
        >
          <summary>{t('Retries and timeouts')}</summary>
          <div className={classes.moreBody}>
            {commonFields().map((field) => (
              <NumberField
                key={field.key}
                field={field}
                value={node[field.key as 'retries']}
                onChange={(value) => set(field.key as 'retries', value)}
                fault={faultAt(own, `/${field.key}`)}
              />
            ))}
          </div>
        </details>
      )}
      <details className={classes.more}>
        <summary>{t('As JSON')}</summary>
        <div className={classes.moreBody}>
          <JsonField
            key={id}
            label={t('Node {id}', { id })}
            help={t('All settings, including those without a form field. The ID is changed above.')}
            value={node}
            fault={null}
            minHeight={160}
            maxHeight={420}
            check={(value) => whyNotNode(value, id)}
            onChange={(value) =>
              onEdit(
                t('Change settings'),
                (now) => ({ ...now, nodes: now.nodes.map((one) => (one.id === id ? (value as WorkflowNode) : one)) }),
                `form ${id} json`,
              )
            }
          />
        </div>
      </details>
    </Stack>
  );
}

function without<K extends keyof Definition>(definition: Definition, key: K): Omit<Definition, K> {
  const { [key]: _, ...rest } = definition;
  return rest;
}

function whyNotNode(value: unknown, id: string): string | null {
  // Looked at member by member below.
  const node = value as Partial<WorkflowNode> | null | undefined;
  if (node === null || typeof node !== 'object' || typeof node.type !== 'string')
    return t('A node must be an object with an ID and a type.');
  return node.id === id ? null : t('Keep the ID {id} here; change it above.', { id });
}

/** The id is taken over when the field is left, or with Enter: edges and expressions follow it at once. */
function IdField({
  definition,
  id,
  fault,
  onRename,
}: {
  definition: Definition;
  id: string;
  fault: string | null;
  onRename: (id: string) => void;
}): ReactNode {
  const [text, setText] = useState(id);
  useEffect(() => setText(id), [id]);
  const why =
    text === id
      ? null
      : !ID.test(text) || text.length > 100
        ? t('Use letters, digits and _ . : -, max. 100.')
        : definition.nodes.some((node) => node.id === text)
          ? t('Another node has this ID.')
          : null;
  const take = () => {
    if (text === id) return;
    // What cannot be taken stays with its reason until it is corrected, or taken back by Escape.
    if (why === null) onRename(text);
  };
  return (
    <TextInput
      label={t('ID')}
      data-hint={t('Used in edges and expressions; these are updated when it changes')}
      {...bindText(text, setText)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
        else if (event.key === 'Escape') setText(id);
      }}
      error={why ?? fault}
      spellCheck={false}
    />
  );
}
