import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import { t, tn } from '../../../../lib/language.ts';
import { jobKeys, killJob, retryJob, taskKeys } from '../../../api/jobs.ts';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { AsCommand } from '../../../shell/commands/AsCommand.tsx';
import { jobCommand } from '../../../shell/commands/commands.ts';
import { type JobAction, retryableTasks } from './check-job-action.ts';

const VERBS = {
  kill: {
    title: () => t('Kill 1 job'),
    asked: () => t('Kill 1 job?'),
    done: () => t('Killed 1 job'),
    call: (id: string) => killJob(id).then((answer) => answer.killedTasks),
  },
  retry: {
    title: () => t('Retry 1 job'),
    asked: () => t('Retry 1 job?'),
    done: () => t('Retried 1 job'),
    call: (id: string) => retryJob(id).then((answer) => answer.retriedTasks),
  },
} as const;

const tasks = (n: number): string => tn('{count} task', '{count} tasks', n);

/** Kill and retry of one job: asks once, then does it. Several go as one operation (`features/operations`). Draw `dialogs` somewhere on the page. */
export function useJobActions(): { ask(action: JobAction, job: Job | undefined): void; dialogs: ReactNode } {
  const client = useQueryClient();
  const [asked, setAsked] = useState<{ action: JobAction; job: Job } | null>(null);
  // Kept while the dialog fades, so that its words do not change under the eye.
  const [opened, setOpened] = useState(false);

  async function run(action: JobAction, job: Job): Promise<void> {
    const touched = await VERBS[action].call(job.id);
    toastSuccess(
      VERBS[action].done(),
      t('{touched} of {workflowId}', { touched: tasks(touched), workflowId: job.workflowId }),
    );
    for (const queryKey of [jobKeys.all, taskKeys.all]) void client.invalidateQueries({ queryKey });
  }

  return {
    ask(action, job) {
      if (job === undefined) return;
      setAsked({ action, job });
      setOpened(true);
    },
    dialogs: asked && (
      <Question
        {...asked}
        opened={opened}
        onClose={() => setOpened(false)}
        onConfirm={() => run(asked.action, asked.job)}
      />
    ),
  };
}

function Question({
  action,
  job,
  opened,
  onClose,
  onConfirm,
}: {
  action: JobAction;
  job: Job;
  opened: boolean;
  onClose(): void;
  onConfirm(): Promise<void>;
}): ReactNode {
  const { taskCounters: c } = job;
  const open = c.readyTasks + c.scheduledTasks + c.runningTasks;
  return (
    <ConfirmAction
      opened={opened}
      onClose={onClose}
      title={VERBS[action].asked()}
      confirmLabel={VERBS[action].title()}
      danger={action === 'kill'}
      onConfirm={onConfirm}
    >
      <Stack gap={6}>
        {action === 'kill' ? (
          <Text size="sm">
            {open === 0
              ? t(
                  'Tasks waiting for a retry will fail with the code KILLED, and their workers are told to stop. Completed tasks are kept. Killed tasks can be retried.',
                )
              : t(
                  '{tasks} will fail with the code KILLED, and the workers are told to stop. Completed tasks are kept. Killed tasks can be retried.',
                  { tasks: tasks(open) },
                )}
          </Text>
        ) : (
          <Text size="sm">
            {t('{job} that failed or timed out will be queued again, with retries reset.', {
              job: tasks(retryableTasks(job)),
            })}{' '}
            {t('The job stays on its version, {hash}. To run it on a newer version with the fix, use “Rerun…”.', {
              hash: job.commit.slice(0, 8),
            })}
          </Text>
        )}
        <AsCommand command={jobCommand(action, job.id)} />
      </Stack>
    </ConfirmAction>
  );
}
