import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Job, JobFailure } from '../../../contract/api.ts';
import { jobOutputQuery, taskPayloadQuery, tasksQuery } from '../../api/jobs.ts';
import { commitQuery } from '../../api/workflows.ts';
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

/** A replica's input is the input of the first task that it made. Tasks of a list's items hold their item alone, so they do not count. */
function Input({ job }: { job: Job }): ReactNode {
  const [replica, setReplica] = useState('0');
  const { data: commit } = useQuery(commitQuery(job.workflowId, job.commit));
  const inputId = commit?.definition.nodes.find((node) => node.type === 'input')?.id;
  const firsts = (commit?.definition.edges ?? []).filter((edge) => edge.from === inputId).map((edge) => edge.to);
  const lists = new Set(commit?.definition.nodes.filter((node) => node.type === 'forEach').map((node) => node.id));
  const first = firsts.find((id) => !lists.has(id)) ?? firsts[0];
  const query = useQuery({ ...tasksQuery(job.id, { node: first, size: 500, sort: 'replica,asc' }), enabled: first !== undefined });
  const tasks = (query.data?.items ?? []).filter((one) => one.item === null);
  const inItems = first !== undefined && lists.has(first) && tasks.length === 0;
  const task = tasks.find((one) => String(one.replica) === replica) ?? tasks[0];
  const payload = useQuery({ ...taskPayloadQuery(task?.id ?? '', 'input'), enabled: task !== undefined, staleTime: Infinity });
  if (query.error && !query.data) return <ErrorState compact what="The input could not be read" error={query.error} onRetry={() => void query.refetch()} />;
  if (payload.error && payload.data === undefined) return <ErrorState compact what="The input could not be read" error={payload.error} onRetry={() => void payload.refetch()} />;
  if (commit && (job.inputCount === 0 || (query.data && tasks.length === 0))) return <EmptyState title="No input to show">{job.inputCount === 0 ? 'The job was sent an empty list.' : inItems ? `Its first step, ${first}, is a list: each of its tasks holds one item of the input. They are under Tasks.` : 'The job has made no task that holds its input.'}</EmptyState>;
  if (payload.data === undefined) return <SkeletonLines lines={6} />;
  return (
    <>
      {tasks.length > 1 && <Select label={`Replica${job.inputCount > tasks.length ? `, the first ${tasks.length} of ${job.inputCount}` : ''}`} data={tasks.map((one) => ({ value: String(one.replica), label: `${one.replica + 1} of ${job.inputCount}` }))} value={String(task?.replica ?? 0)} onChange={(value) => value !== null && setReplica(value)} searchable w={180} mb={8} />}
      <JsonTree key={task?.id ?? ''} label="Input" value={payload.data} openDepth={3} maxHeight={560} />
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
