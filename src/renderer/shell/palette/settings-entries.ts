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
    hint: t('clusters, URL, token, read-only'),
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
          hint: t('tray, notifications, start at login, updates'),
        },
      ]
    : []),
  { id: 'keys', label: t('API keys'), path: '/settings?tab=keys', hint: t('keys for calling workflows') },
  { id: 'tokens', label: t('Tokens'), path: '/settings?tab=tokens', hint: t('users, workers, roles') },
  { id: 'secrets', label: t('Secrets'), path: '/settings?tab=secrets', hint: t('credentials for nodes') },
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
  { id: 'silences', label: t('Alert silences'), path: '/alerts?tab=silences', hint: t('mute notifications') },
  { id: 'channels', label: t('Alert channels'), path: '/alerts?tab=channels', hint: t('email, chat, paging') },
];
