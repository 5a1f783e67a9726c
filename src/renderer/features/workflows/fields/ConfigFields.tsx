import { Select, Text } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { t } from '../../../../lib/language.ts';
import type { NodeInput } from '../draft-run/node-input.ts';
import { innerTypeDocs, nodeTypeDoc } from '../definition/node-types.ts';
import { ConfigField } from './ConfigField.tsx';
import { faultAt, type NodeFault } from './faults.ts';
import { type Field, fieldsInUse, otherMembers, withMember } from './fields.ts';
import classes from './Fields.module.css';

export interface ConfigFieldsProps {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly onChange: (config: Record<string, unknown>) => void;
  /** Pointers from the configuration on. */
  readonly faults: readonly NodeFault[];
  readonly workflowId: string;
  readonly input: NodeInput;
  /** Of a forEach: what one of its items is given. */
  readonly item?: NodeInput;
}

const UNKNOWN: NodeInput = { known: false };

/** The form of a configuration, from the schema of its type. Members that the schema does not know stay, and are named. */
export function ConfigFields({
  type,
  config,
  onChange,
  faults,
  workflowId,
  input,
  item = UNKNOWN,
}: ConfigFieldsProps): ReactNode {
  const fields = fieldsInUse(type, config);
  const others = otherMembers(type, config);
  // A field that hands on late must not undo what another handed on meanwhile.
  const latest = useRef(config);
  latest.current = config;
  const draw = (field: Field) => {
    const shared = {
      value: config[field.key],
      onChange: (value: unknown) => onChange((latest.current = withMember({ ...latest.current }, field.key, value))),
      faults: faults.flatMap(({ pointer, message }) =>
        pointer === `/${field.key}` || pointer.startsWith(`/${field.key}/`)
          ? [{ pointer: pointer.slice(field.key.length + 1), message }]
          : [],
      ),
      workflowId,
    };
    return field.editor === 'inner' ? (
      <InnerField key={field.key} label={field.label} {...shared} input={item} />
    ) : (
      <ConfigField key={field.key} field={field} type={type} {...shared} input={input} />
    );
  };
  return (
    <>
      {fields.map(draw)}
      {others.length > 0 && (
        <Text size="xs" className="dim">
          {t('Other settings, edited as JSON below: {names}.', { names: others.join(', ') })}
        </Text>
      )}
    </>
  );
}

interface Inner {
  readonly type?: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

/** What a forEach does with each item: a type and the form of that type. `input`: of one item, where it is known. */
function InnerField({
  label,
  value,
  onChange,
  faults,
  workflowId,
  input,
}: {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
  faults: readonly NodeFault[];
  workflowId: string;
  input: NodeInput;
}): ReactNode {
  const inner: Inner = value !== null && typeof value === 'object' ? value : {};
  const type = inner.type ?? '';
  return (
    <div role="group" aria-label={label}>
      <Text size="xs" fw={600} mb={4}>
        {label}
      </Text>
      <div className={classes.inner}>
        <Select
          label={t('Type')}
          data={innerTypeDocs.map((doc) => doc.type)}
          value={type === '' ? null : type}
          description={nodeTypeDoc(type)?.summary}
          onChange={(next) =>
            next !== null &&
            next !== type &&
            onChange({ ...inner, type: next, config: structuredClone(nodeTypeDoc(next)?.config ?? {}) })
          }
          error={faultAt(
            faults.filter(({ pointer }) => !pointer.startsWith('/config')),
            '',
          )}
        />
        <ConfigFields
          type={type}
          config={inner.config ?? {}}
          onChange={(config) => onChange(withMember(inner, 'config', config))}
          faults={faults.flatMap((fault) =>
            fault.pointer.startsWith('/config') ? [{ ...fault, pointer: fault.pointer.slice('/config'.length) }] : [],
          )}
          workflowId={workflowId}
          input={input}
        />
      </div>
    </div>
  );
}
