import { Button, Group } from '@mantine/core';
import { IconMailbox, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { DeadLetter, PipelineStats } from '../../../../contract/logs.ts';
import { t, tn } from '../../../../lib/language.ts';
import {
  deadLettersQuery,
  discardDeadLetters,
  pipelineKeys,
  pipelineQuery,
  replayDeadLetters,
  type DeadLetterSelection,
} from '../../../api/pipeline.ts';
import { useWhy } from '../../../stores/role.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { formatBytes, formatCount, formatDuration } from '../../../ui/Duration.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { SkeletonBlock } from '../../../ui/Skeletons.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import css from '../shared/Settings.module.css';
import { paged } from '../../../ui/table/pages.ts';

const route = getRouteApi('/settings');
const idOf = (letter: DeadLetter) => letter.id;
const NONE: ReadonlySet<string> = new Set();
const linesWord = (count: number) => tn('{count} line', '{count} lines', count);

/** The log pipeline: what it holds, and the lines that the log store refused. */
export function PipelineTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 20 } = search;
  const stats = useQuery(pipelineQuery());
  const query = useQuery(deadLettersQuery({ page, size }));
  const client = useQueryClient();
  const whyOperate = useWhy('master.operate');
  const canOperate = whyOperate === undefined;
  const [chosen, setChosen] = useState(NONE);
  const { ask, dialog } = useConfirm();
  const total = query.data?.totalItems ?? 0;
  const count = chosen.size === 0 ? total : chosen.size;
  const which: DeadLetterSelection = chosen.size === 0 ? { all: true } : { ids: [...chosen] };
  const settle = async (said: string) => {
    toastSuccess(said);
    setChosen(NONE);
    await client.invalidateQueries({ queryKey: pipelineKeys.all });
  };
  const lines = linesWord(count);
  const replay = () =>
    ask({
      title: t('Resend {count}?', { count: lines }),
      confirmLabel: t('Resend {count}', { count: lines }),
      text: t('Lines that the log store rejects again come back here.'),
      run: async () =>
        settle(t('{replayed} queued', { replayed: linesWord((await replayDeadLetters(which)).replayed) })),
    });
  const discard = () =>
    ask({
      danger: true,
      title: t('Delete {count}?', { count: lines }),
      confirmLabel: t('Delete {count}', { count: lines }),
      text: t('These lines were never stored. This cannot be undone.'),
      run: async () =>
        settle(t('{discarded} deleted', { discarded: linesWord((await discardDeadLetters(which)).discarded) })),
    });
  return (
    <>
      {stats.data ? (
        <Facts columns={5} items={pipelineFacts(stats.data)} />
      ) : stats.error === null ? (
        <SkeletonBlock height={FACTS_HEIGHT} />
      ) : (
        <ErrorLine error={stats.error} />
      )}
      <div className={css['bar']}>
        <span className="dim">
          {t('Lines that the log store rejected permanently are kept here until you resend or delete them.')}
        </span>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            disabled={!canOperate || total === 0}
            title={whyOperate}
            onClick={replay}
          >
            {chosen.size === 0 ? t('Resend all') : t('Resend {count}', { count: chosen.size })}
          </Button>
          <Button
            variant="default"
            leftSection={<IconTrash size={14} aria-hidden />}
            disabled={!canOperate || total === 0}
            title={whyOperate}
            onClick={discard}
          >
            {chosen.size === 0 ? t('Delete all') : t('Delete {count}', { count: chosen.size })}
          </Button>
        </Group>
      </div>
      <DataTable
        fill
        label={t('Dead letters')}
        what={t('Could not load dead letters')}
        storageKey="dead-letters"
        columns={COLUMNS}
        rowId={idOf}
        selection={{ selected: chosen, onChange: setChosen }}
        {...paged(query, { page, size }, (change) => void navigate({ search: { ...search, ...change } }))}
        empty={
          <EmptyState icon={IconMailbox} title={t('No dead letters')}>
            {t('The log store has accepted every line.')}
          </EmptyState>
        }
      />
      {dialog}
    </>
  );
}

/** Three rows of them. */
const FACTS_HEIGHT = 131;

function pipelineFacts(stats: PipelineStats): { label: string; value: ReactNode }[] {
  const state =
    stats.refusing === null ? (
      stats.paused ? (
        <ToneBadge tone="warn">{t('Backpressure')}</ToneBadge>
      ) : stats.failing !== null ? (
        <span data-hint={stats.failing}>
          <ToneBadge tone="warn">{t('Waiting for the log store')}</ToneBadge>
        </span>
      ) : (
        <ToneBadge tone="done">{t('Accepting lines')}</ToneBadge>
      )
    ) : (
      <span data-hint={stats.refusing}>
        <ToneBadge tone="fail">{t('Disk write errors')}</ToneBadge>
      </span>
    );
  const number = (value: number) => <span className="numbers">{formatCount(value)}</span>;
  return [
    { label: t('State'), value: state },
    {
      label: t('Queued'),
      value: <span className="numbers">{`${linesWord(stats.queueLines)}, ${formatBytes(stats.queueBytes)}`}</span>,
    },
    {
      label: t('Lag'),
      value: <span className="numbers">{stats.queueLines === 0 ? t('none') : formatDuration(stats.lagMs)}</span>,
    },
    { label: t('Connections'), value: number(stats.connections) },
    { label: t('Rejected connections'), value: number(stats.foreign + stats.unauthorized + stats.crowded) },
    { label: t('Forged lines'), value: number(stats.forged) },
    { label: t('Accepted since start'), value: number(stats.accepted) },
    { label: t('Delivered'), value: number(stats.delivered) },
    { label: t('Retried deliveries'), value: number(stats.retried) },
    { label: t('Rejected by the store'), value: number(stats.dead + stats.skipped) },
    { label: t('Dropped'), value: number(stats.dropped + stats.deadDropped) },
    { label: t('Truncated'), value: <span className="numbers">{linesWord(stats.truncated)}</span> },
    { label: t('Not JSON'), value: <span className="numbers">{linesWord(stats.unparsed)}</span> },
  ];
}

const COLUMNS: readonly DataColumn<DeadLetter>[] = [
  { id: 'at', header: t('Time'), width: 104, cell: (letter) => <TimeAgo at={letter.at} /> },
  { id: 'status', header: t('Status'), width: 72, align: 'right', cell: (letter) => letter.status },
  { id: 'reason', header: t('Reason'), width: 260, cell: (letter) => letter.reason },
  { id: 'bytes', header: t('Size'), width: 80, align: 'right', cell: (letter) => formatBytes(letter.bytes) },
  {
    id: 'line',
    header: t('Line'),
    width: 320,
    grow: true,
    cell: (letter) => (
      <span className="mono clip" title={letter.line}>
        {letter.line}
      </span>
    ),
  },
];
