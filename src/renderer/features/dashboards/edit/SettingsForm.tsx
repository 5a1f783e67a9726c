import { ActionIcon, Button, Checkbox, NumberInput, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DashboardDefinition, Variable } from '../../../../contract/dashboards.ts';
import { VARIABLE_NAME } from '../../../../contract/vocabulary.ts';
import { isOneOf } from '../../../../lib/is-one-of.ts';
import { t } from '../../../../lib/language.ts';
import { metricTagsQuery, tagValuesQuery } from '../../../api/dashboards.ts';
import { parseDuration, RANGE_NAMES } from '../panels/range.ts';
import { RANGE_WORDS } from '../panels/TimeTools.tsx';
import css from './Edit.module.css';
import { replacePanel } from './layout.ts';
import { bindChecked, bindChoice, bindText } from '../../../ui/bind.ts';

const MAX_VARIABLES = 10;

/** What holds for the whole dashboard: its name, its time, its variables. */
export function SettingsForm({
  definition,
  onChange,
}: {
  definition: DashboardDefinition;
  onChange(next: DashboardDefinition): void;
}): ReactNode {
  const { title, description, time, variables } = definition;
  const { data: tags } = useQuery(metricTagsQuery(undefined));
  const fresh = (tags?.items ?? []).find((tag) => !variables.some((one) => one.tag === tag)) ?? 'workflow_id';
  const add = () => {
    const base =
      fresh
        .replace(/_id$/, '')
        .replace(/[^a-zA-Z0-9_]/g, '')
        .replace(/^[^a-z]+/, '') || 'variable';
    const name = variables.some((one) => one.name === base) ? `${base}${variables.length + 1}` : base;
    onChange({
      ...definition,
      variables: [
        ...variables,
        { name, label: `${name.charAt(0).toUpperCase()}${name.slice(1)}`, tag: fresh, multi: true, value: [] },
      ],
    });
  };
  return (
    <>
      <TextInput
        label={t('Title')}
        maxLength={200}
        {...bindText(title, (text) => onChange({ ...definition, title: text }))}
        error={title.trim() === '' && t('Title is required')}
      />
      <Textarea
        label={t('Description')}
        autosize
        minRows={2}
        maxRows={5}
        maxLength={2000}
        {...bindText(description, (text) => onChange({ ...definition, description: text }))}
      />
      <div className={css['pair']}>
        <Select
          label={t('Default time range')}
          data={[...new Set<string>([...RANGE_NAMES, time.last])]
            .sort((a, b) => (parseDuration(a) ?? 0) - (parseDuration(b) ?? 0))
            .map((value) => ({
              value,
              label: isOneOf(RANGE_NAMES, value) ? RANGE_WORDS[value] : t('last {span}', { span: value }),
            }))}
          {...bindChoice(time.last, (last) => onChange({ ...definition, time: { ...time, last } }))}
        />
        <NumberInput
          label={t('Refresh interval, seconds')}
          description={t('0 = off')}
          min={0}
          max={86_400}
          allowDecimal={false}
          value={time.refreshSeconds}
          onChange={(value) =>
            typeof value === 'number' && onChange({ ...definition, time: { ...time, refreshSeconds: value } })
          }
        />
      </div>
      <h3>{t('Variables')}</h3>
      {variables.map((variable, i) => (
        <VariableForm
          key={i}
          variable={variable}
          tags={tags?.items ?? []}
          taken={variables.some((one, at) => at !== i && one.name === variable.name)}
          onChange={(next) => onChange({ ...definition, variables: replacePanel(variables, i, next) })}
        />
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={13} aria-hidden />}
        disabled={variables.length >= MAX_VARIABLES}
        onClick={add}
      >
        {t('Add variable')}
      </Button>
    </>
  );
}

function VariableForm({
  variable,
  tags,
  taken,
  onChange,
}: {
  variable: Variable;
  tags: readonly string[];
  taken: boolean;
  onChange(next: Variable | null): void;
}): ReactNode {
  const { data } = useQuery(tagValuesQuery(variable.tag));
  const fault = !new RegExp(VARIABLE_NAME).test(variable.name)
    ? t('Letters, digits and _; must start with a lowercase letter')
    : taken
      ? t('This name is already used')
      : null;
  return (
    <fieldset className={css['box']} aria-label={t('Variable {name}', { name: variable.name })}>
      <div className={css['head']}>
        <h3 className="mono">${variable.name}</h3>
        <ActionIcon aria-label={t('Remove variable {name}', { name: variable.name })} onClick={() => onChange(null)}>
          <IconTrash size={15} aria-hidden />
        </ActionIcon>
      </div>
      <div className={css['pair']}>
        <TextInput
          label={t('Name')}
          spellCheck={false}
          error={fault}
          {...bindText(variable.name, (text) => onChange({ ...variable, name: text }))}
        />
        <TextInput
          label={t('Label')}
          maxLength={200}
          {...bindText(variable.label, (text) => onChange({ ...variable, label: text }))}
        />
      </div>
      <Select
        label={t('Tag')}
        searchable
        data={[...new Set([variable.tag, ...tags])]}
        {...bindChoice(variable.tag, (tag) => onChange({ ...variable, tag, value: [] }))}
      />
      <TagsInput
        label={t('Default value')}
        placeholder={variable.value.length === 0 ? t('All') : ''}
        data={(data?.items ?? []).filter((value) => value !== '')}
        value={variable.value}
        onChange={(value) => onChange({ ...variable, value })}
      />
      <Checkbox
        label={t('Multi-value')}
        {...bindChecked(variable.multi, (on) => onChange({ ...variable, multi: on }))}
      />
    </fieldset>
  );
}
