import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Wait } from '../../../contract/waits.ts';
import { t } from '../../../lib/language.ts';
import { waitsQuery } from '../../api/waits.ts';
import { Callout } from '../../ui/Callout.tsx';
import { rich } from '../../ui/rich.tsx';
import { Instant } from '../../ui/Time.tsx';
import { NodeName, NodeNamesOfJob } from './NodeName.tsx';

/** Milliseconds between two looks. */
const LOOK_MS = 1500;

/** What a job waits for that runs until it comes; nothing where it waits for nothing. `onTask`: opens a task on the page of its job. */
export function WaitsOfJob({ jobId, onTask }: { jobId: string; onTask?(taskId: string): void }): ReactNode {
  const { data } = useQuery({ ...waitsQuery(jobId), refetchInterval: LOOK_MS });
  if (!data || data.items.length === 0) return null;
  const more = data.totalItems - data.items.length;
  return (
    <NodeNamesOfJob jobId={jobId}>
      <Callout tone="info" title={t('The job is waiting')}>
        <Stack gap={4} role="status">
          {data.items.map((wait) => (
            <Text key={wait.taskId} size="sm">
              <WaitSentence wait={wait} />{' '}
              {onTask !== undefined && wait.approvalId === null ? (
                <button type="button" className="linkish" onClick={() => onTask(wait.taskId)}>
                  {t('Open task')}
                </button>
              ) : (
                <WaitLink wait={wait} />
              )}
            </Text>
          ))}
          {more > 0 && <Text size="sm">{t('and {count} more', { count: more })}</Text>}
        </Stack>
      </Callout>
    </NodeNamesOfJob>
  );
}

function WaitSentence({ wait: { for: kind, node, name, dueAt } }: { wait: Wait }): ReactNode {
  const strong = (
    <strong>
      <NodeName node={node} />
    </strong>
  );
  switch (kind) {
    case 'approval':
      return rich('{strong} waits until a person approves or rejects.', { strong });
    case 'signal':
      return rich('{strong} waits for the signal {code}.', { strong, code: <code>{name}</code> });
    case 'time':
      return rich('{strong} waits until {time}.', { strong, time: dueAt === null ? '–' : <Instant at={dueAt} /> });
  }
}

/** To where somebody decides, sends the signal, or sees how long it still takes. */
const WaitLink = ({ wait: { approvalId, jobId, taskId } }: { wait: Wait }): ReactNode =>
  approvalId === null ? (
    <Anchor
      style={{ whiteSpace: 'nowrap' }}
      size="sm"
      renderRoot={(props) => <Link to="/jobs/$jobId" params={{ jobId }} search={{ task: taskId }} {...props} />}
    >
      {t('Open task')}
    </Anchor>
  ) : (
    <Anchor
      style={{ whiteSpace: 'nowrap' }}
      size="sm"
      renderRoot={(props) => <Link to="/approvals" search={{ approval: approvalId }} {...props} />}
    >
      {t('Open the request')}
    </Anchor>
  );
