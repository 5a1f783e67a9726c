import { t } from '../../../../lib/language.ts';
import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Variable } from '../../../../contract/dashboards.ts';
import { tagValuesQuery } from '../../../api/dashboards.ts';
import css from './Dashboard.module.css';
import type { ChosenVariables } from './panel-data.ts';

/** What can be chosen for the variables of a dashboard; none chosen: all. */
export function Variables({
  variables,
  chosen,
  onChange,
}: {
  variables: readonly Variable[];
  chosen: ChosenVariables;
  onChange(next: ChosenVariables): void;
}): ReactNode {
  return variables.map((variable) => (
    <One
      key={variable.name}
      variable={variable}
      values={chosen[variable.name] ?? []}
      onChange={(values) => onChange({ ...chosen, [variable.name]: values })}
    />
  ));
}

function One({
  variable: { label, tag, multi },
  values,
  onChange,
}: {
  variable: Variable;
  values: readonly string[];
  onChange(values: readonly string[]): void;
}): ReactNode {
  const { data } = useQuery(tagValuesQuery(tag));
  // What is chosen stays in the list, though it may have had no points of late.
  const all = [...new Set([...(data?.items ?? []), ...values])].filter((value) => value !== '');
  const shared = {
    'aria-label': label,
    data: all,
    searchable: true,
    clearable: true,
    size: 'xs',
    w: 210,
    limit: 200,
  } as const;
  if (!multi)
    return (
      <Select
        {...shared}
        placeholder={t('{label}: all', { label })}
        value={values[0] ?? null}
        onChange={(value) => onChange(value === null ? [] : [value])}
      />
    );
  return (
    <MultiSelect
      {...shared}
      classNames={{ pillsList: css['pills'] ?? '' }}
      placeholder={values.length === 0 ? t('{label}: all', { label }) : ''}
      value={[...values]}
      onChange={onChange}
      maxDropdownHeight={320}
    />
  );
}
