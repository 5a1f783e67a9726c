import { Box } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import { jobGraphQuery, taskQuery, tasksQuery } from '../../../api/jobs.ts';
import { commitQuery } from '../../../api/workflows.ts';
import { JobGraph } from './JobGraph.tsx';
import { countTasks } from './node-status.ts';
import { StaleBanner } from '../../../ui/StaleBanner.tsx';
import { toastFailure } from '../../../ui/toasts.tsx';
import css from '../job/JobPage.module.css';
import { Loading } from '../../../ui/Loading.tsx';

export interface GraphTabProps {
  readonly job: Job;
  /** The task that is open beside the page, and the node that the list of tasks is narrowed to. */
  readonly task: string | undefined;
  readonly node: string | undefined;
  /** The page says already that what it shows is old. */
  readonly stale: boolean;
  onTask(taskId: string): void;
  onNode(node: string): void;
}

/** The definition of the job's own commit, with what its tasks came to: the master counts them, however many they are. */
export function GraphTab({ job, task, node, stale, onTask, onNode }: GraphTabProps): ReactNode {
  const client = useQueryClient();
  const commit = useQuery(commitQuery(job.workflowId, job.commit));
  const graph = useQuery(jobGraphQuery(job.id));
  const { data: open } = useQuery({ ...taskQuery(task ?? ''), enabled: task !== undefined && node === undefined });
  const tally = useMemo(
    () =>
      graph.data && {
        nodes: new Map(graph.data.nodes.map((one) => [one.node, one])),
        taken: new Set(graph.data.taken),
      },
    [graph.data],
  );
  if (commit.error && !commit.data) return <Loading query={commit} what={t("Could not load the job's definition")} />;
  if (!commit.data || !tally || !graph.data)
    return <Loading query={graph} what={t('Could not load task counts')} height={360} />;

  const openOnly = (of: string) =>
    client
      .fetchQuery(tasksQuery(job.id, { node: of, size: 1 }))
      .then(({ items: [only] }) => only && onTask(only.id), toastFailure(t('Could not open the task')));
  return (
    <div className={css['graphTab']}>
      {graph.error !== null && !stale && (
        <StaleBanner error={graph.error} updatedAt={graph.dataUpdatedAt} onRetry={() => void graph.refetch()} />
      )}
      <Box className="card" flex="1" mih={240}>
        <JobGraph
          definition={commit.data.definition}
          tally={tally}
          replicas={graph.data.replicas}
          ended={job.finishedAt !== null}
          selected={node ?? open?.node ?? null}
          onOpen={(of, at) => {
            const count = countTasks(at);
            if (count === 1) void openOnly(of);
            else if (count > 1) onNode(of);
          }}
        />
      </Box>
      <p className={css['note']}>
        {job.inputCount > 1 && <>{t('Each input is one replica. Nodes show the totals of all replicas.')} </>}
        {t('Select a node to see its tasks. Dashed: skipped or not reached. Ctrl + scroll to zoom.')}
      </p>
    </div>
  );
}
