import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Approval, PublishSubject, SettingsSubject } from '../../../contract/approvals.ts';
import { t } from '../../../lib/language.ts';
import { approvalJobsQuery, approvalQuery } from '../../api/approvals.ts';
import { ToneBadge } from '../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Facts } from '../../ui/Field.tsx';
import { HashLabel, IdLabel } from '../../ui/HashLabel.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { paged, usePlace } from '../../ui/table/pages.ts';
import { Instant } from '../../ui/Time.tsx';
import { settingName } from '../../ui/setting-name.ts';
import { NodeName, NodeNamesOfJob } from '../workflows/NodeName.tsx';
import { VersionComparison } from '../workflows/VersionComparison.tsx';
import { Decision } from './Decision.tsx';
import { GivenAnswer } from './GivenAnswer.tsx';
import { APPROVAL_TONES, approvalText } from './labels.ts';
import css from './Approvals.module.css';

/** One request beside the page: what exactly is asked for, and the decision. */
export function ApprovalDrawer({ approvalId, onClose }: { approvalId: string | null; onClose(): void }): ReactNode {
  return (
    <SidePanel what={t('Approval request')} id={approvalId} width={820} guarded onClose={onClose}>
      {(id) => <Body key={id} id={id} />}
    </SidePanel>
  );
}

function Body({ id }: { id: string }): ReactNode {
  const query = useQuery(approvalQuery(id));
  if (!query.data) return <Loading query={query} what={t('Could not load the approval request')} lines={6} />;
  const approval = query.data;
  const { word, tone, icon } = APPROVAL_TONES[approval.status];
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap">
        <h2 className={css['title']}>{approvalText(approval)}</h2>
        <ToneBadge tone={tone} icon={icon} size="large">
          {word}
        </ToneBadge>
      </Group>
      <Facts items={factsOf(approval)} />
      {approval.wait !== null && approval.wait.form !== null && approval.status === 'approved' && (
        <GivenAnswer wait={approval.wait} />
      )}
      {approval.publish && <Versions publish={approval.publish} />}
      {approval.settings && <Settings settings={approval.settings} />}
      {approval.bulk && (
        <div>
          <Text size="sm" c="dimmed">
            {approval.bulk.filter === null ? t('The jobs were selected individually.') : t('Filter as submitted:')}
          </Text>
          {approval.bulk.filter !== null && <code>{JSON.stringify(approval.bulk.filter)}</code>}
        </div>
      )}
      {approval.bulk && approval.status === 'open' && <Jobs id={id} />}
      {approval.status === 'open' && <Decision approval={approval} />}
    </Stack>
  );
}

const factsOf = ({
  requestedBy,
  requestedAt,
  expiresAt,
  publish,
  decidedBy,
  decidedAt,
  comment,
  override,
  operation,
  status,
  wait,
}: Approval): Parameters<typeof Facts>[0]['items'] => [
  { label: t('Requested by'), value: requestedBy },
  wait !== null && {
    label: t('Job'),
    value: (
      <Link to="/jobs/$jobId" params={{ jobId: wait.jobId }}>
        {wait.jobId.slice(-12)}
      </Link>
    ),
  },
  wait !== null && {
    label: t('Node'),
    value: (
      <NodeNamesOfJob jobId={wait.jobId}>
        <NodeName node={wait.node} />
      </NodeNamesOfJob>
    ),
  },
  wait !== null && wait.environment !== null && { label: t('Environment'), value: wait.environment },
  wait !== null &&
    wait.approvers !== null && {
      label: t('Approvers'),
      value: [...wait.approvers.roles.map((role) => t('role {role}', { role })), ...wait.approvers.people].join(', '),
    },
  { label: t('Requested'), value: <Instant at={requestedAt} /> },
  status === 'open' && { label: t('Open until'), value: <Instant at={expiresAt} /> },
  publish?.description ? { label: t('Description'), value: publish.description } : false,
  decidedBy !== null && {
    label: t('Decided by'),
    value: override ? t('{name}, without a second person', { name: decidedBy }) : decidedBy,
  },
  decidedAt !== null && { label: t('Decided'), value: <Instant at={decidedAt} /> },
  comment !== null && { label: t('Comment'), value: comment },
  operation !== null && {
    label: t('Operation'),
    value: (
      <Link to="/operations" search={{ operation }}>
        {operation.slice(-12)}
      </Link>
    ),
  },
];

function Versions({ publish: { workflowId, current, hash } }: { publish: PublishSubject }): ReactNode {
  return (
    <>
      <Group gap="xs">
        <Text size="sm">{t('Replaces')}</Text>
        {current === null ? <Text size="sm">{t('Not published')}</Text> : <HashLabel hash={current} />}
        <Text size="sm">→</Text>
        {hash === null ? <Text size="sm">{t('Not published')}</Text> : <HashLabel hash={hash} />}
      </Group>
      {current !== null && hash !== null && current !== hash && (
        <VersionComparison workflowId={workflowId} from={current} to={hash} />
      )}
    </>
  );
}

function Settings({ settings: { changes, current } }: { settings: SettingsSubject }): ReactNode {
  return (
    <Facts
      items={Object.keys(changes).map((name) => ({
        label: settingName(name),
        value: (
          <code>
            {JSON.stringify(current[name] ?? null)} → {JSON.stringify(changes[name] ?? null)}
          </code>
        ),
      }))}
    />
  );
}

const columns: readonly DataColumn<{ jobId: string }>[] = [
  {
    id: 'job',
    header: t('Job'),
    width: 200,
    grow: true,
    cell: ({ jobId }) => <IdLabel id={jobId} to={`/jobs/${jobId}`} kind={t('job ID')} tail={12} />,
  },
];
const jobOf = ({ jobId }: { jobId: string }): string => jobId;

function Jobs({ id }: { id: string }): ReactNode {
  const [place, go] = usePlace();
  const query = useQuery(approvalJobsQuery(id, place));
  return (
    <DataTable
      label={t('Jobs of the request')}
      what={t('Could not load the jobs of the request')}
      columns={columns}
      rowId={jobOf}
      maxHeight={320}
      {...paged(query, place, go)}
      empty={<EmptyState title={t('No jobs are left')} />}
    />
  );
}
