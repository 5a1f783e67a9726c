import { Box, SegmentedControl, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { usePreferences } from '../../../stores/context.tsx';
import type { Preferences } from '../../../stores/preferences.ts';
import { zoneChoices } from '../../../shell/frame/zones.ts';
import { Section } from '../../../ui/Segment.tsx';
import { bindChoice } from '../../../ui/bind.ts';
import { SettingRow } from '../shared/SettingRow.tsx';

/** How this viewer sees the console; kept in this browser alone. */
export function AppearanceTab(): ReactNode {
  return (
    <Box maw={880}>
      <Section title={t('Appearance')}>
        <Choice
          name="theme"
          label={t('Theme')}
          help={t('System follows your operating system')}
          data={[
            { value: 'system', label: t('System') },
            { value: 'light', label: t('Light') },
            { value: 'dark', label: t('Dark') },
          ]}
        />
        <Choice
          name="density"
          label={t('Density')}
          help={t('Row height and text size')}
          data={[
            { value: 'compact', label: t('Compact') },
            { value: 'regular', label: t('Regular') },
            { value: 'comfortable', label: t('Comfortable') },
          ]}
        />
        <ZoneChoice />
        <Choice
          name="times"
          label={t('Times')}
          help={t('Hover shows the other format')}
          data={[
            { value: 'relative', label: t('Relative (2 min ago)') },
            { value: 'absolute', label: t('Absolute') },
          ]}
        />
        <LanguageChoice />
      </Section>
    </Box>
  );
}

/** Any zone; those of the world are found by typing. */
function ZoneChoice() {
  const value = usePreferences((p) => p.zone);
  const set = usePreferences((p) => p.set);
  return (
    <SettingRow label={t('Time zone')} help={t('For all times in the console')}>
      <Select
        aria-label={t('Time zone')}
        w={260}
        searchable
        data={zoneChoices()}
        {...bindChoice(value, (zone) => set({ zone }))}
        nothingFoundMessage={t('Unknown time zone')}
      />
    </SettingRow>
  );
}

/** The window loads again: its words are chosen before the first drawing. */
function LanguageChoice() {
  const value = usePreferences((p) => p.language);
  const set = usePreferences((p) => p.set);
  const take = (language: Preferences['language']) => {
    set({ language });
    window.location.reload();
  };
  return (
    <SettingRow label={t('Language')} help={t('Console language. Messages from the master are in English')}>
      <Select
        aria-label={t('Language')}
        data={[
          { value: 'system', label: t('System') },
          { value: 'en', label: 'English' },
          { value: 'de', label: 'Deutsch' },
        ]}
        value={value}
        onChange={(next) => next !== null && next !== value && take(next)}
      />
    </SettingRow>
  );
}

function Choice<K extends 'theme' | 'density' | 'times'>({
  name,
  label,
  help,
  data,
}: {
  name: K;
  label: string;
  help: string;
  data: { value: Preferences[K]; label: string }[];
}) {
  const value = usePreferences((p) => p[name]);
  const set = usePreferences((p) => p.set);
  return (
    <SettingRow label={label} help={help}>
      <SegmentedControl aria-label={label} data={data} value={value} onChange={(next) => set({ [name]: next })} />
    </SettingRow>
  );
}
