import { Group } from '@mantine/core';
import { IconPlus, IconTrash, IconUsersGroup } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { AccessGrant, AccessRole } from '../../../../contract/projects.ts';
import { t } from '../../../../lib/language.ts';
import { accessKeys } from '../../../api/access.ts';
import { peopleKeys } from '../../../api/people.ts';
import { deleteGrant, type GrantFilter, grantsQuery, projectKeys, rolesQuery } from '../../../api/projects.ts';
import { useWhy, useWhyNotAdministrator } from '../../../stores/role.ts';
import { EnvironmentBadges, ToneBadge } from '../../../ui/Badges.tsx';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { actionsColumn } from '../../../ui/table/actions-column.tsx';
import { paged, usePlace } from '../../../ui/table/pages.ts';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { GrantForm, type GrantPlace } from './GrantForm.tsx';
import { roleSummary, whereText } from './role-words.ts';

const grantId = (grant: AccessGrant) => grant.id;
const nameOf = ({ subject, subjectKind, subjectName }: AccessGrant): string =>
  subjectKind === 'group' ? t('group {name}', { name: subject }) : (subjectName ?? subject);

/** Roles that were given, found by `filter`, with the ways to give one and to take one back. `given`: what a new one has already. */
export function GrantList({
  filter,
  given,
  title,
  empty,
}: {
  filter: GrantFilter;
  given?: GrantPlace;
  title: string;
  empty: string;
}): ReactNode {
  const [place, setPlace] = usePlace(50);
  const query = useQuery(grantsQuery({ ...place, ...filter }));
  const roles = useQuery(rolesQuery()).data?.items;
  const client = useQueryClient();
  const why = useWhy('people.manage');
  const whyNotGive = useWhyNotAdministrator();
  const [adding, setAdding] = useState(false);
  const { ask, dialog } = useConfirm();
  const remove = (grant: AccessGrant) =>
    ask({
      danger: true,
      title: t('Take the role {role} back from {name}?', { role: grant.role, name: nameOf(grant) }),
      confirmLabel: t('Take 1 role back'),
      text: t('It ends at once in {where}, also in windows that are open.', {
        where: whereText(grant.project, grant.environments),
      }),
      async run() {
        await deleteGrant(grant.id);
        toastSuccess(t('Role taken back'));
        await Promise.all(
          [projectKeys.grants, projectKeys.roles, peopleKeys.users, accessKeys.session].map((queryKey) =>
            client.invalidateQueries({ queryKey }),
          ),
        );
      },
    });
  const { page, ...table } = paged(query, place, setPlace);
  const ofSubject = filter.subject !== undefined;
  const columns = useMemo(
    () => columnsFor({ why, whyNotGive, roles, withSubject: !ofSubject, withRole: filter.role === undefined, remove }),
    [why, whyNotGive, roles, ofSubject, filter.role],
  );
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={8}>
        <h2>{title}</h2>
        {given && (
          <ReasonButton
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            reason={whyNotGive ?? null}
            onClick={() => setAdding(true)}
          >
            {t('Give a role')}
          </ReasonButton>
        )}
      </Group>
      <DataTable
        label={title}
        what={t('Could not load the roles')}
        columns={columns}
        lines={2}
        rowId={grantId}
        storageKey="grants"
        maxHeight={420}
        {...table}
        {...(page && page.totalPages > 1 ? { page } : {})}
        empty={<EmptyState icon={IconUsersGroup} title={empty} />}
      />
      {adding && given && <GrantForm given={given} onClose={() => setAdding(false)} />}
      {dialog}
    </section>
  );
}

const columnsFor = ({
  why,
  whyNotGive,
  roles,
  withSubject,
  withRole,
  remove,
}: {
  why: string | undefined;
  /** The role of an administrator is taken back by administrators alone. */
  whyNotGive: string | undefined;
  roles: readonly AccessRole[] | undefined;
  withSubject: boolean;
  withRole: boolean;
  remove(grant: AccessGrant): void;
}): readonly DataColumn<AccessGrant>[] => [
  ...(withSubject
    ? [
        {
          id: 'who',
          header: t('Who'),
          width: 120,
          grow: true,
          cell: (grant: AccessGrant) => (
            <span className="clip" dir="auto" title={nameOf(grant)}>
              {nameOf(grant)}
            </span>
          ),
        },
      ]
    : []),
  ...(withRole
    ? [
        {
          id: 'role',
          header: t('Role'),
          width: 160,
          grow: true,
          cell: (grant: AccessGrant) => {
            const role = roles?.find(({ id }) => id === grant.role);
            return (
              <span className="two-rows">
                <span className="clip">{grant.role}</span>
                <span className="clip dim" title={role && roleSummary(role)}>
                  {role && roleSummary(role)}
                </span>
              </span>
            );
          },
        },
      ]
    : []),
  {
    id: 'project',
    header: t('Project'),
    width: 100,
    cell: (grant) =>
      grant.project === null ? (
        <ToneBadge tone="sched">{t('all')}</ToneBadge>
      ) : (
        <span className="clip">{grant.project}</span>
      ),
  },
  {
    id: 'environments',
    header: t('Environments'),
    width: 158,
    cell: (grant) =>
      grant.environments === null ? (
        <span className="dim">{t('all')}</span>
      ) : (
        <EnvironmentBadges of={grant.environments} />
      ),
  },
  {
    id: 'given',
    header: t('Given'),
    width: 104,
    cell: (grant) => (
      <span className="two-rows">
        <TimeAgo at={grant.createdAt} absent="" />
        <span className="clip dim" dir="auto" title={grant.createdBy}>
          {t('by {name}', { name: grant.createdBy })}
        </span>
      </span>
    ),
  },
  actionsColumn(80, why, (grant) => [
    {
      label: t('Take the role {role} back from {name}', { role: grant.role, name: nameOf(grant) }),
      icon: IconTrash,
      danger: true,
      why: grant.role === 'admin' ? whyNotGive : why,
      run: () => remove(grant),
    },
  ]),
];
