import { Button, Popover, Select, Stack, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import type { ReactNode } from 'react';
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
      <Popover position="bottom-end" shadow="md" trapFocus>
        <Popover.Target>
          <Button variant={chosen ? 'light' : 'default'} px={7} aria-label="Choose times">
            <IconCalendar size={15} aria-hidden />
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <Stack gap={8}>
            <TextInput type="datetime-local" step={1} label="From (your time)" value={localText(search.from)} onChange={(event) => onChange({ from: isoText(event.currentTarget.value) })} />
            <TextInput type="datetime-local" step={1} label="Until" value={localText(search.to)} onChange={(event) => onChange({ to: isoText(event.currentTarget.value), live: undefined })} />
            <Button variant="default" onClick={() => onChange({ from: undefined, to: undefined })}>
              The last hour
            </Button>
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}

/** The form of a `datetime-local` field with seconds, in the viewer's zone. */
function localText(iso: string | undefined): string {
  if (iso === undefined) return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
const isoText = (local: string): string | undefined => (local === '' ? undefined : new Date(local).toISOString());
