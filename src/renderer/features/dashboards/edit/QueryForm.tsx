import {
  ActionIcon,
  Autocomplete,
  Button,
  SegmentedControl,
  Select,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PanelQuery } from '../../../../contract/dashboards.ts';
import { METRIC_AGGREGATES } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { metricNamesQuery, metricTagsQuery, tagValuesQuery } from '../../../api/dashboards.ts';
import css from './Edit.module.css';
import { FIRST_QUERY, putPanel } from './layout.ts';
import { bindChoice, bindText } from '../../../ui/bind.ts';

type MetricQuery = Extract<PanelQuery, { source: 'metrics' }>;
type LogsQuery = Extract<PanelQuery, { source: 'logs' }>;

export interface QueryFormProps {
  readonly query: PanelQuery;
  /** Names of variables, which filters may stand for. */
  readonly variables: readonly string[];
  /** A panel of logs asks logs alone. */
  readonly logsOnly: boolean;
  onChange(next: PanelQuery): void;
}

/** What a panel asks for: points of metrics, or log lines. */
export function QueryForm({ query, variables, logsOnly, onChange }: QueryFormProps): ReactNode {
  return (
    <>
      {!logsOnly && (
        <SegmentedControl
          aria-label={t('Source')}
          value={query.source}
          onChange={(source) =>
            onChange(source === 'logs' ? { source: 'logs', query: '*', field: 'level' } : FIRST_QUERY)
          }
          data={[
            { value: 'metrics', label: t('Metrics') },
            { value: 'logs', label: t('Logs') },
          ]}
        />
      )}
      {query.source === 'logs' ? (
        <LogsFields query={query} logsOnly={logsOnly} onChange={onChange} />
      ) : (
        <MetricFields query={query} variables={variables} onChange={onChange} />
      )}
    </>
  );
}

function LogsFields({
  query,
  logsOnly,
  onChange,
}: {
  query: LogsQuery;
  logsOnly: boolean;
  onChange(next: PanelQuery): void;
}): ReactNode {
  return (
    <>
      <Textarea
        label={t('Matching lines')}
        description={t('LogsQL; $name is replaced by the value of that variable')}
        classNames={{ input: 'mono' }}
        autosize
        minRows={1}
        maxRows={6}
        spellCheck={false}
        {...bindText(query.query, (text) => onChange({ ...query, query: text }))}
      />
      {!logsOnly && (
        <TextInput
          label={t('Count by')}
          description={t('A field, for example level')}
          spellCheck={false}
          {...bindText(query.field ?? '', (text) => onChange(putPanel(query, 'field', text || undefined)))}
        />
      )}
    </>
  );
}

/** `legend` false: lines are not named. */
export function MetricFields({
  query,
  variables,
  legend = true,
  onChange,
}: {
  query: MetricQuery;
  variables: readonly string[];
  legend?: boolean;
  onChange(next: MetricQuery): void;
}): ReactNode {
  const { data: names } = useQuery(metricNamesQuery());
  const { data: tags } = useQuery({ ...metricTagsQuery(query.measurement), enabled: query.measurement !== '' });
  const known = names?.items.find(({ measurement }) => measurement === query.measurement);
  const filters = Object.entries(query.filters ?? {});
  const setFilters = (next: readonly (readonly [string, string[]])[]) =>
    onChange(putPanel(query, 'filters', next.length === 0 ? undefined : Object.fromEntries(next)));
  const free = (tags?.items ?? []).find((tag) => !(tag in (query.filters ?? {}))) ?? '';
  return (
    <>
      <Autocomplete
        label={t('Measurement')}
        spellCheck={false}
        data={names?.items.map(({ measurement }) => measurement) ?? []}
        value={query.measurement}
        onChange={(measurement) => onChange({ ...query, measurement })}
      />
      <Autocomplete
        label={t('Field')}
        spellCheck={false}
        data={known?.fields.filter(({ type }) => type !== 'string').map(({ name }) => name) ?? []}
        value={query.field}
        onChange={(field) => onChange({ ...query, field })}
      />
      <div className={css['pair']}>
        <Select
          label={t('Aggregation')}
          data={METRIC_AGGREGATES}
          {...bindChoice(query.aggregate, (aggregate) => onChange({ ...query, aggregate }))}
        />
        {legend && (
          <TextInput
            label={t('Legend')}
            placeholder="{{worker_id}}"
            spellCheck={false}
            {...bindText(query.legend ?? '', (text) => onChange(putPanel(query, 'legend', text || undefined)))}
          />
        )}
      </div>
      <TagsInput
        label={t('Group by')}
        placeholder={query.groupBy?.length ? '' : t('A tag. Empty: no grouping')}
        data={tags?.items ?? []}
        value={query.groupBy ?? []}
        onChange={(groupBy) => onChange(putPanel(query, 'groupBy', groupBy.length === 0 ? undefined : groupBy))}
      />
      {filters.map(([tag, values], i) => (
        <Filter
          key={i}
          tag={tag}
          values={values}
          tags={tags?.items ?? []}
          variables={variables}
          onChange={(next) =>
            setFilters(filters.flatMap((one, at) => (at !== i ? [one] : next === null ? [] : [next])))
          }
        />
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={13} aria-hidden />}
        disabled={free === ''}
        onClick={() => setFilters([...filters, [free, ['']]])}
      >
        {t('Add filter')}
      </Button>
    </>
  );
}

interface FilterProps {
  readonly tag: string;
  readonly values: readonly string[];
  readonly tags: readonly string[];
  readonly variables: readonly string[];
  onChange(next: readonly [string, string[]] | null): void;
}

/** One tag and the values that it may have. */
function Filter({ tag, values, tags, variables, onChange }: FilterProps): ReactNode {
  const { data } = useQuery(tagValuesQuery(tag));
  const known = [...variables.map((name) => `$${name}`), ...(data?.items ?? [])].filter((value) => value !== '');
  // A filter has a value at least: one without any stands for the tag being empty.
  const shown = values.filter((value) => value !== '');
  return (
    <div className={css['row']}>
      <Select
        aria-label={t('Filter by')}
        searchable
        data={[...new Set([tag, ...tags])]}
        {...bindChoice(tag, (next) => onChange([next, ['']]))}
      />
      <TagsInput
        aria-label={t('Values of {tag}', { tag })}
        classNames={{ inputField: css['tagField'] ?? '' }}
        placeholder={shown.length === 0 ? t('is empty') : ''}
        data={[...new Set(known)]}
        value={shown}
        onChange={(next) => onChange([tag, next.length === 0 ? [''] : next])}
      />
      <ActionIcon aria-label={t('Remove filter {tag}', { tag })} onClick={() => onChange(null)}>
        <IconTrash size={15} aria-hidden />
      </ActionIcon>
    </div>
  );
}
