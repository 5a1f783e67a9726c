import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Action } from '../../../contract/actions.ts';
import { t } from '../../../lib/language.ts';
import { may, placeOf } from '../../stores/permissions.ts';
import { useProjects } from '../../stores/projects.ts';
import { useRights } from '../../stores/role.ts';

/** Which project something belongs to, of those where `action` is allowed; nothing where there is only one. */
export function ProjectField({
  action,
  description,
  value,
  onChange,
}: {
  action: Action;
  description: string;
  value: string;
  onChange(project: string): void;
}): ReactNode {
  const rights = useRights();
  const ids = useProjects()
    .map(({ id }) => id)
    .filter((id) => id === value || may(rights, action, placeOf({ project: id })));
  if (ids.length === 0) return null;
  return (
    <Select
      label={t('Project')}
      description={description}
      data={ids}
      value={value}
      onChange={(project) => project !== null && onChange(project)}
      allowDeselect={false}
    />
  );
}
