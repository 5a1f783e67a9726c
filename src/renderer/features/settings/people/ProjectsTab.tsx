import { IconFolder, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { DEFAULT_PROJECT } from '../../../../contract/actions.ts';
import type { AccessGrant, Project } from '../../../../contract/projects.ts';
import { t, tn } from '../../../../lib/language.ts';
import { withoutUndefined } from '../../../../lib/without-undefined.ts';
import { deleteProject, everyGrantQuery, projectKeys, projectsQuery } from '../../../api/projects.ts';
import { useCommands } from '../../../keyboard/use-shortcut.ts';
import { useReach, useWhy } from '../../../stores/role.ts';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { ListTab } from '../../../ui/ListTab.tsx';
import { actionsColumn } from '../../../ui/table/actions-column.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { ProjectForm } from './ProjectForm.tsx';
import { ProjectPanel } from './ProjectPanel.tsx';

const route = getRouteApi('/settings');
const projectId = (project: Project) => project.id;

/** What workflows belong to. */
export function ProjectsTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 20 } = search;
  const query = useQuery(projectsQuery({ page, size }));
  const seesGrants = useReach('grants.list');
  const grants = useQuery({ ...everyGrantQuery(), enabled: seesGrants }).data;
  const client = useQueryClient();
  const why = useWhy('people.manage');
  const [form, setForm] = useState<{ readonly project: Project | null } | null>(null);
  const { ask, dialog } = useConfirm();
  const remove = (project: Project) =>
    ask({
      danger: true,
      title: t('Delete the project {name}?', { name: project.name }),
      confirmLabel: t('Delete 1 project'),
      text: t('Only a project without workflows, keys, secrets and dashboards is deleted. This cannot be undone.'),
      async run() {
        await deleteProject(project.id);
        toastSuccess(t('Project deleted'));
        await client.invalidateQueries({ queryKey: projectKeys.projects });
      },
    });
  const columns = useMemo(
    () => columnsFor({ why, grants, edit: (project) => setForm({ project }), remove }),
    [why, grants],
  );
  const add = { label: t('New project'), why, run: () => setForm({ project: null }) };
  useCommands(add.why === undefined ? [add] : []);
  return (
    <>
      <ListTab
        intro={t(
          'A project holds workflows, with their jobs, logs and payloads. Roles can be given for one project alone.',
        )}
        add={add}
        label={t('Projects')}
        what={t('Could not load projects')}
        columns={columns}
        lines={2}
        rowId={projectId}
        query={query}
        storageKey="projects"
        place={{ page, size }}
        onPlace={(change) => void navigate({ search: { ...search, ...change } })}
        onOpen={({ id }) => void navigate({ search: { ...search, open: id } })}
        {...(search.open === undefined ? {} : { current: search.open })}
        empty={{ icon: IconFolder, title: t('No projects') }}
      />
      <ProjectPanel
        projectId={search.open ?? null}
        onClose={() => void navigate({ search: withoutUndefined({ ...search, open: undefined }) })}
      />
      {form && <ProjectForm project={form.project} onClose={() => setForm(null)} />}
      {dialog}
    </>
  );
}

/** Why a project cannot be deleted; undefined: it can. */
function whyNotEmpty({ id, workflows }: Project, grants: readonly AccessGrant[] | undefined): string | undefined {
  if (id === DEFAULT_PROJECT) return t('New workflows go to this project, so it stays.');
  if (workflows > 0)
    return tn(
      '{count} workflow belongs to it. Move it first.',
      '{count} workflows belong to it. Move them first.',
      workflows,
    );
  const own = grants?.filter(({ project }) => project === id).length ?? 0;
  return own > 0
    ? tn(
        '{count} role is given for it. Take it back first.',
        '{count} roles are given for it. Take them back first.',
        own,
      )
    : undefined;
}

const columnsFor = ({
  why,
  grants,
  edit,
  remove,
}: {
  why: string | undefined;
  grants: readonly AccessGrant[] | undefined;
  edit(project: Project): void;
  remove(project: Project): void;
}): readonly DataColumn<Project>[] => [
  {
    id: 'name',
    header: t('Name'),
    width: 200,
    grow: true,
    cell: ({ id, name }) => (
      <span className="two-rows">
        <span className="clip" dir="auto" title={name}>
          {name}
        </span>
        <span className="dim mono clip">{id}</span>
      </span>
    ),
  },
  {
    id: 'workflows',
    header: t('Workflows'),
    width: 110,
    cell: ({ id, workflows }) => (
      <Link to="/workflows" search={{ project: id }} className="numbers" onClick={(event) => event.stopPropagation()}>
        {workflows}
      </Link>
    ),
  },
  ...(grants === undefined
    ? []
    : [
        {
          id: 'access',
          header: t('Who has access'),
          width: 220,
          grow: true,
          cell: ({ id }: Project) => {
            const names = namesIn(grants, id);
            return (
              <span className="clip" title={names.join(', ')}>
                {names.length === 0 ? <span className="dim">{t('tokens only')}</span> : names.join(', ')}
              </span>
            );
          },
        },
      ]),
  {
    id: 'masks',
    header: t('Masked fields'),
    width: 150,
    grow: true,
    blank: ({ masks }) => masks.length === 0,
    cell: ({ masks }) => (
      <span className="clip mono" title={masks.join(', ')}>
        {masks.join(', ')}
      </span>
    ),
  },
  {
    id: 'created',
    header: t('Created'),
    width: 110,
    cell: ({ createdAt }) => <TimeAgo at={madeAt(createdAt)} absent="–" />,
  },
  actionsColumn(96, why, (project) => [
    { label: t('Change {name}', { name: project.name }), icon: IconPencil, run: () => edit(project) },
    {
      label: t('Delete {name}', { name: project.name }),
      icon: IconTrash,
      danger: true,
      why: why ?? whyNotEmpty(project, grants),
      run: () => remove(project),
    },
  ]),
];

/** The default project was always there. */
const madeAt = (createdAt: string): string | null => (Date.parse(createdAt) === 0 ? null : createdAt);

/** People, service accounts and groups with a role there, each once. */
const namesIn = (grants: readonly AccessGrant[], id: string): string[] => [
  ...new Set(
    grants
      .filter(({ project }) => project === null || project === id)
      .map(({ subject, subjectKind, subjectName }) =>
        subjectKind === 'group' ? t('group {name}', { name: subject }) : (subjectName ?? subject),
      ),
  ),
];
