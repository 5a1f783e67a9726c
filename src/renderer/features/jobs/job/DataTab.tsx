import { NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Job, JobFailure } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import { jobInputQuery, jobOutputQuery } from '../../../api/jobs.ts';
import { lineageQuery } from '../../../api/reruns.ts';
import { DebugButton } from '../task-panel/DebugButton.tsx';
import { SimilarFailures } from '../task-panel/SimilarFailures.tsx';
import { NodeName } from '../../workflows/NodeName.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { formatCount } from '../../../ui/Duration.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { JsonTree } from '../../../ui/JsonTree.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { StaleBanner } from '../../../ui/StaleBanner.tsx';
import { rich } from '../../../ui/rich.tsx';
import css from './JobPage.module.css';
import { Loading } from '../../../ui/Loading.tsx';

/** What went in and what came out, with every number as it was sent. */
export function DataTab({ job, onTask }: { job: Job; onTask(taskId: string): void }): ReactNode {
  return (
    <div className={css['columns']}>
      <Section title={t('Input')}>
        <Input job={job} />
      </Section>
      <Section title={t('Output')}>
        <Output job={job} onTask={onTask} />
      </Section>
    </div>
  );
}

/** What the window leaves below the head of a job, so that a tree scrolls in itself alone. */
const TREE_HEIGHT = 'max(240px, calc(100vh - 470px))';

function Input({ job }: { job: Job }): ReactNode {
  const [replica, setReplica] = useState(0);
  const query = useQuery({ ...jobInputQuery(job.id, replica), enabled: job.inputCount > 0 });
  if (job.inputCount === 0)
    return <EmptyState title={t('No input')}>{t('The job received an empty array.')}</EmptyState>;
  return (
    <>
      {job.inputCount > 1 && (
        <NumberInput
          label={t('Replica, 0 to {last}', { last: formatCount(job.inputCount - 1) })}
          value={replica}
          min={0}
          max={job.inputCount - 1}
          clampBehavior="strict"
          allowDecimal={false}
          onChange={(value) => typeof value === 'number' && value >= 0 && setReplica(value)}
          w={180}
          mb={8}
        />
      )}
      {query.data !== undefined ? (
        <JsonTree key={replica} label={t('Input')} source={query.data} openDepth={3} maxHeight={TREE_HEIGHT} />
      ) : (
        <Loading query={query} what={t('Could not load the input')} lines={6} compact />
      )}
    </>
  );
}

function Output({ job, onTask }: { job: Job; onTask(taskId: string): void }): ReactNode {
  const query = useQuery(jobOutputQuery(job.id));
  if (!query.data) return <Loading query={query} what={t('Could not load the output')} lines={6} compact />;
  const { bytes, has, error } = query.data;
  return (
    <>
      {query.error !== null && (
        <StaleBanner error={query.error} updatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />
      )}
      {error === null && job.finishedAt === null ? (
        <EmptyState title={t('Not finished yet')}>
          {t('The output appears here when the last replica has finished.')}
        </EmptyState>
      ) : error !== null && !has ? (
        <EmptyState title={t('No output')}>
          {rich('The job failed at {button}.', {
            button: (
              <button type="button" className="linkish" onClick={() => onTask(error.taskId)}>
                <NodeName node={error.node} />
              </button>
            ),
          })}
        </EmptyState>
      ) : (
        <JsonTree
          key={job.finishedAt ?? ''}
          label={t('Output')}
          source={bytes}
          member="output"
          openDepth={3}
          maxHeight={TREE_HEIGHT}
        />
      )}
    </>
  );
}

export function JobFailureBox({
  job,
  failure,
  hasKey,
  onTask,
}: {
  job: Pick<Job, 'id' | 'retriedAt' | 'workflowId' | 'environment'>;
  failure: JobFailure;
  /** Whether the key for debugging is its own: not where another task lies over it. */
  hasKey: boolean;
  onTask(taskId: string): void;
}): ReactNode {
  const { data: reruns } = useQuery(lineageQuery({ rerunOf: job.id }));
  const mended = reruns?.items.find(({ status }) => status === 'COMPLETED');
  return (
    <div className={css['failure']} role="note">
      <div className={css['failureHead']}>
        <strong>
          {rich('Failed at {button}', {
            button: (
              <button type="button" className="linkish" onClick={() => onTask(failure.taskId)}>
                <NodeName node={failure.node} />
              </button>
            ),
          })}
        </strong>
        <span className="mono">{failure.taskCode}</span>
        <SimilarFailures taskId={failure.taskId} attempt={job.retriedAt ?? ''} />
        {mended && (
          <Link to="/jobs/$jobId" params={{ jobId: mended.id }}>
            {t('A rerun succeeded')}
          </Link>
        )}
        <CopyButton value={`${failure.taskCode}: ${failure.taskMessage}`} label={t('Copy error')} size="xs" />
        <span className={css['debug']}>
          <DebugButton
            workflowId={job.workflowId}
            environment={job.environment}
            taskId={failure.taskId}
            node={failure.node}
            size="compact-sm"
            hasKey={hasKey}
          />
        </span>
      </div>
      <div className={css['failureText']}>{failure.taskMessage}</div>
    </div>
  );
}
