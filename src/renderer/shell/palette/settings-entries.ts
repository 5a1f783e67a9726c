import type { RouteName } from '../../../contract/routes.ts';
import { t } from '../../../lib/language.ts';
import { desktop } from '../../stores/desktop.ts';

export interface SettingsEntry {
  readonly id: string;
  readonly label: string;
  readonly path: string;
  /** What else it is looked for by. */
  readonly hint: string;
  /** What it reads: without it, it is not offered. */
  readonly needs?: RouteName;
  /** Nothing for who works alone. */
  readonly together?: true;
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
    id: 'backup',
    needs: 'master.backup',
    label: t('Backup'),
    path: '/settings?tab=connections',
    hint: t('back up now, download, restore'),
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
  {
    id: 'keys',
    needs: 'keys.list',
    label: t('API keys'),
    path: '/settings?tab=keys',
    hint: t('keys for calling workflows'),
  },
  {
    id: 'tokens',
    needs: 'tokens.list',
    label: t('Tokens'),
    path: '/settings?tab=tokens',
    hint: t('users, workers, roles'),
  },
  {
    id: 'people',
    needs: 'users.list',
    together: true,
    label: t('People'),
    path: '/settings?tab=people',
    hint: t('accounts, passwords, service accounts'),
  },
  {
    id: 'projects',
    needs: 'projects.list',
    together: true,
    label: t('Projects'),
    path: '/settings?tab=projects',
    hint: t('who sees which workflows'),
  },
  {
    id: 'roles',
    needs: 'roles.list',
    together: true,
    label: t('Roles'),
    path: '/settings?tab=roles',
    hint: t('what each role allows'),
  },
  {
    id: 'account',
    needs: 'users.me',
    together: true,
    label: t('My account'),
    path: '/settings?tab=account',
    hint: t('own password and tokens'),
  },
  { id: 'sessions', label: t('Sessions'), path: '/settings?tab=sessions', hint: t('browsers that are signed in') },
  {
    id: 'secrets',
    needs: 'secrets.list',
    label: t('Secrets'),
    path: '/settings?tab=secrets',
    hint: t('credentials for nodes'),
  },
  {
    id: 'limits',
    needs: 'settings.get',
    label: t('Limits and retention'),
    path: '/settings?tab=limits',
    hint: t('how long jobs and logs are kept'),
  },
  {
    id: 'pipeline',
    needs: 'logs.pipeline',
    label: t('Log pipeline'),
    path: '/settings?tab=pipeline',
    hint: t('dead letters'),
  },
  { id: 'audit', needs: 'audit.list', label: t('Audit log'), path: '/settings?tab=audit', hint: t('who changed what') },
  {
    id: 'about',
    needs: 'settings.get',
    label: t('About'),
    path: '/settings?tab=about',
    hint: t('version, ports, data folder'),
  },
  { id: 'rules', needs: 'alertRules.list', label: t('Alert rules'), path: '/alerts?tab=rules', hint: t('thresholds') },
  {
    id: 'silences',
    needs: 'silences.list',
    label: t('Alert silences'),
    path: '/alerts?tab=silences',
    hint: t('mute notifications'),
  },
  {
    id: 'channels',
    needs: 'channels.list',
    label: t('Alert channels'),
    path: '/alerts?tab=channels',
    hint: t('email, chat, paging'),
  },
];
