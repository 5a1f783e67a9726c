import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import { useProjects } from '../../stores/projects.ts';
import { LazySelect } from '../../ui/LazySelect.tsx';

/** Narrows a list to one project; nothing where there is only one. */
export function ProjectFilter({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange(project: string | undefined): void;
}): ReactNode {
  const projects = useProjects();
  if (projects.length === 0 && value === undefined) return null;
  const ids = projects.map(({ id }) => id);
  return (
    <LazySelect
      aria-label={t('Project')}
      placeholder={t('All projects')}
      data={value !== undefined && !ids.includes(value) ? [value, ...ids] : ids}
      value={value ?? null}
      onChange={(project) => onChange(project ?? undefined)}
      searchable
      nothingFoundMessage={t('Project not found')}
      clearable
      clearButtonProps={{ 'aria-label': t('All projects') }}
      w={160}
    />
  );
}
