import { Flex, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { TimesPopover } from '../../../ui/TimesPopover.tsx';
import { DEFAULT_RANGE, type LogRange, type LogsSearch } from '../logs-search.ts';
import type { SearchChange } from '../../../ui/search-params.ts';

const WORDS: readonly { value: LogRange; label: string }[] = [
  { value: '15m', label: t('Last 15 minutes') },
  { value: '1h', label: t('Last hour') },
  { value: '6h', label: t('Last 6 hours') },
  { value: '24h', label: t('Last 24 hours') },
  { value: '7d', label: t('Last 7 days') },
  { value: 'all', label: t('All time') },
];

/** A range that ends now, or chosen times. */
export function RangeSelect({
  search,
  onChange,
}: {
  search: LogsSearch;
  onChange(next: SearchChange<LogsSearch>): void;
}): ReactNode {
  const chosen = search.from !== undefined || search.to !== undefined;
  return (
    <Flex gap={4}>
      <Select
        aria-label={t('Time range')}
        data={WORDS}
        value={chosen ? null : (search.range ?? DEFAULT_RANGE)}
        placeholder={t('Custom range')}
        onChange={(range) =>
          onChange({
            range: range === DEFAULT_RANGE ? undefined : (range ?? undefined),
            from: undefined,
            to: undefined,
          })
        }
        w={150}
      />
      <TimesPopover
        label={t('Custom range')}
        fromLabel={t('From (your time)')}
        toLabel={t('To (your time)')}
        clearLabel={t('Last hour')}
        position="bottom-end"
        seconds
        times={search}
        chosen={chosen}
        onChange={(times) => onChange('to' in times ? { ...times, live: undefined } : { ...times })}
        onClear={() => onChange({ from: undefined, to: undefined })}
      />
    </Flex>
  );
}
