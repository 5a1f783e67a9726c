import { Anchor, Group, Stack, Tabs, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClockHour4, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { jobOutputQuery, jobQuery } from '../../../api/jobs.ts';
import { StatusBadge, ToneBadge } from '../../../ui/Badges.tsx';
import { badgeStatus } from '../../../ui/status.ts';
import { Bytes, Duration } from '../../../ui/Duration.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { describeError, furtherFaults } from '../../../ui/error-text.ts';
import { HashLabel } from '../../../ui/HashLabel.tsx';
import { JsonTree } from '../../../ui/JsonTree.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import { rich } from '../../../ui/rich.tsx';
import { NodeName, NodeNamesOfJob } from '../NodeName.tsx';
import { type Answer, problemOfAnswer, type ReadableProblem } from './call.ts';
import { WaitsOfJob } from '../WaitsOfJob.tsx';
import { JobLink, WaitingCall } from './Waiting.tsx';
import classes from './Try.module.css';
import { Callout } from '../../../ui/Callout.tsx';

/** A call that was made and has no answer. */
export interface SentCall {
  readonly externalId: string;
  /** False: its answer is not waited for any more. */
  readonly isAwaited: boolean;
}

/** The answer of an event call: what it says, how long it took, and the way to its job. */
export function AnswerView({
  answer,
  sent,
}: {
  answer: Answer | null;
  /** A call that has no answer; null: there is none. */
  sent: SentCall | null;
}): ReactNode {
  if (answer === null) {
    return (
      <Section title={t('Response')}>
        {sent !== null ? (
          <>
            <WaitingCall externalId={sent.externalId} />
            {sent.isAwaited && <SkeletonLines lines={5} />}
            <Text size="sm" c="dimmed" mt="sm">
              {sent.isAwaited
                ? t('The response arrives when the job has finished. Failed tasks are retried first.')
                : t('The response is no longer awaited. The job continues.')}
            </Text>
          </>
        ) : (
          <EmptyState icon={IconSend} title={t('No request sent yet')}>
            {t('Send calls the real endpoint and creates a job that runs on the workers.')}
          </EmptyState>
        )}
      </Section>
    );
  }
  const problem = problemOfAnswer(answer);
  const ok = answer.status < 400;
  return (
    <Section
      title={t('Response')}
      actions={
        <Group gap="md">
          <ToneBadge
            tone={ok ? (answer.status === 202 ? 'run' : 'done') : 'fail'}
            icon={ok ? (answer.status === 202 ? IconClockHour4 : IconCheck) : IconAlertTriangle}
          >
            {answer.status} {problem?.code ?? answer.statusText}
          </ToneBadge>
          <Text size="sm" c="dimmed">
            <Duration ms={answer.ms} /> · <Bytes value={answer.bytes} />
          </Text>
        </Group>
      }
    >
      {sent !== null && <WaitingCall externalId={sent.externalId} />}
      <Stack gap="sm" className={classes['answer'] ?? ''} data-old={sent !== null || undefined}>
        {(answer.jobId !== null || answer.commit !== null) && (
          <Group gap="lg">
            {answer.jobId !== null && <JobLink jobId={answer.jobId} />}
            {answer.commit !== null && (
              <Group gap={6}>
                <Text size="sm">{t('Version')}</Text> <HashLabel hash={answer.commit} />
              </Group>
            )}
          </Group>
        )}
        <NodeNamesOfJob jobId={answer.jobId}>
          {problem && <Problem problem={problem} jobId={answer.jobId} />}
          {answer.jobId !== null && (answer.status === 202 || problem?.code === 'WORKFLOW_TIMEOUT') && (
            <Followed jobId={answer.jobId} />
          )}
        </NodeNamesOfJob>
        <Tabs defaultValue="body" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="body">{ok && answer.status !== 202 ? t('Output') : t('Body')}</Tabs.Tab>
            <Tabs.Tab value="text">{t('Text')}</Tabs.Tab>
            <Tabs.Tab value="headers">{t('Headers ({count})', { count: answer.headers.length })}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="body" pt="sm">
            {answer.value === undefined ? (
              <Text size="sm">{t('The body is not JSON; see the Text tab.')}</Text>
            ) : (
              <JsonTree value={answer.value} label={t('Response body')} openDepth={3} maxHeight={480} />
            )}
          </Tabs.Panel>
          <Tabs.Panel value="text" pt="sm">
            <pre className={classes['raw']} tabIndex={0} aria-label={t('Body as text')}>
              {answer.text.slice(0, 200_000)}
            </pre>
          </Tabs.Panel>
          <Tabs.Panel value="headers" pt="sm">
            <dl className={classes['headers']}>
              {answer.headers.map(([name, value]) => (
                <HeaderRow key={name} name={name} value={value} />
              ))}
            </dl>
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Section>
  );
}

function HeaderRow({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Problem({ problem, jobId }: { problem: ReadableProblem; jobId: string | null }): ReactNode {
  const { title, detail } = describeError(problem);
  const faults = furtherFaults(problem);
  return (
    <Callout tone="fail" title={title}>
      <Stack gap={6}>
        {problem.failure ? (
          <>
            <Text size="sm">
              {rich('Node {strong} failed with {code}: {message}', {
                strong: (
                  <strong>
                    <NodeName node={problem.failure.node} />
                  </strong>
                ),
                code: <code>{problem.failure.code}</code>,
                message: problem.failure.message,
              })}
            </Text>
            {jobId !== null && (
              <Anchor component={Link} to={`/jobs/${jobId}?task=${problem.failure.taskId}` as string} size="sm">
                {t('Open failed task')}
              </Anchor>
            )}
          </>
        ) : (
          <Text size="sm">{detail}</Text>
        )}
        {faults.length > 0 && (
          <ul className={classes['errors']}>
            {faults.map((error, index) => (
              <li key={`${error.pointer} ${index}`}>
                <code>{error.pointer || '/'}</code> {error.message}
              </li>
            ))}
          </ul>
        )}
        {problem.advice !== null && <Text size="sm">{problem.advice}</Text>}
      </Stack>
    </Callout>
  );
}

/** The job of a call that was answered at once: the live stream moves it, and its output comes with its end. */
function Followed({ jobId }: { jobId: string }): ReactNode {
  const job = useQuery(jobQuery(jobId));
  const finished = job.data?.finishedAt !== null && job.data !== undefined;
  const output = useQuery({ ...jobOutputQuery(jobId), enabled: finished });
  if (job.isError && !job.data) return <ErrorLine error={job.error} />;
  if (!job.data) return <SkeletonLines lines={1} />;
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <StatusBadge status={badgeStatus(job.data)} />
        <Text size="sm" c="dimmed">
          {finished
            ? rich('finished after {duration}', { duration: <Duration ms={job.data.durationMs ?? 0} /> })
            : t('The job is running; its output appears here.')}
        </Text>
      </Group>
      {!finished && <WaitsOfJob jobId={jobId} />}
      {output.data &&
        (output.data.error === null ? (
          <JsonTree source={output.data.bytes} member="output" label={t('Job output')} openDepth={3} maxHeight={320} />
        ) : (
          <Text size="sm">
            {rich('Node {strong} failed with {code}: {taskMessage}', {
              strong: (
                <strong>
                  <NodeName node={output.data.error.node} />
                </strong>
              ),
              code: <code>{output.data.error.taskCode}</code>,
              taskMessage: output.data.error.taskMessage,
            })}
          </Text>
        ))}
    </Stack>
  );
}
