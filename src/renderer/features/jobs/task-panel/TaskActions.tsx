import { Group } from '@mantine/core';
import { IconRefresh, IconRepeat } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Task } from '../../../../contract/tasks.ts';
import type { Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { jobKeys, taskKeys } from '../../../api/jobs.ts';
import { retryTask } from '../../../api/reruns.ts';
import { useWhy, useWorkflowPlace } from '../../../stores/role.ts';
import { toastSuccess, toastFailure } from '../../../ui/toasts.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { DebugButton } from './DebugButton.tsx';

const ENDED_BADLY: ReadonlySet<Task['state']> = new Set(['FAILED', 'SCHEDULE_TIMEOUT', 'RUN_TIMEOUT']);

/** What can be done about one task: try it again, or run the job again from its node. */
export function TaskActions({
  task,
  workflowId,
  environment,
  onRerun,
}: {
  task: Task;
  workflowId: string;
  environment: Environment | null;
  onRerun(): void;
}): ReactNode {
  const whyOperate = useWhy('jobs.operate', useWorkflowPlace(workflowId, environment));
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => retryTask(task.id),
    onSuccess: () => {
      toastSuccess(t('Task queued again'), t('Retries are reset.'));
      for (const queryKey of [jobKeys.all, taskKeys.all]) void client.invalidateQueries({ queryKey });
    },
    onError: toastFailure(t('Could not retry the task')),
  });
  const role = whyOperate ?? null;
  const why = role ?? (ENDED_BADLY.has(task.state) ? null : t('The task has not failed or timed out.'));
  return (
    <Group gap="xs">
      <ReasonButton
        variant="default"
        leftSection={<IconRefresh size={14} aria-hidden />}
        reason={why}
        hint={t("On the job's version")}
        loading={retry.isPending}
        onClick={() => retry.mutate()}
      >
        {t('Retry task')}
      </ReasonButton>
      <ReasonButton
        variant="default"
        leftSection={<IconRepeat size={14} aria-hidden />}
        reason={role}
        hint={t('As a new job, on this or another version')}
        onClick={onRerun}
      >
        {t('Rerun from here…')}
      </ReasonButton>
      {ENDED_BADLY.has(task.state) && (
        <DebugButton workflowId={workflowId} environment={environment} taskId={task.id} node={task.node} />
      )}
    </Group>
  );
}
