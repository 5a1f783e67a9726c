import { List, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Job } from '../../../contract/api.ts';
import { jobKeys, killJob, retryJob, taskKeys } from '../../api/jobs.ts';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { formatCount } from '../../ui/Duration.tsx';
import { failureOf } from '../../ui/error-text.ts';
import { sayDone, sayWorking } from '../../ui/toasts.tsx';
import { runBounded } from './bounded.ts';
import { type JobAction, legal, retryableTasks } from './legal.ts';

/** Calls under way at once. */
const CONCURRENCY = 6;
const VERBS = {
  kill: { title: 'Kill', doing: 'Killing', done: 'Killed', call: (id: string) => killJob(id).then((answer) => answer.killedTasks) },
  retry: { title: 'Retry', doing: 'Retrying', done: 'Retried', call: (id: string) => retryJob(id).then((answer) => answer.retriedTasks) },
} as const;

interface Ask {
  readonly action: JobAction;
  readonly jobs: readonly Job[];
}
interface Failures {
  readonly action: JobAction;
  readonly total: number;
  readonly failed: readonly { readonly item: Job; readonly error: unknown }[];
}

const jobs = (n: number): string => (n === 1 ? '1 job' : `${formatCount(n)} jobs`);
const tasks = (n: number): string => (n === 1 ? '1 task' : `${formatCount(n)} tasks`);

/** Kill and retry, for one job or many: asks once with the count, runs, and reports what failed. Draw `dialogs` somewhere on the page. */
export function useJobActions(): { ask(action: JobAction, jobs: readonly Job[]): void; dialogs: ReactNode } {
  const client = useQueryClient();
  const [asked, setAsked] = useState<Ask | null>(null);
  // Kept while the dialog fades, so that its words do not change under the eye.
  const [opened, setOpened] = useState(false);
  const [failures, setFailures] = useState<Failures | null>(null);

  async function run({ action, jobs: chosen }: Ask): Promise<void> {
    const verb = VERBS[action];
    const able = chosen.filter((job) => legal(action, job, true).ok);
    const refresh = () => {
      for (const queryKey of [jobKeys.all, taskKeys.all]) void client.invalidateQueries({ queryKey });
    };
    const [only] = able;
    if (able.length === 1 && only) {
      const touched = await verb.call(only.id);
      sayDone(`${verb.done} 1 job`, `${tasks(touched)} of ${only.workflowId}`);
      refresh();
      return;
    }
    const working = sayWorking(`${verb.doing} ${jobs(able.length)}`, `0 of ${formatCount(able.length)}`);
    void runBounded(able, (job) => verb.call(job.id), CONCURRENCY, (finished) => working.update(`${formatCount(finished)} of ${formatCount(able.length)}`)).then(({ done, failed }) => {
      const touched = done.reduce((sum, one) => sum + one.result, 0);
      if (failed.length === 0) working.done(`${verb.done} ${jobs(done.length)}`, tasks(touched));
      else {
        working.failed(`${verb.title} failed for ${formatCount(failed.length)} of ${jobs(able.length)}`, failed[0]?.error);
        setFailures({ action, total: able.length, failed });
      }
      refresh();
    });
  }

  return {
    ask(action, chosen) {
      setAsked({ action, jobs: chosen });
      setOpened(true);
    },
    dialogs: (
      <>
        {asked && <Question ask={asked} opened={opened} onClose={() => setOpened(false)} run={run} />}
        <Modal opened={failures !== null} onClose={() => setFailures(null)} title={<strong>{failures ? `${VERBS[failures.action].title} failed for ${formatCount(failures.failed.length)} of ${jobs(failures.total)}` : ''}</strong>} size="lg">
          <List size="sm" spacing={6}>
            {failures?.failed.map(({ item, error }) => {
              const failure = failureOf(error);
              return (
                <List.Item key={item.id}>
                  <Link to="/jobs/$jobId" params={{ jobId: item.id }} className="mono">
                    {item.id}
                  </Link>
                  <Text size="sm">
                    {failure.detail || failure.title} {failure.code !== null && <span className="mono">({failure.code})</span>}
                  </Text>
                </List.Item>
              );
            })}
          </List>
        </Modal>
      </>
    ),
  };
}

function Question({ ask, opened, onClose, run }: { ask: Ask; opened: boolean; onClose(): void; run(ask: Ask): Promise<void> }): ReactNode {
  const { action, jobs: chosen } = ask;
  const verb = VERBS[action];
  const able = chosen.filter((job) => legal(action, job, true).ok);
  const reasons = new Map<string, number>();
  for (const job of chosen) {
    const answer = legal(action, job, true);
    if (!answer.ok) reasons.set(answer.reason, (reasons.get(answer.reason) ?? 0) + 1);
  }
  const open = able.reduce((sum, { taskCounters: c }) => sum + c.readyTasks + c.scheduledTasks + c.runningTasks, 0);
  const failed = able.reduce((sum, job) => sum + retryableTasks(job), 0);
  const name = `${verb.title} ${jobs(able.length)}`;
  return (
    <ConfirmAction opened={opened} onClose={onClose} title={`${name}?`} confirmLabel={name} danger={action === 'kill'} onConfirm={() => run(ask)}>
      <Stack gap={6}>
        {action === 'kill' ? (
          <Text size="sm">
            {open === 0 ? 'Tasks that wait for a retry' : tasks(open)} will become failed with the code <span className="mono">KILLED</span> and their workers are told to stop. Tasks that are done stay done. Killed tasks can be retried.
          </Text>
        ) : (
          <Text size="sm">{tasks(failed)} that failed or timed out will be queued again, each with a fresh allowance of retries.</Text>
        )}
        {[...reasons].map(([reason, count]) => (
          <Text key={reason} size="sm" c="dimmed">
            {jobs(count)} left out: {reason.charAt(0).toLowerCase() + reason.slice(1)}
          </Text>
        ))}
      </Stack>
    </ConfirmAction>
  );
}
