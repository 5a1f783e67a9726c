import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Job, JobFailure } from '../../../contract/api.ts';
import { jobInputQuery, jobOutputQuery } from '../../api/jobs.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { JsonTree } from '../../ui/JsonTree.tsx';
import { Section } from '../../ui/Segment.tsx';
import { SkeletonLines } from '../../ui/Skeletons.tsx';
import { StaleLine } from '../../ui/StaleLine.tsx';
import css from './JobPage.module.css';

/** What went in and what came out, with every number as it was sent. */
export function DataTab({ job, onTask }: { job: Job; onTask(taskId: string): void }): ReactNode {
  return (
    <div className={css['columns']}>
      <Section title="Input">
        <Input job={job} />
      </Section>
      <Section title="Output">
        <Output job={job} onTask={onTask} />
      </Section>
    </div>
  );
}

/** Replicas that can be chosen from; the others have their tasks. */
const MOST = 500;

function Input({ job }: { job: Job }): ReactNode {
  const [replica, setReplica] = useState(0);
  const query = useQuery({ ...jobInputQuery(job.id, replica), enabled: job.inputCount > 0 });
  if (job.inputCount === 0) return <EmptyState title="No input to show">The job was sent an empty list.</EmptyState>;
  const shown = Math.min(job.inputCount, MOST);
  return (
    <>
      {shown > 1 && (
        <Select
          label={`Replica${job.inputCount > shown ? `, the first ${shown} of ${job.inputCount}` : ''}`}
          data={Array.from({ length: shown }, (_, n) => ({ value: String(n), label: `${n + 1} of ${job.inputCount}` }))}
          value={String(replica)}
          onChange={(value) => value !== null && setReplica(Number(value))}
          searchable
          w={180}
          mb={8}
        />
      )}
      {query.data !== undefined ? (
        <JsonTree key={replica} label="Input" value={query.data} openDepth={3} maxHeight={560} />
      ) : query.error ? (
        <ErrorState compact what="The input could not be read" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonLines lines={6} />
      )}
    </>
  );
}

function Output({ job, onTask }: { job: Job; onTask(taskId: string): void }): ReactNode {
  const query = useQuery(jobOutputQuery(job.id));
  if (query.error && !query.data) return <ErrorState compact what="The output could not be read" error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <SkeletonLines lines={6} />;
  const { output, error } = query.data;
  return (
    <>
      {query.error !== null && <StaleLine error={query.error} updatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />}
      {error === null && job.finishedAt === null ? (
        <EmptyState title="Not done yet">The output shows here as soon as the last replica has ended.</EmptyState>
      ) : error !== null && output === null ? (
        <EmptyState title="No output">
          The job failed at <button type="button" className={css['linkish']} onClick={() => onTask(error.taskId)}>{error.node}</button>.
        </EmptyState>
      ) : (
        <JsonTree key={job.finishedAt ?? ''} label="Output" value={output} openDepth={3} maxHeight={560} />
      )}
    </>
  );
}

export function Failure({ failure, onTask }: { failure: JobFailure; onTask(taskId: string): void }): ReactNode {
  return (
    <div className={css['failure']} role="note">
      <div>
        <strong>
          Failed at <button type="button" className={css['linkish']} onClick={() => onTask(failure.taskId)}>{failure.node}</button>
        </strong>{' '}
        <span className="mono">{failure.taskCode}</span>
        <CopyButton value={`${failure.taskCode}: ${failure.taskMessage}`} label="Copy the error" size="xs" />
      </div>
      <div className={css['failureText']}>{failure.taskMessage}</div>
    </div>
  );
}
