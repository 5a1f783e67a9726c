import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AlertRule } from '../../../../contract/alert-rules.ts';
import { t } from '../../../../lib/language.ts';
import { may, ownProject, placeOf, type Rights } from '../../../stores/permissions.ts';
import { useProjects } from '../../../stores/projects.ts';
import { useRights } from '../../../stores/role.ts';
import { EVERYTHING } from './rule-draft.ts';

/** What a new rule is about: everything, for who may change rules of everything. */
export const firstProject = (rights: Rights): string =>
  may(rights, 'alerts.manage', null) ? EVERYTHING : ownProject(rights, 'alerts.manage');

/** The project that a rule is about; nothing where there is no choice. One that has a project keeps to projects. */
export function RuleProject({
  rule,
  value,
  onChange,
}: {
  rule: AlertRule | null;
  value: string;
  onChange(project: string): void;
}): ReactNode {
  const rights = useRights();
  const projects = useProjects()
    .map(({ id }) => id)
    .filter((id) => id === value || may(rights, 'alerts.manage', placeOf({ project: id })));
  const mayAll = may(rights, 'alerts.manage', null) && rule?.project === undefined;
  const data = [
    ...(mayAll || value === EVERYTHING ? [{ value: EVERYTHING, label: t('All projects') }] : []),
    ...projects.map((id) => ({ value: id, label: id })),
  ];
  if (data.length < 2 || rule?.builtIn === true) return null;
  return (
    <Select
      label={t('Project')}
      description={t('The rule looks at its workflows alone')}
      data={data}
      value={value}
      onChange={(project) => project !== null && onChange(project)}
      allowDeselect={false}
    />
  );
}
