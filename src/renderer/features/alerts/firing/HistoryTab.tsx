import { SegmentedControl } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { AlertHistory } from '../../../../contract/alerts.ts';
import type { PanelUnit } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { alertHistoryQuery } from '../../../api/alerts.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { paged } from '../../../ui/table/pages.ts';
import css from '../shared/Alerts.module.css';
import { Labels } from './FiringTab.tsx';
import { AlertBadge } from '../shared/tones.tsx';
import { failureReason } from '../shared/labels.ts';
import { useUnits } from '../shared/use-units.ts';
import { valueText } from '../shared/value-text.ts';

const route = getRouteApi('/alerts');
const entryId = (entry: AlertHistory) => String(entry.id);
const KINDS = [
  { value: 'all' as const, label: t('All') },
  { value: 'state' as const, label: t('Alerts fired') },
  { value: 'notification' as const, label: t('Messages sent') },
];

/** What fired and when, what was sent to whom, and what became of it. */
export function HistoryTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 50, kind } = search;
  const query = useQuery(alertHistoryQuery({ page, size, kind }));
  const units = useUnits();
  const columns = useMemo(() => columnsFor(units), [units]);
  return (
    <>
      <div className={css['bar']}>
        <SegmentedControl
          aria-label={t('Entries')}
          value={kind ?? 'all'}
          data={KINDS}
          onChange={(next) =>
            void navigate({
              search: next === 'all' ? { tab: 'history' } : { tab: 'history', kind: next },
            })
          }
        />
      </div>
      <DataTable
        fill
        label={t('Alert history')}
        what={t('Could not load the history')}
        storageKey="alert-history"
        columns={columns}
        rowId={entryId}
        {...paged(query, { page, size }, (change) => void navigate({ search: { ...search, ...change } }))}
        empty={
          <EmptyState icon={IconHistory} title={t('No history yet')}>
            {t('Every alert that fires or resolves, and every message with its delivery result, is recorded here.')}
          </EmptyState>
        }
      />
    </>
  );
}

function Outcome({ entry }: { entry: AlertHistory }): ReactNode {
  if (entry.kind === 'state') return entry.to !== null && <AlertBadge state={entry.to} />;
  if (entry.reason === 'Superseded') return <ToneBadge tone="empty">{t('Not needed')}</ToneBadge>;
  return <ToneBadge tone={entry.ok ? 'done' : 'fail'}>{entry.ok ? t('Sent') : t('Not sent')}</ToneBadge>;
}

const columnsFor = (units: ReadonlyMap<string, PanelUnit>): readonly DataColumn<AlertHistory>[] => [
  { id: 'at', header: t('Time'), width: 104, cell: (entry) => <TimeAgo at={entry.at} /> },
  { id: 'outcome', header: t('Event'), width: 138, cell: (entry) => <Outcome entry={entry} /> },
  {
    id: 'alert',
    header: t('Alert'),
    width: 220,
    grow: true,
    cell: (entry) => (
      <span className="clip" title={entry.title ?? ''}>
        {entry.ruleName ?? entry.title ?? '–'}
      </span>
    ),
  },
  {
    id: 'value',
    header: t('Value'),
    width: 110,
    align: 'right',
    cell: (entry) => entry.kind === 'state' && valueText(entry.value, units.get(entry.ruleId ?? '')),
  },
  {
    id: 'details',
    header: t('Details'),
    width: 380,
    grow: true,
    cell: (entry) => {
      if (entry.kind === 'state')
        return entry.reason === null ? (
          <Labels labels={entry.labels} />
        ) : (
          <span className={css['reason']}>
            {failureReason(entry.reason)} <Labels labels={entry.labels} />
          </span>
        );
      const counts = [
        ...(entry.firing ? [t('{count} firing', { count: entry.firing })] : []),
        ...(entry.resolved ? [t('{count} resolved', { count: entry.resolved })] : []),
      ].join(', ');
      const parts = {
        what: entry.reason === 'Test' ? t('test message') : counts,
        channel: entry.channelName ?? t('unknown channel'),
        answer: entry.answer ?? '',
      };
      const attempt = entry.attempt ?? 1;
      const words =
        attempt > 1
          ? t('{what} to {channel}, attempt {attempt}: {answer}', { ...parts, attempt })
          : t('{what} to {channel}: {answer}', parts);
      return (
        <span className="clip" title={words}>
          {words}
        </span>
      );
    },
  },
];
