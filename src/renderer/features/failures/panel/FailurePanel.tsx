import { Button, Group, Stack } from '@mantine/core';
import { IconBan, IconCircleCheck, IconRefresh, IconRotateClockwise } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { FailureDetail } from '../../../../contract/failures.ts';
import { t } from '../../../../lib/language.ts';
import { decideFailure, failureKeys, failureQuery, failureTitle, type FailureDecision } from '../../../api/failures.ts';
import { NodeOf } from '../../workflows/NodeName.tsx';
import type { BulkQuestion } from '../../operations/BulkDialog.tsx';
import { NodeLink } from '../../workflows/NodeLink.tsx';
import { useWhy, useWorkflowPlace } from '../../../stores/role.ts';
import { EnvironmentBadge, StatusBadge } from '../../../ui/Badges.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { formatCount } from '../../../ui/Duration.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { HashLabel, IdLabel } from '../../../ui/HashLabel.tsx';
import { SidePanel } from '../../../ui/SidePanel.tsx';
import { StaleBanner } from '../../../ui/StaleBanner.tsx';
import { Instant, TimeAgo } from '../../../ui/Time.tsx';
import { rich } from '../../../ui/rich.tsx';
import { toastSuccess, toastFailure } from '../../../ui/toasts.tsx';
import { Causes } from '../list/Causes.tsx';
import { FailureBadge } from '../list/columns.tsx';
import css from '../list/Failures.module.css';
import { isFixed, DecisionBadge } from './DecisionBadge.tsx';
import { Loading } from '../../../ui/Loading.tsx';

/** While jobs of it run again. */
const POLL_MS = 2000;

/** One group of failures: what they have in common, which jobs they are, and what to do about all of them. */
export function FailurePanel({
  groupId,
  onClose,
  onAsk,
}: {
  groupId: string | null;
  onClose(): void;
  onAsk(question: BulkQuestion): void;
}): ReactNode {
  return (
    <SidePanel what={t('Failure')} id={groupId} onClose={onClose}>
      {(id) => <Body key={id} groupId={id} onAsk={onAsk} />}
    </SidePanel>
  );
}

function Body({ groupId, onAsk }: { groupId: string; onAsk(question: BulkQuestion): void }): ReactNode {
  const query = useQuery({
    ...failureQuery(groupId),
    refetchInterval: ({ state }) => (state.data && state.data.standing.running > 0 ? POLL_MS : false),
  });
  if (!query.data) return <Loading query={query} what={t('Could not load the failure')} lines={10} />;
  const group = query.data;
  return (
    <Stack gap="md">
      {query.error !== null && (
        <StaleBanner error={query.error} updatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />
      )}
      <div>
        <Group gap="xs" mb={4}>
          <FailureBadge group={group} />
          <span className="mono">{group.code}</span>
          <CopyButton value={`${group.code}: ${group.sample}`} label={t('Copy error')} size="xs" />
        </Group>
        <h2 className={css['title']}>{failureTitle(group)}</h2>
        {group.sample !== failureTitle(group) && <pre className={css['sample']}>{group.sample}</pre>}
      </div>
      <DecisionBadge group={group} />
      <Decisions group={group} onAsk={onAsk} />
      <Facts
        items={[
          { label: t('Count'), value: formatCount(group.count) },
          { label: t('First seen'), value: <Instant at={group.firstSeenAt} /> },
          { label: t('Last seen'), value: <Instant at={group.lastSeenAt} /> },
          {
            label: t('Workflow'),
            value: (
              <Link to="/workflows/$workflowId" params={{ workflowId: group.workflowId }}>
                {group.workflowId}
              </Link>
            ),
          },
          {
            label: t('Node'),
            value: (
              <>
                <NodeOf group={group} /> · <NodeLink workflowId={group.workflowId} node={group.node} />
              </>
            ),
          },
          {
            label: t('Last task'),
            value: (
              <Link
                to="/jobs/$jobId"
                params={{ jobId: group.lastJobId }}
                search={{ task: group.lastTaskId }}
                className="mono"
              >
                …{group.lastTaskId.slice(-12)}
              </Link>
            ),
          },
          group.decidedAt !== null && {
            label: group.status === 'IGNORED' ? t('Ignored') : t('Resolved'),
            value: rich('{timeAgo} by {decidedBy}', {
              timeAgo: <TimeAgo at={group.decidedAt} />,
              decidedBy: group.decidedBy,
            }),
          },
          group.reopenedAt !== null && { label: t('Regressed'), value: <Instant at={group.reopenedAt} /> },
        ]}
      />
      <section aria-labelledby="causes">
        <h3 id="causes">{t('Likely causes')}</h3>
        {group.introducedBy && (
          <p>
            {rich('Introduced by version {version}: jobs of earlier versions succeeded.', {
              version: (
                <Link
                  to="/workflows/$workflowId"
                  params={{ workflowId: group.workflowId }}
                  search={{ tab: 'versions', version: group.introducedBy }}
                  className="mono"
                >
                  {group.introducedBy.slice(0, 8)}
                </Link>
              ),
            })}
          </p>
        )}
        <Causes causes={group.causes} workers={group.workers.length} />
      </section>
      <section aria-labelledby="where">
        <h3 id="where">{t('Where')}</h3>
        <Facts
          items={[
            {
              label: t('Environments'),
              value: (
                <Counts
                  of={group.environments.map(({ environment, count }) => ({
                    key: environment ?? '',
                    name:
                      environment === null ? (
                        <span className="dim">{t('none')}</span>
                      ) : (
                        <EnvironmentBadge environment={environment} />
                      ),
                    count,
                  }))}
                />
              ),
            },
            {
              label: t('Versions'),
              value: (
                <Counts
                  of={group.commits.map(({ commit, count }) => ({
                    key: commit,
                    name: <HashLabel hash={commit} />,
                    count,
                  }))}
                />
              ),
            },
            {
              label: t('Workers'),
              value: (
                <Counts
                  of={group.workers.map(({ workerId, count }) => ({
                    key: workerId,
                    name: <IdLabel id={workerId} kind={t('worker ID')} tail={8} />,
                    count,
                  }))}
                />
              ),
            },
          ]}
        />
      </section>
      <section aria-labelledby="jobs">
        <h3 id="jobs">{group.jobs.length < group.count ? t('Latest jobs') : t('Jobs')}</h3>
        <ul className={css['jobs']}>
          {group.jobs.map((job) => (
            <li key={job.id}>
              <IdLabel id={job.id} to={`/jobs/${job.id}`} kind={t('job ID')} tail={12} />
              <StatusBadge status={job.status} />
              <TimeAgo at={job.createdAt} />
              <span className="clip" title={job.message}>
                {job.message}
              </span>
              {job.lastRerun && (
                <span className={css['rerun']}>
                  {job.lastRerun.status === 'COMPLETED' ? t('Rerun succeeded:') : t('Rerun:')}{' '}
                  <IdLabel id={job.lastRerun.id} to={`/jobs/${job.lastRerun.id}`} kind={t('job ID')} tail={12} />{' '}
                  <StatusBadge status={job.lastRerun.status} />
                </span>
              )}
            </li>
          ))}
        </ul>
        <p>
          <Link to="/jobs" search={{ failureGroup: group.id }}>
            {t('All jobs with this failure')}
          </Link>
        </p>
      </section>
    </Stack>
  );
}

