import { ActionIcon, Button, Select } from '@mantine/core';
import { IconRefresh, IconZoomOut } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { isOneOf } from '../../../../lib/is-one-of.ts';
import type { DashboardDefinition } from '../../../../contract/dashboards.ts';
import { t } from '../../../../lib/language.ts';
import { parseDuration, RANGES, type RangeName, type Span, RANGE_NAMES } from './range.ts';
import type { PanelView } from './use-panel.ts';
import { useUiSettings } from '../../../ui/settings.tsx';
import { formatClock, formatInstant } from '../../../ui/time-text.ts';
import { type DashboardSearch, REFRESHES, type Refresh } from '../dashboard-search.ts';
import type { SearchChange } from '../../../ui/search-params.ts';

type TimeSearch = Pick<DashboardSearch, 'range' | 'from' | 'to' | 'refresh'>;
export const RANGE_WORDS: Readonly<Record<RangeName, string>> = {
  '15m': t('Last 15 minutes'),
  '1h': t('Last hour'),
  '6h': t('Last 6 hours'),
  '24h': t('Last 24 hours'),
  '7d': t('Last 7 days'),
  '30d': t('Last 30 days'),
};

/** The time that a page shows by its address, and by `first` where that says nothing. */
export function timeOf(
  { from, to, range, refresh }: TimeSearch,
  first: DashboardDefinition['time'],
): Pick<PanelView, 'span' | 'refreshMs'> & { refresh: Refresh; fixed: boolean } {
  const fixed = from !== undefined && to !== undefined;
  const span: Span = fixed
    ? { from: Date.parse(from), to: Date.parse(to) }
    : { last: range ? RANGES[range] : (parseDuration(first.last) ?? RANGES['1h']) };
  const every = refresh ?? nearest(first.refreshSeconds);
  return { span, fixed, refresh: every, refreshMs: fixed || every === 'off' ? 0 : (parseDuration(every) ?? 0) };
}

/** Time range, refresh, and reading anew. */
export function TimeTools({
  search,
  first,
  onChange,
}: {
  search: TimeSearch;
  first: DashboardDefinition['time'];
  onChange(next: SearchChange<TimeSearch>): void;
}): ReactNode {
  const client = useQueryClient();
  const { zone } = useUiSettings();
  const { fixed, refresh } = timeOf(search, first);
  const times = fixed
    ? `${formatInstant(Date.parse(search.from ?? ''), zone, false)} – ${formatClock(Date.parse(search.to ?? ''), zone)}`
    : '';
  // One takes the place of the other, and the focus of it.
  const leaves = useRef(false);
  const zoomOut = () => {
    leaves.current = true;
    onChange({ from: undefined, to: undefined });
  };
  const taken = (range: HTMLInputElement | null) => {
    if (range !== null && leaves.current) range.focus({ preventScroll: true });
    leaves.current = false;
  };
  return (
    <>
      {fixed ? (
        <Button
          variant="light"
          leftSection={<IconZoomOut size={15} aria-hidden />}
          aria-label={t('{times}: zoom out', { times })}
          data-hint={t('Zoom out')}
          onClick={zoomOut}
        >
          <span className="numbers">{times}</span>
        </Button>
      ) : (
        <Select
          ref={taken}
          aria-label={t('Time range')}
          w={150}
          data={RANGE_NAMES.map((value) => ({ value, label: RANGE_WORDS[value] }))}
          value={search.range ?? nameOf(first.last)}
          onChange={(range) => onChange({ range: range ?? undefined })}
        />
      )}
      <Select
        aria-label={t('Refresh')}
        w={100}
        disabled={fixed}
        data={REFRESHES.map((value) => ({
          value,
          label: value === 'off' ? t('Auto-refresh off') : t('Every {value}', { value }),
        }))}
        value={fixed ? 'off' : refresh}
        onChange={(value) => onChange({ refresh: value ?? undefined })}
      />
      <ActionIcon
        variant="default"
        size={30}
        aria-label={t('Reload all panels')}
        onClick={() =>
          void client.invalidateQueries({
            queryKey: ['dashboards'],
            predicate: ({ queryKey }) => queryKey[1] === 'panel' || queryKey[1] === 'logs',
          })
        }
      >
        <IconRefresh size={15} aria-hidden />
      </ActionIcon>
    </>
  );
}

const nameOf = (last: string): RangeName | null => (isOneOf(RANGE_NAMES, last) ? last : null);
const nearest = (seconds: number): Refresh =>
  seconds === 0 ? 'off' : (REFRESHES.find((one) => (parseDuration(one) ?? 0) >= seconds * 1000) ?? '5m');
