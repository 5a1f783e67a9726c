import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DISPLAY_STATUSES, TRIGGER_KINDS, type DisplayStatus } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { workflowsQuery } from '../../../api/workflows.ts';
import { Finder } from '../../../ui/Finder.tsx';
import { LazySelect } from '../../../ui/LazySelect.tsx';
import { TONES, TRIGGER_WORDS } from '../../../ui/status.ts';
import { TimesPopover } from '../../../ui/TimesPopover.tsx';
import css from './JobsPage.module.css';
import { ProjectFilter } from '../../settings/ProjectFilter.tsx';
import { FilterChips, MoreFilters } from './MoreFilters.tsx';
import { isFiltered } from './params.ts';
import { filtersOfLine, lineOf, NO_FILTERS, type Created, type JobsSearch } from '../jobs-list-search.ts';
import { QueryLine } from './QueryLine.tsx';
import type { SearchChange } from '../../../ui/search-params.ts';

type Change = (next: SearchChange<JobsSearch>) => void;
const CREATED_WORDS: { value: Created; label: string }[] = [
  { value: '15m', label: t('Last 15 minutes') },
  { value: '1h', label: t('Last hour') },
  { value: '24h', label: t('Last 24 hours') },
  { value: '7d', label: t('Last 7 days') },
];

export function Filters({
  search,
  onChange,
  onQuery,
}: {
  search: JobsSearch;
  onChange: Change;
  /** A query is a step that Back undoes. */
  onQuery: Change;
}): ReactNode {
  const statuses = search.status ?? [];
  const toggle = (status: DisplayStatus) => {
    const next = statuses.includes(status) ? statuses.filter((one) => one !== status) : [...statuses, status];
    onChange({ status: next.length === 0 ? undefined : next });
  };
  return (
    <Group gap={8} role="search" aria-label={t('Filter jobs')}>
      <QueryLine
        value={lineOf(search)}
        workflow={search.workflow}
        onRun={(line) => {
          const filters = filtersOfLine(line);
          if (filters) onQuery(filters);
        }}
      />
      <Finder
        value={search.q ?? ''}
        label={t('Search by job ID or external ID prefix')}
        placeholder={t('Job ID or external ID…')}
        onChange={(q) => onChange({ q: q === '' ? undefined : q })}
      />
      <ProjectFilter value={search.project} onChange={(project) => onChange({ project, workflow: undefined })} />
      <WorkflowSelect
        project={search.project}
        value={search.workflow ?? null}
        onChange={(workflow) => onChange({ workflow: workflow ?? undefined })}
      />
      <LazySelect
        aria-label={t('Started by')}
        placeholder={t('Started by anything')}
        data={TRIGGER_KINDS.map((value) => ({ value, label: TRIGGER_WORDS[value] }))}
        value={search.trigger?.length === 1 ? (search.trigger[0] ?? null) : null}
        onChange={(trigger) => onChange({ trigger: trigger === null ? undefined : [trigger] })}
        clearable
        clearButtonProps={{ 'aria-label': t('Started by anything') }}
        w={170}
      />
      <CreatedRange search={search} onChange={onChange} />
      <MoreFilters search={search} onChange={onChange} />
      <div className={css['statuses']} role="group" aria-label={t('Status')}>
        {DISPLAY_STATUSES.map((status) => {
          const { word, icon: Icon, tone } = TONES.job[status];
          return (
            <button
              key={status}
              type="button"
              className={css['status']}
              aria-pressed={statuses.includes(status)}
              data-shade={tone}
              onClick={() => toggle(status)}
            >
              <Icon size={13} aria-hidden />
              {word}
            </button>
          );
        })}
      </div>
      {isFiltered(search) && (
        <Button variant="subtle" color="gray" onClick={() => onChange(NO_FILTERS)}>
          {t('Clear filters')}
        </Button>
      )}
      <FilterChips search={search} onChange={onChange} />
    </Group>
  );
}

function WorkflowSelect({
  project,
  value,
  onChange,
}: {
  project: string | undefined;
  value: string | null;
  onChange(value: string | null): void;
}): ReactNode {
  const [find, setFind] = useState('');
  const { data } = useQuery(
    workflowsQuery({ size: 50, sort: 'id,asc', q: find === value ? undefined : find, archived: undefined, project }),
  );
  const ids = data?.items.map((workflow) => workflow.id) ?? [];
  return (
    <LazySelect
      aria-label={t('Workflow')}
      placeholder={t('All workflows')}
      data={value !== null && !ids.includes(value) ? [value, ...ids] : ids}
      value={value}
      onChange={onChange}
      searchable
      searchValue={find}
      onSearchChange={setFind}
      nothingFoundMessage={t('Workflow not found')}
      clearable
      clearButtonProps={{ 'aria-label': t('All workflows') }}
      w={180}
    />
  );
}

function CreatedRange({ search, onChange }: { search: JobsSearch; onChange: Change }): ReactNode {
  const custom = search.created === undefined && (search.from !== undefined || search.to !== undefined);
  return (
    <Group gap={4}>
      <LazySelect
        aria-label={t('Created')}
        placeholder={custom ? t('Custom range') : t('Created any time')}
        data={CREATED_WORDS}
        value={search.created ?? null}
        onChange={(created) => onChange({ created: created ?? undefined, from: undefined, to: undefined })}
        clearable
        clearButtonProps={{ 'aria-label': t('Created any time') }}
        w={160}
      />
      <TimesPopover
        label={t('Select creation time')}
        fromLabel={t('Created from (your time)')}
        toLabel={t('Created before')}
        clearLabel={t('Any time')}
        position="bottom-start"
        times={search}
        chosen={custom}
        onChange={(times) => onChange({ created: undefined, ...times })}
        onClear={() => onChange({ created: undefined, from: undefined, to: undefined })}
      />
    </Group>
  );
}
