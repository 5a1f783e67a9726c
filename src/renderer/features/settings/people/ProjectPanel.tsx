import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Project } from '../../../../contract/projects.ts';
import { t, tn } from '../../../../lib/language.ts';
import { allProjectsQuery } from '../../../api/projects.ts';
import { useReach } from '../../../stores/role.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { SidePanel } from '../../../ui/SidePanel.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import css from '../shared/Settings.module.css';
import { GrantList } from './GrantList.tsx';

/** One project: what belongs to it, and who has access. */
export function ProjectPanel({ projectId, onClose }: { projectId: string | null; onClose(): void }): ReactNode {
  return (
    <SidePanel what={t('Project')} id={projectId} onClose={onClose}>
      {(id) => <Body key={id} id={id} />}
    </SidePanel>
  );
}

function Body({ id }: { id: string }): ReactNode {
  const query = useQuery(allProjectsQuery());
  const seesGrants = useReach('grants.list');
  if (!query.data) return <Loading query={query} what={t('Could not load the project')} lines={6} />;
  const project = query.data.items.find((one) => one.id === id);
  if (!project) return <EmptyState title={t('Project not found')}>{t('It may have been deleted.')}</EmptyState>;
  return (
    <Stack gap="md" className={css['panel']}>
      <h2 dir="auto">{project.name}</h2>
      <Facts items={factsOf(project)} />
      {seesGrants && (
        <GrantList
          title={t('Who has access')}
          filter={{ project: id }}
          given={{ project: id }}
          empty={t('Nobody but those who come in with a token')}
        />
      )}
    </Stack>
  );
}

const factsOf = ({ id, workflows, masks, createdAt, createdBy }: Project) => [
  { label: t('ID'), value: <span className="mono">{id}</span> },
  {
    label: t('Belongs to it'),
    value: (
      <>
        <Link to="/workflows" search={{ project: id }}>
          {tn('{count} workflow', '{count} workflows', workflows)}
        </Link>
        {' · '}
        <Link to="/jobs" search={{ project: id }}>
          {t('their jobs')}
        </Link>
      </>
    ),
  },
  { label: t('Masked fields'), value: masks.length === 0 ? t('none') : masks.join(', ') },
  Date.parse(createdAt) > 0 && {
    label: t('Created'),
    value: (
      <>
        <TimeAgo at={createdAt} /> {t('by {actor}', { actor: createdBy })}
      </>
    ),
  },
];
