import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Panel } from '../../../../contract/dashboards.ts';
import { t } from '../../../../lib/language.ts';
import { searchLogs } from '../../../api/logs.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import { useUiSettings } from '../../../ui/settings.tsx';
import { formatClock } from '../../../ui/time-text.ts';
import css from './Dashboard.module.css';
import { logsQuery } from './panel-data.ts';
import { rangeEnds } from './range.ts';
import type { PanelView } from './use-panel.ts';

const LINES = 100;

/** The newest lines that match, with the way to all of them. */
export function LogsBody({ panel, view: { span, chosen, refreshMs } }: { panel: Panel; view: PanelView }): ReactNode {
  const [first] = panel.queries;
  const text = first?.source === 'logs' ? logsQuery(first.query, chosen) : '*';
  const { zone } = useUiSettings();
  const query = useQuery({
    queryKey: ['dashboards', 'logs', text, span] as const,
    queryFn: ({ signal }) => {
      const { from, to } = rangeEnds(span, 1000, Date.now());
      return searchLogs(
        {
          query: text,
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          limit: LINES,
          order: 'desc',
        },
        null,
        signal,
      );
    },
    refetchInterval: refreshMs === 0 ? false : refreshMs,
  });
  if (query.error !== null && !query.data)
    return (
      <ErrorState compact what={t('Could not load logs')} error={query.error} onRetry={() => void query.refetch()} />
    );
  if (!query.data) return <SkeletonLines lines={5} />;
  if (query.data.records.length === 0)
    return <p className={css['none']}>{t('No matching lines in this time range.')}</p>;
  return (
    <div className={css['lines']} tabIndex={0} role="region" aria-label={panel.title}>
      {query.data.records.map((record, i) => (
        <div key={`${String(record._time)} ${i}`} data-level={record.level}>
          <span className="dim numbers">{formatClock(Date.parse(String(record._time)), zone)}</span>{' '}
          <span className={css['level']}>{record.level}</span> {String(record._msg ?? '')}
        </div>
      ))}
      <Link to="/logs" search={{ query: text }}>
        {t('View all in Logs')}
      </Link>
    </div>
  );
}
