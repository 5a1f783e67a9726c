import { t } from '../../../lib/language.ts';

/** The zones that times can be shown in: the machine's own, UTC, and all that the browser knows. */
export const zoneChoices = (): { value: string; label: string }[] => [
  { value: 'local', label: t('Local ({timeZone})', { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }) },
  { value: 'utc', label: t('UTC') },
  ...Intl.supportedValuesOf('timeZone')
    .filter((zone) => zone !== 'UTC')
    .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
];
