import { Autocomplete, Checkbox, SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { workersQuery } from '../../../api/workers.ts';
import { workflowsQuery } from '../../../api/workflows.ts';
import type { NodeInput } from '../draft-run/node-input.ts';
import { ApproversField } from './ApproversField.tsx';
import { ExpressionField } from './ExpressionField.tsx';
import { faultAt, type NodeFault } from './faults.ts';
import type { Field } from './fields.ts';
import { JsonField } from './JsonField.tsx';
import { NumberField } from './NumberField.tsx';
import { PairsField } from './PairsField.tsx';
import { TypedText } from './TypedText.tsx';
import { useDebouncedText } from './use-debounced-text.ts';
import { bindChecked } from '../../../ui/bind.ts';
import { FieldBox } from './FieldBox.tsx';

export interface ConfigFieldProps {
  readonly field: Field;
  /** Type of the node whose configuration it is part of. */
  readonly type: string;
  readonly value: unknown;
  /** `undefined` takes the member away. */
  readonly onChange: (value: unknown) => void;
  /** Of this member: pointers from the member on. */
  readonly faults: readonly NodeFault[];
  readonly workflowId: string;
  readonly input: NodeInput;
}

const LANGUAGES = { jsonata: 'jsonata', javascript: 'javascript', template: 'template' } as const;
const MAY_NAME_SECRETS: ReadonlySet<string> = new Set(['http', 'code']);
/** Up to so many choices all are in sight. */
const IN_SIGHT = 3;

/** One member of a configuration, edited in the way that its schema asks for. */
export function ConfigField(props: ConfigFieldProps): ReactNode {
  const { field, value, onChange, faults } = props;
  const { label, help, required } = field;
  const fault = faultAt(faults, '');
  switch (field.editor) {
    case 'jsonata':
    case 'javascript':
    case 'template':
      return <TypedExpression {...props} language={LANGUAGES[field.editor]} fault={fault} />;
    case 'number':
    case 'seconds':
      return <NumberField field={field} value={value} onChange={onChange} fault={fault} />;
    case 'choice':
      return field.choices.length <= IN_SIGHT ? (
        <div>
          <FieldBox label={label} help={help} fault={fault}>
            <SegmentedControl
              fullWidth
              aria-label={label}
              data={field.choices.map((one) => ({ ...one }))}
              value={typeof value === 'string' ? value : ''}
              onChange={onChange}
            />
          </FieldBox>
        </div>
      ) : (
        <Select
          label={label}
          description={help || undefined}
          data={field.choices.map((one) => ({ ...one }))}
          value={typeof value === 'string' ? value : null}
          onChange={(next) => onChange(next ?? undefined)}
          withAsterisk={required}
          allowDeselect={!required}
          error={fault}
        />
      );
    case 'flag':
      return (
        <Checkbox
          label={label}
          description={help || undefined}
          {...bindChecked(value === true, onChange)}
          error={fault}
        />
      );
    case 'pairs':
      return <PairsField label={label} help={help} value={value} onChange={onChange} fault={fault} />;
    case 'approvers':
      return <ApproversField label={label} help={help} value={value} onChange={onChange} fault={fault} />;
    case 'json':
      return <JsonField label={label} help={help} value={value} onChange={onChange} fault={fault} />;
    case 'inner':
      // Drawn by the form that it is part of.
      return null;
    case 'workflow':
    case 'handler':
      return <NamedField {...props} fault={fault} />;
    case 'text':
      return (
        <TypedText
          label={label}
          description={help || undefined}
          value={typeof value === 'string' ? value : ''}
          onChange={(text) => onChange(text === '' && !required ? undefined : text)}
          withAsterisk={required}
          error={fault}
        />
      );
  }
}

function TypedExpression({
  field,
  type,
  value,
  onChange,
  workflowId,
  input,
  language,
  fault,
}: ConfigFieldProps & { language: 'jsonata' | 'javascript' | 'template'; fault: string | null }): ReactNode {
  const [text, setText] = useDebouncedText(typeof value === 'string' ? value : '', onChange);
  return (
    <ExpressionField
      label={field.label}
      help={field.help}
      language={language}
      value={text}
      onChange={setText}
      fault={fault}
      required={field.required}
      workflowId={workflowId}
      input={input}
      mayNameSecrets={MAY_NAME_SECRETS.has(type)}
    />
  );
}

/** A name that the master knows: of a workflow, or of a handler that workers have registered. Others may be typed. */
function NamedField({ field, value, onChange, fault }: ConfigFieldProps & { fault: string | null }): ReactNode {
  const ofWorkflows = field.editor === 'workflow';
  const { data: workflows } = useQuery({ ...workflowsQuery({ size: 500, sort: 'id,asc' }), enabled: ofWorkflows });
  const { data: workers } = useQuery({ ...workersQuery({ size: 500 }), enabled: !ofWorkflows });
  const names = ofWorkflows
    ? (workflows?.items.map(({ id }) => id) ?? [])
    : [...new Set((workers?.items ?? []).flatMap((worker) => (worker.state === 'Down' ? [] : worker.handlers)))].sort();
  const chosen = ofWorkflows ? workflows?.items.find(({ id }) => id === value) : undefined;
  const places = chosen?.environments.flatMap(({ environment, hash }) => (hash === null ? [] : [environment])) ?? [];
  const known =
    chosen &&
    (places.length === 0
      ? t('Not published yet: calls will fail.')
      : t('Published to {environments}', { environments: places.join(', ') }));
  const help =
    !ofWorkflows && workers && names.length === 0
      ? t('No worker has registered a handler yet.')
      : (known ?? field.help);
  return (
    <Autocomplete
      label={field.label}
      description={help}
      data={names}
      value={typeof value === 'string' ? value : ''}
      onChange={onChange}
      limit={50}
      withAsterisk={field.required}
      error={fault}
    />
  );
}
