import { Group } from '@mantine/core';
import { IconBan, IconBug, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { FailureGroup } from '../../../../contract/failures.ts';
import type { FailureStatus } from '../../../../contract/vocabulary.ts';
import { t, tn } from '../../../../lib/language.ts';
import { failureTitle, failureCausesQuery } from '../../../api/failures.ts';
import { NodeOf } from '../../workflows/NodeName.tsx';
import { EnvironmentBadge, ToneBadge } from '../../../ui/Badges.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { Count } from '../../../ui/Duration.tsx';
import { useUiSettings } from '../../../ui/settings.tsx';
import { SparkBars } from '../../../ui/SparkBars.tsx';
import { formatInstant } from '../../../ui/time-text.ts';
import type { ToneOf } from '../../../ui/status.ts';
import { TimeAgo, useNow } from '../../../ui/Time.tsx';
import css from './Failures.module.css';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { histogramBars } from './histogram-bars.ts';
import { causeText, isStrong, percentText, shareText } from './causes.ts';

export const FAILURE_TONES: Readonly<Record<FailureStatus, Pick<ToneOf, 'word' | 'tone' | 'icon'>>> = {
  OPEN: { word: t('Open##state'), tone: 'fail', icon: IconBug },
  RESOLVED: { word: t('Resolved'), tone: 'done', icon: IconCircleCheck },
  IGNORED: { word: t('Ignored'), tone: 'empty', icon: IconBan },
};

export function FailureBadge({ group }: { group: Pick<FailureGroup, 'status' | 'reopenedAt'> }) {
  const { word, tone, icon } = FAILURE_TONES[group.status];
  return (
    <ToneBadge tone={tone} icon={icon}>
      {group.status === 'OPEN' && group.reopenedAt !== null ? t('Regressed') : word}
    </ToneBadge>
  );
}

export const columns: readonly DataColumn<FailureGroup>[] = [
  {
    id: 'message',
    header: t('Failure'),
    width: 320,
    grow: true,
    cell: (group) => (
      <span className={css['failure']}>
        <span className={css['message']} title={group.sample}>
          {failureTitle(group)}
        </span>
        <span className={css['where']}>
          {(group.status !== 'OPEN' || group.reopenedAt !== null) && <FailureBadge group={group} />}
          {group.status === 'OPEN' && group.haveSucceeded === true && (
            <span data-hint={t('All its jobs have since succeeded. Open it to resolve it.')}>
              <ToneBadge tone="done" icon={IconCircleCheck}>
                {t('Recovered')}
              </ToneBadge>
            </span>
          )}
          <span className="mono">{group.code}</span>
          <Link to="/workflows/$workflowId" params={{ workflowId: group.workflowId }} className="clip">
            {group.workflowId}
          </Link>
          <span className="clip">
            <NodeOf group={group} />
          </span>
        </span>
      </span>
    ),
  },
  {
    id: 'count',
    header: t('Count'),
    width: 82,
    align: 'right',
    sortKey: 'count',
    cell: (group) => <Count value={group.count} />,
  },
  {
    id: 'last',
    header: t('Last seen'),
    width: 98,
    sortKey: 'lastSeenAt',
    cell: (group) => <TimeAgo at={group.lastSeenAt} />,
  },
  {
    id: 'first',
    header: t('Since'),
    width: 88,
    sortKey: 'firstSeenAt',
    cell: (group) => <TimeAgo at={group.reopenedAt ?? group.firstSeenAt} />,
  },
  {
    id: 'histogram',
    header: t('Over time'),
    width: 124,
    blank: (group) => group.histogram === undefined,
    cell: (group) => group.histogram && <Histogram group={group} histogram={group.histogram} />,
  },
  { id: 'cause', header: t('Likely cause'), width: 160, cell: (group) => <TopCause group={group} /> },
  {
    id: 'environments',
    header: t('Environments'),
    width: 112,
    cell: (group) => (
      <Group gap={4}>
        {group.environments.map(
          ({ environment }) => environment !== null && <EnvironmentBadge key={environment} environment={environment} />,
        )}
      </Group>
    ),
  },
];

function Histogram({
  group,
  histogram,
}: {
  group: FailureGroup;
  histogram: NonNullable<FailureGroup['histogram']>;
}): ReactNode {
  const minute = Math.floor(useNow() / 60_000);
  const counts = useMemo(() => histogramBars(histogram, minute * 60_000), [histogram, minute]);
  const { zone } = useUiSettings();
  return (
    <SparkBars
      tone="fail"
      counts={counts}
      label={tn('{count} failure since {from}', '{count} failures since {from}', group.count, {
        from: formatInstant(group.firstSeenAt, zone, false),
      })}
    />
  );
}

/** With fewer failures nothing is ever named. */
const LEAST = 3;

/** What is most over-represented among the failures of a group: a worker, a commit, a value of the input. */
function TopCause({ group }: { group: FailureGroup }): ReactNode {
  const asked = group.status === 'OPEN' && group.count >= LEAST;
  const { data, isPending } = useQuery({ ...failureCausesQuery(group.id), enabled: asked });
  const cause = data?.find(isStrong) ?? data?.[0];
  if (cause === undefined) return <span className="dim">{asked && isPending ? '…' : '–'}</span>;
  const words = t('{share} {words}', { share: shareText(cause), words: causeText(cause) });
  return (
    <span
      className={css['cause']}
      title={
        cause.fewRuns
          ? t('{words}; of few runs: {failures} failed, {successes} succeeded', { words, ...cause.fewRuns })
          : t('{words}; {share} of successes', { words, share: percentText(cause.successes) })
      }
    >
      {words}
    </span>
  );
}
