import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowsDiagonal, IconDotsVertical, IconDownload, IconPhoto, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import type { Panel } from '../../../../contract/dashboards.ts';
import { t } from '../../../../lib/language.ts';
import { StaleBanner } from '../../../ui/StaleBanner.tsx';
import css from './Dashboard.module.css';
import { PanelBody } from './PanelBody.tsx';
import { seriesCsv, logsQuery } from './panel-data.ts';
import { saveFile, savePicture } from '../../../ui/save-file.ts';
import type { DashboardAnnotation } from '../use-annotations.ts';
import { type PanelView, usePanel } from './use-panel.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { searchLogs } from '../../../api/logs.ts';
import { useUiSettings } from '../../../ui/settings.tsx';
import { formatClock } from '../../../ui/time-text.ts';
import { rangeEnds } from './range.ts';
import { Loading } from '../../../ui/Loading.tsx';
import { MenuItems } from '../../../ui/MenuItems.tsx';

export interface PanelCardProps {
  readonly panel: Panel;
  readonly view: PanelView;
  readonly marks: readonly DashboardAnnotation[];
  /** Pixels for what is drawn. */
  readonly height: number;
  readonly full: boolean;
  /** Absent: the panel is being edited and has no menu. */
  onFull?(full: boolean): void;
  onZoom(fromSeconds: number, toSeconds: number): void;
}

/** One panel with its title and what can be done with it. */
export function PanelCard({ panel, view, marks, height, full, onFull, onZoom }: PanelCardProps): ReactNode {
  const query = usePanel(panel, view);
  const card = useRef<HTMLElement>(null);
  const file = panel.title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const { data } = query;
  return (
    <section ref={card} className={`card ${css['card']}`} aria-label={panel.title} data-kind={panel.kind}>
      <header className={css['cardHead']}>
        <h2 className="clip" title={panel.description ?? panel.title}>
          {panel.title}
        </h2>
        {data && data.more > 0 && <span className="dim">{t('{more} more', { more: data.more })}</span>}
        {full ? (
          <ActionIcon aria-label={t('Exit full screen')} data-autofocus onClick={() => onFull?.(false)}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        ) : onFull ? (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon
                size="sm"
                data-actions={panel.id}
                aria-label={t('Actions for {title}', { title: panel.title })}
              >
                <IconDotsVertical size={15} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <MenuItems
                entries={[
                  { label: t('Full screen'), icon: IconArrowsDiagonal, run: () => onFull(true) },
                  {
                    label: t('CSV'),
                    icon: IconDownload,
                    off: !data || panel.kind === 'logs',
                    run: () => data && saveFile(`${file}.csv`, 'text/csv', seriesCsv(data)),
                  },
                  {
                    label: t('PNG'),
                    icon: IconPhoto,
                    off: panel.kind !== 'timeseries' && panel.kind !== 'heatmap',
                    run: () => card.current && savePicture(`${file}.png`, panel.title, card.current),
                  },
                ]}
              />
            </Menu.Dropdown>
          </Menu>
        ) : null}
      </header>
      <div className={css['cardBody']} style={{ height }}>
        {query.error !== null && data !== undefined && (
          <StaleBanner error={query.error} updatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />
        )}
        {panel.kind === 'logs' ? (
          <LogsBody panel={panel} view={view} />
        ) : data ? (
          <PanelBody panel={panel} data={data} marks={marks} height={height} onZoom={onZoom} />
        ) : (
          <Loading query={query} what={t('Could not load the panel')} height={Math.max(24, height - 16)} compact />
        )}
      </div>
    </section>
  );
}

const LINES = 100;

/** The newest lines that match, with the way to all of them. */
function LogsBody({ panel, view: { span, chosen, refreshMs } }: { panel: Panel; view: PanelView }): ReactNode {
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
  if (!query.data) return <Loading query={query} what={t('Could not load logs')} lines={5} compact />;
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