const MAX_COUNTS = 5;

function Counts({
  of,
}: {
  of: readonly { readonly key: string; readonly name: ReactNode; readonly count: number }[];
}): ReactNode {
  return (
    <ul className={css['list']}>
      {of.slice(0, MAX_COUNTS).map(({ key, name, count }) => (
        <li key={key}>
          {name} <span className="numbers">{formatCount(count)}</span>
        </li>
      ))}
      {of.length > MAX_COUNTS && (
        <li className="dim">{t('and {count} more', { count: formatCount(of.length - MAX_COUNTS) })}</li>
      )}
    </ul>
  );
}

const DONE: Readonly<Record<FailureDecision, string>> = {
  resolve: t('Resolved'),
  ignore: t('Ignored'),
  reopen: t('Reopened'),
};
const BACK: Readonly<Record<FailureDecision, FailureDecision>> = {
  resolve: 'reopen',
  ignore: 'reopen',
  reopen: 'resolve',
};

function Decisions({ group, onAsk }: { group: FailureDetail; onAsk(question: BulkQuestion): void }): ReactNode {
  const whyOperate = useWhy('jobs.operate', useWorkflowPlace(group.workflowId));
  const canOperate = whyOperate === undefined;
  const client = useQueryClient();
  const changed = () => client.invalidateQueries({ queryKey: failureKeys.all });
  const decide = useMutation({
    mutationFn: (verdict: FailureDecision) => decideFailure(group.id, verdict),
    onSuccess: (_, verdict) => {
      const undo = () => void decideFailure(group.id, BACK[verdict]).then(changed, toastFailure(t('Could not undo')));
      toastSuccess(
        DONE[verdict],
        verdict === 'resolve'
          ? t('It reopens automatically if it happens again.')
          : verdict === 'ignore'
            ? t('It stays hidden, even if it happens again.')
            : '',
        { label: t('Undo'), run: undo },
      );
      decided.current = true;
      void changed();
    },
    onError: toastFailure(t('Could not save the status')),
  });
  const why = whyOperate;
  const fixed = isFixed(group);
  // What was pressed is not there any more: the focus goes on with what takes it back.
  const row = useRef<HTMLDivElement>(null);
  const decided = useRef(false);
  useEffect(() => {
    if (decided.current) row.current?.querySelector<HTMLElement>('[data-decision]')?.focus();
    decided.current = false;
  }, [group.status]);
  const button = (verdict: FailureDecision, word: string, Icon: typeof IconBan) => (
    <Button
      data-decision
      variant={verdict === 'resolve' && fixed ? 'filled' : 'default'}
      leftSection={<Icon size={15} aria-hidden />}
      disabled={!canOperate}
      title={why}
      loading={decide.isPending && decide.variables === verdict}
      onClick={() => decide.mutate(verdict)}
    >
      {word}
    </Button>
  );
  return (
    <Group gap="xs" ref={row}>
      <Button
        variant={fixed ? 'default' : 'filled'}
        leftSection={<IconRefresh size={15} aria-hidden />}
        disabled={!canOperate}
        title={why}
        onClick={() =>
          onAsk({
            kind: 'recover',
            target: { filter: { failureGroup: group.id }, includeNonRetryable: true },
            which: t('with this failure'),
          })
        }
      >
        {t('Retry all…')}
      </Button>
      {group.status === 'OPEN' ? (
        <>
          {button('resolve', t('Resolve'), IconCircleCheck)}
          {button('ignore', t('Ignore'), IconBan)}
        </>
      ) : (
        button('reopen', t('Reopen'), IconRotateClockwise)
      )}
    </Group>
  );
}
