import { t } from '../../../lib/language.ts';
import { desktop } from '../../stores/desktop.ts';

export interface SettingsEntry {
  readonly id: string;
  readonly label: string;
  readonly path: string;
  /** What else it is looked for by. */
  readonly hint: string;
}

/** Where each setting is, for whoever knows its name alone. */
export const settingsEntries = (): readonly SettingsEntry[] => [
  {
    id: 'connections',
    label: t('Connections'),
    path: '/settings?tab=connections',
    hint: t('clusters, address, token, read-only'),
  },
  {
    id: 'appearance',
    label: t('Appearance'),
    path: '/settings?tab=appearance',
    hint: t('theme, density, time zone, language'),
  },
  ...(desktop()
    ? [
        {
          id: 'desktop',
          label: t('Desktop'),
          path: '/settings?tab=desktop',
          hint: t('tray, notes, start at login, updates'),
        },
      ]
    : []),
  { id: 'keys', label: t('API keys'), path: '/settings?tab=keys', hint: t('callers of workflows') },
  { id: 'tokens', label: t('Tokens'), path: '/settings?tab=tokens', hint: t('people, workers, roles') },
  { id: 'secrets', label: t('Secrets'), path: '/settings?tab=secrets', hint: t('values for nodes') },
  {
    id: 'limits',
    label: t('Limits and retention'),
    path: '/settings?tab=limits',
    hint: t('how long jobs and logs are kept'),
  },
  { id: 'pipeline', label: t('Log pipeline'), path: '/settings?tab=pipeline', hint: t('dead letters') },
  { id: 'audit', label: t('Audit log'), path: '/settings?tab=audit', hint: t('who changed what') },
  { id: 'about', label: t('About'), path: '/settings?tab=about', hint: t('version, ports, data folder') },
  { id: 'rules', label: t('Alert rules'), path: '/alerts?tab=rules', hint: t('thresholds') },
  { id: 'silences', label: t('Silences of alerts'), path: '/alerts?tab=silences', hint: t('keep messages back') },
  { id: 'channels', label: t('Alert channels'), path: '/alerts?tab=channels', hint: t('mail, chat, paging') },
];
