import { Text } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { t } from '../../../lib/language.ts';
import type { NodeInput } from '../workflow-draft-run/node-input.ts';
import { ConfigField } from './ConfigField.tsx';
import type { NodeFault } from './faults.ts';
import { configFields, otherMembers, withMember } from './fields.ts';

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
export function ConfigFields({ type, config, onChange, faults, workflowId, input, item = UNKNOWN }: ConfigFieldsProps): ReactNode {
  const fields = configFields(type);
  const others = otherMembers(type, config);
  // A field that hands on late must not undo what another handed on meanwhile.
  const latest = useRef(config);
  latest.current = config;
  return (
    <>
      {fields.map((field) => (
        <ConfigField
          key={field.key}
          field={field}
          type={type}
          value={config[field.key]}
          onChange={(value) => onChange((latest.current = withMember({ ...latest.current }, field.key, value)))}
          faults={faults.flatMap(({ pointer, message }) => (pointer === `/${field.key}` || pointer.startsWith(`/${field.key}/`) ? [{ pointer: pointer.slice(field.key.length + 1), message }] : []))}
          workflowId={workflowId}
          input={input}
          item={item}
        />
      ))}
      {others.length > 0 && <Text size="xs" className="dim">{t('Also set, and left as it is: {names}. It is edited as JSON below.', { names: others.join(', ') })}</Text>}
    </>
  );
}
