import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePreferences } from '../../stores/context.tsx';
import type { Preferences } from '../../stores/preferences.ts';
import { Section } from '../../ui/Segment.tsx';
import css from './SettingsPage.module.css';

/** How this viewer sees the console; kept in this browser alone. */
export function AppearanceTab(): ReactNode {
  return (
    <Section title="Appearance">
      <Choice name="theme" label="Theme" help="System follows the machine's own setting" data={[{ value: 'system', label: 'System' }, { value: 'light', label: 'Light' }, { value: 'dark', label: 'Dark' }]} />
      <Choice name="density" label="Density" help="Height of rows and size of text" data={[{ value: 'compact', label: 'Compact' }, { value: 'regular', label: 'Regular' }, { value: 'comfortable', label: 'Comfortable' }]} />
      <Choice name="zone" label="Time zone" help="For every time in the console" data={[{ value: 'local', label: `Local (${Intl.DateTimeFormat().resolvedOptions().timeZone})` }, { value: 'utc', label: 'UTC' }]} />
      <Choice name="times" label="Times" help="The other form shows on hover" data={[{ value: 'relative', label: 'Relative (2 min ago)' }, { value: 'absolute', label: 'Absolute' }]} />
    </Section>
  );
}

function Choice<K extends 'theme' | 'density' | 'zone' | 'times'>({ name, label, help, data }: { name: K; label: string; help: string; data: { value: Preferences[K]; label: string }[] }) {
  const value = usePreferences((p) => p[name]);
  const set = usePreferences((p) => p.set);
  return (
    <div className={css['row']}>
      <div>
        <div>{label}</div>
        <div className={css['help']}>{help}</div>
      </div>
      <SegmentedControl aria-label={label} data={data} value={value} onChange={(next) => set({ [name]: next })} />
    </div>
  );
}
