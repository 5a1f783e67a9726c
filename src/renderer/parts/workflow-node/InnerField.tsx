import { Select, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import type { NodeInput } from '../workflow-draft-run/node-input.ts';
import { innerTypeDocs, nodeTypeDoc } from '../workflow-text/node-types.ts';
import { ConfigFields } from './ConfigFields.tsx';
import { faultAt, type NodeFault } from './faults.ts';
import { withMember } from './fields.ts';
import classes from './NodePanel.module.css';

interface Inner {
  readonly type?: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

/** What a forEach does with each item: a type and the form of that type. `input`: of one item, where it is known. */
export function InnerField({ label, value, onChange, faults, workflowId, input }: { label: string; value: unknown; onChange: (value: unknown) => void; faults: readonly NodeFault[]; workflowId: string; input: NodeInput }): ReactNode {
  const inner = (value !== null && typeof value === 'object' ? value : {}) as Inner;
  const type = inner.type ?? '';
  return (
    <div role="group" aria-label={label}>
      <Text size="xs" fw={600} mb={4}>{label}</Text>
      <div className={classes.inner}>
        <Select
          size="xs"
          label={t('Type')}
          data={innerTypeDocs.map((doc) => doc.type)}
          value={type === '' ? null : type}
          description={nodeTypeDoc(type)?.summary}
          onChange={(next) => next !== null && next !== type && onChange({ ...inner, type: next, config: structuredClone(nodeTypeDoc(next)?.config ?? {}) })}
          allowDeselect={false}
          error={faultAt(faults.filter(({ pointer }) => !pointer.startsWith('/config')), '')}
        />
        <ConfigFields type={type} config={inner.config ?? {}} onChange={(config) => onChange(withMember(inner, 'config', config))} faults={faults.flatMap((fault) => (fault.pointer.startsWith('/config') ? [{ ...fault, pointer: fault.pointer.slice('/config'.length) }] : []))} workflowId={workflowId} input={input} />
      </div>
    </div>
  );
}
