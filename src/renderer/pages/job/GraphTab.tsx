import { useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import type { Job } from '../../../contract/api.ts';
import type { Definition } from '../../../contract/definition.ts';
import { commitQuery } from '../../api/workflows.ts';
import { JobGraph } from '../../parts/job-graph/JobGraph.tsx';
import type { JobTasks } from '../../parts/job-tasks/use-job-tasks.ts';
import { formatCount } from '../../ui/Duration.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SkeletonBlock } from '../../ui/Skeletons.tsx';
import { StaleLine } from '../../ui/StaleLine.tsx';
import css from './JobPage.module.css';

export interface GraphTabProps {
  readonly job: Job;
  readonly all: JobTasks;
  readonly selected: string | null;
  /** The page says already that what it shows is old. */
  readonly stale: boolean;
  onTask(taskId: string): void;
  onNode(node: string): void;
}

/** The definition of the job's own commit, with where its tasks stand. */
export function GraphTab({ job, all, selected, stale, onTask, onNode }: GraphTabProps): ReactNode {
  const commit = useQuery(commitQuery(job.workflowId, job.commit));
  if (commit.error && !commit.data) return <ErrorState what="The definition of the job could not be read" error={commit.error} onRetry={() => void commit.refetch()} />;
  if (all.error && !all.tasks) return <ErrorState what="The tasks of the job could not be read" error={all.error} onRetry={all.refetch} />;
  if (!commit.data || !all.tasks) return <SkeletonBlock height={360} />;
  const replicas = Math.min(job.inputCount, all.replicas);
  return (
    <div className={css['graphTab']}>
      {all.error !== null && !stale && <StaleLine error={all.error} updatedAt={all.dataUpdatedAt} onRetry={all.refetch} />}
      {replicas < job.inputCount && (
        <p className={css['note']} role="note">
          Drawn from the first {formatCount(replicas)} of {formatCount(job.inputCount)} replicas. The counters above and the list of tasks are of all.
        </p>
      )}
      <div className={css['graph']}>
        <JobGraph
          definition={commit.data.definition as Definition}
          tasks={all.tasks}
          replicas={replicas}
          ended={job.finishedAt !== null}
          selected={selected}
          onOpen={(node, tasks) => {
            const [only] = tasks;
            if (tasks.length === 1 && only) onTask(only.id);
            else if (tasks.length > 1) onNode(node);
          }}
        />
      </div>
      <p className={css['note']}>
        {job.inputCount > 1 ? 'Each input is one replica; a node shows what they came to. ' : ''}Choose a node to see its tasks. Dashed: not taken or not reached. Ctrl + wheel zooms.
      </p>
    </div>
  );
}
