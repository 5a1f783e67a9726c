import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { t } from '../../../../lib/language.ts';
import { jobsQuery } from '../../../api/jobs.ts';
import { commitQuery, publicationsQuery, workflowQuery } from '../../../api/workflows.ts';
import { readableDefinition } from '../../workflows/readable-definition.ts';
import { EnvironmentBadge } from '../../../ui/Badges.tsx';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { HashLabel } from '../../../ui/HashLabel.tsx';
import { Page, PageHeader } from '../../../ui/Page.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import { Instant } from '../../../ui/Time.tsx';
import css from './Incident.module.css';

const route = getRouteApi('/workflows/$workflowId');
const MOST = 200;

/** A workflow as a bundle knows it: the versions that its jobs ran, and what was published when. */
export function BundleWorkflow(): ReactNode {
  const { workflowId } = route.useParams();
  const { version } = route.useSearch() as { version?: string };
  const workflow = useQuery(workflowQuery(workflowId));
  const jobs = useQuery(jobsQuery({ page: 0, size: MOST }));
  const publications = useQuery(publicationsQuery(workflowId, { page: 0, size: MOST }));
  const hash = version ?? jobs.data?.items.find((job) => job.workflowId === workflowId)?.commit;
  const commit = useQuery({ ...commitQuery(workflowId, hash ?? ''), enabled: hash !== undefined });
  const text = useMemo(() => (commit.data ? readableDefinition(commit.data.definition) : ''), [commit.data]);
  return (
    <Page>
      <PageHeader
        title={workflow.data?.name ?? workflowId}
        back={{ to: '/jobs', label: t('Jobs in this bundle') }}
        documentTitle={workflowId}
      />
      <Section title={t('Version')}>
        {commit.error ? (
          <ErrorState compact what={t('This version is not in the bundle')} error={commit.error} />
        ) : commit.data ? (
          <Stack gap="sm">
            <Facts
              items={[
                { label: t('Version'), value: <HashLabel hash={commit.data.hash} /> },
                { label: t('Author'), value: commit.data.author.name },
                { label: t('Created'), value: <Instant at={commit.data.createdAt} /> },
                { label: t('Message'), value: commit.data.message },
              ]}
            />
            <CodeEditor value={text} label={t('Definition')} language="json" readOnly maxHeight={560} />
          </Stack>
        ) : (
          <SkeletonLines lines={6} />
        )}
      </Section>
      {publications.data && (
        <Section title={t('Publish history')}>
          <table className={css['publications']}>
            <thead>
              <tr>
                <th scope="col">{t('Time')}</th>
                <th scope="col">{t('Environment')}</th>
                <th scope="col">{t('Version')}</th>
                <th scope="col">{t('Created by')}</th>
                <th scope="col">{t('Description')}</th>
              </tr>
            </thead>
            <tbody>
              {publications.data.items.map((one) => (
                <tr key={one.id}>
                  <td>
                    <Instant at={one.publishedAt} />
                  </td>
                  <td>
                    <EnvironmentBadge environment={one.environment} />
                  </td>
                  <td className="mono">{one.hash?.slice(0, 8) ?? t('unpublished')}</td>
                  <td>{one.publishedBy}</td>
                  <td>{one.description ?? ''}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
    </Page>
  );
}
