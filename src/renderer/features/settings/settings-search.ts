import type { RouteName } from '../../../contract/routes.ts';
import { SETTING_GROUPS, type SettingGroup } from './setting-groups.ts';
import { keyed, pageIn, sizeIn, textIn } from '../../ui/search-params.ts';

export const SETTINGS_TABS = [
  'connections',
  'appearance',
  'desktop',
  'account',
  'keys',
  'tokens',
  'people',
  'projects',
  'roles',
  'sessions',
  'secrets',
  'limits',
  'pipeline',
  'audit',
  'about',
] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

/** What a tab reads: without it, it is not offered. */
export const TAB_NEEDS: Readonly<Partial<Record<SettingsTab, RouteName>>> = {
  keys: 'keys.list',
  tokens: 'tokens.list',
  people: 'users.list',
  projects: 'projects.list',
  roles: 'roles.list',
  secrets: 'secrets.list',
  limits: 'settings.get',
  pipeline: 'logs.pipeline',
  audit: 'audit.list',
  about: 'settings.get',
};

/** View state of the settings page; the filters belong to the audit log. */
export interface SettingsSearch {
  tab?: SettingsTab;
  page?: number;
  size?: number;
  action?: string;
  actor?: string;
  target?: string;
  /** Words or a name that settings are looked for by. */
  find?: string;
  group?: SettingGroup;
  /** ID of what is open beside the list. */
  open?: string;
}

export function parseSettingsSearch(input: Record<string, unknown>): SettingsSearch {
  const tab = SETTINGS_TABS.find((t) => t === input['tab']);
  return {
    ...(tab ? { tab } : {}),
    ...pageIn(input),
    ...sizeIn(input),
    ...textIn(input, 'action'),
    ...textIn(input, 'actor'),
    ...textIn(input, 'target'),
    ...textIn(input, 'find'),
    ...keyed(
      'group',
      SETTING_GROUPS.find((group) => group === input['group']),
    ),
    ...textIn(input, 'open'),
  };
}
