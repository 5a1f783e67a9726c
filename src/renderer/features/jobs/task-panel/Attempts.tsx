import { Group, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Task } from '../../../../contract/tasks.ts';
import { t } from '../../../../lib/language.ts';
import { TaskStateBadge } from '../../../ui/Badges.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import { Elapsed, Instant } from '../../../ui/Time.tsx';
import css from './TaskPanel.module.css';

/** The attempts that failed and were retried, then the one that counts. */
export function Attempts({ task }: { task: Task }): ReactNode {
  return (
    <ol className={`bare ${css['attempts']}`} aria-label={t('Attempts')}>
      <li>
        <Group gap="4px 10px">
          <strong>{t('Attempt {attempt}', { attempt: task.attempt })}</strong>
          <TaskStateBadge state={task.state} workerId={task.workerId} retryAt={task.retryAt} />
          {task.startedAt !== null && (
            <span className="dim">
              <Instant at={task.startedAt} /> · <Elapsed from={task.startedAt} to={task.finishedAt} />
            </span>
          )}
          {task.workerId !== null && <IdLabel id={task.workerId} kind={t('worker ID')} tail={8} />}
        </Group>
        {task.error !== null && <Message code={task.error.code} message={task.error.message} />}
      </li>
      {[...task.retryEntries].reverse().map((entry) => (
        <li key={entry.attempt}>
          <Group gap="4px 10px">
            <strong>{t('Attempt {attempt}', { attempt: entry.attempt })}</strong>
            <TaskStateBadge state="FAILED" />
            <span className="dim">
              <Instant at={entry.startedAt ?? entry.failedAt} />
              {entry.startedAt !== null && (
                <>
                  {' '}
                  · <Elapsed from={entry.startedAt} to={entry.failedAt} />
                </>
              )}
            </span>
            {entry.workerId !== null && <IdLabel id={entry.workerId} kind={t('worker ID')} tail={8} />}
          </Group>
          <Message code={entry.code} message={entry.message} />
        </li>
      ))}
    </ol>
  );
}

const Message = ({ code, message }: { code: string; message: string }): ReactNode => (
  <div className={css['attemptText']}>
    <span className="mono">{code}</span> {message}
  </div>
);

export function Transitions({ task }: { task: Task }): ReactNode {
  return (
    <Table verticalSpacing={4} fz="var(--text-normal)">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Time')}</Table.Th>
          <Table.Th>{t('To')}</Table.Th>
          <Table.Th>{t('Attempt')}</Table.Th>
          <Table.Th>{t('Worker')}</Table.Th>
          <Table.Th>{t('Reason')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {task.history.map((step, i) => (
          <Table.Tr key={i}>
            <Table.Td>
              <Instant at={step.at} />
            </Table.Td>
            <Table.Td>
              <TaskStateBadge state={step.to} />
            </Table.Td>
            <Table.Td className="numbers">{step.attempt}</Table.Td>
            <Table.Td>
              {step.workerId === null ? '' : <IdLabel id={step.workerId} kind={t('worker ID')} tail={8} />}
            </Table.Td>
            <Table.Td>{step.reason ?? ''}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
