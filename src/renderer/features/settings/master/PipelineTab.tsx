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
  type Which,
} from '../../../api/pipeline.ts';
import { useRole } from '../../../stores/role.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { formatBytes, formatCount, formatDuration } from '../../../ui/Duration.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { useFocusBack } from '../../../ui/restore-focus.ts';
import { TimeAgo } from '../../../ui/Time.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import css from '../shared/Settings.module.css';

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
  const { canOperate, whyOperate } = useRole();
  const [chosen, setChosen] = useState(NONE);
  const [asked, setAsked] = useState<'replay' | 'discard' | null>(null);
  useFocusBack(asked !== null);
  const total = query.data?.totalItems ?? 0;
  const count = chosen.size === 0 ? total : chosen.size;
  const which: Which = chosen.size === 0 ? { all: true } : { ids: [...chosen] };
  const close = () => setAsked(null);
  const settle = async (said: string) => {
    toastSuccess(said);
    setChosen(NONE);
    await client.invalidateQueries({ queryKey: pipelineKeys.all });
  };
  const title = whyOperate;
  return (
    <>
      {stats.data ? <Facts columns={5} items={pipelineFacts(stats.data)} /> : <ErrorLine error={stats.error} />}
      <div className={css['bar']}>
        <span className="dim">
          {t('Lines that the log store refused for good are kept here until they are sent again or deleted.')}
        </span>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            disabled={!canOperate || total === 0}
            title={title}
            onClick={() => setAsked('replay')}
          >
            {chosen.size === 0 ? t('Send all again') : t('Send {count} again', { count: chosen.size })}
          </Button>
          <Button
            variant="default"
            leftSection={<IconTrash size={14} aria-hidden />}
            disabled={!canOperate || total === 0}
            title={title}
            onClick={() => setAsked('discard')}
          >
            {chosen.size === 0 ? t('Delete all') : t('Delete {count}', { count: chosen.size })}
          </Button>
        </Group>
      </div>
      <DataTable
        fill
        label={t('Dead letters')}
        what={t('The dead letters could not be read')}
        storageKey="dead-letters"
        columns={COLUMNS}
        rows={query.data?.items}
        rowId={idOf}
        query={query}
        selection={{ selected: chosen, onChange: setChosen }}
        page={{
          page,
          size,
          totalItems: total,
          totalPages: query.data?.totalPages ?? 0,
          onPage: (next) => void navigate({ search: { ...search, page: next } }),
          onSize: (next) => void navigate({ search: { tab: 'pipeline', size: next } }),
        }}
        empty={
          <EmptyState icon={IconMailbox} title={t('No dead letters')}>
            {t('The log store has taken every line that came.')}
          </EmptyState>
        }
      />
      {asked === 'replay' && (
        <ConfirmAction
          opened
          onClose={close}
          title={t('Send {count} again?', { count: linesWord(count) })}
          confirmLabel={t('Send {count}', { count: linesWord(count) })}
          onConfirm={async () =>
            settle(t('Queued {replayed}', { replayed: linesWord((await replayDeadLetters(which)).replayed) }))
          }
        >
          {t('They go into the queue. What the log store refuses again comes back here.')}
        </ConfirmAction>
      )}
      {asked === 'discard' && (
        <ConfirmAction
          opened
          onClose={close}
          danger
          title={t('Delete {count}?', { count: linesWord(count) })}
          confirmLabel={t('Delete {count}', { count: linesWord(count) })}
          onConfirm={async () =>
            settle(t('Deleted {discarded}', { discarded: linesWord((await discardDeadLetters(which)).discarded) }))
          }
        >
          {t('They were never stored. This cannot be undone.')}
        </ConfirmAction>
      )}
    </>
  );
}

function pipelineFacts(stats: PipelineStats): { label: string; value: ReactNode }[] {
  const state =
    stats.refusing === null ? (
      stats.paused ? (
        <ToneBadge tone="warn">{t('Senders wait')}</ToneBadge>
      ) : (
        <ToneBadge tone="done">{t('Taking lines')}</ToneBadge>
      )
    ) : (
      <span data-hint={stats.refusing}>
        <ToneBadge tone="fail">{t('Disk refuses')}</ToneBadge>
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
      label: t('Behind'),
      value: <span className="numbers">{stats.queueLines === 0 ? t('not at all') : formatDuration(stats.lagMs)}</span>,
    },
    { label: t('Connections'), value: number(stats.connections) },
    { label: t('Accepted since the start'), value: number(stats.accepted) },
    { label: t('Delivered'), value: number(stats.delivered) },
    { label: t('Deliveries tried again'), value: number(stats.retried) },
    { label: t('Refused by the store'), value: number(stats.dead + stats.skipped) },
    { label: t('Thrown away'), value: number(stats.dropped + stats.deadDropped) },
    {
      label: t('Cut, no JSON'),
      value: <span className="numbers">{`${formatCount(stats.truncated)}, ${formatCount(stats.unparsed)}`}</span>,
    },
  ];
}

const COLUMNS: readonly DataColumn<DeadLetter>[] = [
  { id: 'at', header: t('When'), width: 104, cell: (letter) => <TimeAgo at={letter.at} /> },
  {
    id: 'status',
    header: t('Status'),
    width: 72,
    align: 'right',
    cell: (letter) => <span className="numbers">{letter.status}</span>,
  },
  {
    id: 'reason',
    header: t('Reason'),
    width: 260,
    cell: (letter) => (
      <span className="clip" title={letter.reason}>
        {letter.reason}
      </span>
    ),
  },
  {
    id: 'bytes',
    header: t('Size'),
    width: 80,
    align: 'right',
    cell: (letter) => <span className="numbers">{formatBytes(letter.bytes)}</span>,
  },
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
