import { withoutUndefined } from '../../../lib/without-undefined.ts';
import { ActionIcon, Flex, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { logRowsQuery } from '../../api/logs.ts';
import { useShortcut } from '../../keyboard/use-shortcut.ts';
import { HitsChart } from './hits/HitsChart.tsx';
import { QueryBar } from './query/QueryBar.tsx';
import { hasPipes, withFilter } from './query/edit-query.ts';
import { LogPane } from './list/LogPane.tsx';
import { useLogs } from './list/use-logs.ts';
import { ViewMenu } from '../../shell/saved-views/ViewMenu.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { CommandMenu } from './page/CommandMenu.tsx';
import { ExportMenu } from './page/ExportMenu.tsx';
import { FieldMenu } from './page/FieldMenu.tsx';
import { FollowTools } from './page/FollowTools.tsx';
import { NoLines } from './page/NoLines.tsx';
import { RangeSelect } from './page/RangeSelect.tsx';
import { ScopePills } from './page/ScopePills.tsx';
import { logsView } from './page/range.ts';
import { columnsIn, columnsText, type LogsSearch, parseLogsSearch } from './logs-search.ts';
import { ROWS_MS, TailMark } from './page/TailMark.tsx';
import type { SearchChange } from '../../ui/search-params.ts';

const route = getRouteApi('/logs');
/** A table, which few queries need. */
const PipeResult = lazy(() => import('./page/PipeResult.tsx').then((file) => ({ default: file.PipeResult })));

/** All log lines: searched, counted, followed. All of the view is in the URL. */
export function LogsPage(): ReactNode {
  const search: LogsSearch = route.useSearch();
  const navigate = route.useNavigate();
  const live = search.live === 'on';
  // Relative ranges count from when the view was asked for; the button beside them counts anew.
  const [now, setNow] = useState(() => Date.now());
  const what = JSON.stringify({ ...search, wrap: undefined, columns: undefined, colour: undefined });
  useEffect(() => setNow(Date.now()), [what]);
  const view = useMemo(() => logsView(search, now), [what, now]);
  const piped = hasPipes(search.query ?? '');
  const logs = useLogs(view.filters, live, !piped);
  const rows = useQuery({ ...logRowsQuery(view.filters), enabled: piped, refetchInterval: live ? ROWS_MS : false });
  const error = piped ? rows.error : logs.phase === 'failed' ? logs.error : null;
  const [paused, setPaused] = useState(false);
  const [total, setTotal] = useState<number | null>(null);
  useEffect(() => setPaused(false), [what]);

  const change = (next: SearchChange<LogsSearch>, replace = false) =>
    void navigate({ search: (old) => withoutUndefined({ ...old, ...next }), replace });
  const columns = useMemo(() => columnsIn(search.columns), [search.columns]);
  const onColumn = (field: string) =>
    change(
      { columns: columnsText(columns.includes(field) ? columns.filter((one) => one !== field) : [...columns, field]) },
      true,
    );
  const onFilter = (field: string, value: string, negate: boolean) =>
    change({ query: withFilter(search.query ?? '', field, value, negate) });
  const onZoom = useCallback((from: string, to: string) => change({ from, to, live: undefined }), []);
  const refused = error instanceof ApiError && error.code === 'QUERY_INVALID';
  const fault = refused ? { error, position: errorPosition(error), query: search.query ?? '' } : null;
  useShortcut('t', t('Follow new lines'), () => change({ live: live ? undefined : 'on', to: undefined }));
  useShortcut('w', t('Wrap long lines'), () => change({ wrap: search.wrap === 'on' ? undefined : 'on' }, true));

  return (
    <Page fill>
      <PageHeader
        title={t('Logs')}
        meta={live && <TailMark state={piped ? 'rows' : paused ? 'paused' : logs.tail} />}
        actions={
          <>
            <FollowTools
              search={search}
              pausable={live && !piped}
              paused={paused}
              onPause={setPaused}
              onChange={change}
            />
            <FieldMenu
              filters={view.filters}
              columns={columns}
              colour={search.colour ?? 'level'}
              onColumn={onColumn}
              onColour={(colour) => change({ colour: colour === 'level' ? undefined : colour }, true)}
              onFilter={onFilter}
            />
            <ExportMenu filters={view.filters} columns={columns} count={total} />
            <CommandMenu filters={view.filters} live={live} />
            <ViewMenu page="logs" search={search} onOpen={(kept) => void navigate({ search: parseLogsSearch(kept) })} />
          </>
        }
      />
      <Flex gap={8} wrap="wrap" align="flex-start" role="search" aria-label={t('Search logs')}>
        <QueryBar
          value={search.query ?? ''}
          onRun={(query) =>
            query === (search.query ?? '') ? setNow(Date.now()) : change({ query: query === '' ? undefined : query })
          }
          filters={view.filters}
          fault={fault}
        />
        <RangeSelect search={search} onChange={change} />
        <Tooltip label={t('Search again, up to now')}>
          <ActionIcon variant="default" size={30} aria-label={t('Search again')} onClick={() => setNow(Date.now())}>
            <IconRefresh size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Flex>
      <ScopePills search={search} onRemove={(scope) => change({ [scope]: undefined })} />
      <HitsChart filters={view.filters} from={view.from} to={view.to} live={live} onZoom={onZoom} onTotal={setTotal} />
      {piped && !refused ? (
        <Suspense fallback={null}>
          <PipeResult query={rows} />
        </Suspense>
      ) : (
        <LogPane
          label={t('Log lines, oldest first')}
          logs={refused ? { ...logs, phase: 'loading', hasRead: true } : logs}
          filters={view.filters}
          live={live}
          wrap={search.wrap === 'on'}
          columns={columns}
          colour={search.colour ?? 'level'}
          paused={paused}
          onResume={() => setPaused(false)}
          total={total}
          onFilter={onFilter}
          onColumn={onColumn}
          empty={
            <NoLines
              refused={refused}
              live={live}
              search={search}
              onQuery={(query) => change({ query })}
              onWhole={() => change({ range: 'all', from: undefined, to: undefined })}
            />
          }
        />
      )}
    </Page>
  );
}

function errorPosition(error: ApiError): number | null {
  const { position } = error.problem;
  return typeof position === 'number' ? position : null;
}
