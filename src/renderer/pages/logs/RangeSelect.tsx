import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { TimesPopover } from '../../ui/TimesPopover.tsx';
import css from './LogsPage.module.css';
import { DEFAULT_RANGE, type LogRange, type LogsSearch } from './search.ts';

const WORDS: readonly { value: LogRange; label: string }[] = [
  { value: '15m', label: 'Last 15 minutes' },
  { value: '1h', label: 'Last hour' },
  { value: '6h', label: 'Last 6 hours' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: 'all', label: 'All time' },
];

/** A range that ends now, or chosen times. */
export function RangeSelect({ search, onChange }: { search: LogsSearch; onChange(next: Partial<Record<keyof LogsSearch, unknown>>): void }): ReactNode {
  const chosen = search.from !== undefined || search.to !== undefined;
  return (
    <div className={css['range']}>
      <Select
        aria-label="Time range"
        data={WORDS}
        value={chosen ? null : (search.range ?? DEFAULT_RANGE)}
        placeholder="Chosen times"
        onChange={(range) => onChange({ range: range === DEFAULT_RANGE ? undefined : (range ?? undefined), from: undefined, to: undefined })}
        w={150}
      />
      <TimesPopover
        label="Choose times"
        fromLabel="From (your time)"
        toLabel="Until"
        clearLabel="The last hour"
        position="bottom-end"
        seconds
        times={search}
        chosen={chosen}
        onChange={(times) => onChange('to' in times ? { ...times, live: undefined } : { ...times })}
        onClear={() => onChange({ from: undefined, to: undefined })}
      />
    </div>
  );
}
