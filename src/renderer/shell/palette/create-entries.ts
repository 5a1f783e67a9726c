import { t } from '../../../lib/language.ts';
import { type Rights, whyNot, whyNotAdministrator } from '../../stores/permissions.ts';

export interface CreateEntry {
  /** As the page itself offers it: a command that it registers by this name opens the form. */
  readonly label: string;
  /** Where that is. */
  readonly path: string;
  readonly hint: string;
}

/** What can be made on a page of its own, for whoever is elsewhere. `alone`: nobody else works here. */
export function createEntries(rights: Rights, alone: boolean): readonly CreateEntry[] {
  const may = (action: Parameters<typeof whyNot>[1], where: Parameters<typeof whyNot>[2] = 'anywhere') =>
    whyNot(rights, action, where) === null;
  const entries: readonly (CreateEntry | false)[] = [
    may('alerts.manage') && { label: t('New rule'), path: '/alerts?tab=rules', hint: t('Alerts') },
    may('alerts.operate', null) && { label: t('New silence'), path: '/alerts?tab=silences', hint: t('Alerts') },
    may('alerts.manage', null) && { label: t('New channel'), path: '/alerts?tab=channels', hint: t('Alerts') },
    may('workflows.publish') && { label: t('New schedule'), path: '/schedules', hint: t('Schedules') },
    may('dashboards.write') && { label: t('New dashboard'), path: '/dashboards', hint: t('Dashboards') },
    may('keys.manage') && { label: t('New API key'), path: '/settings?tab=keys', hint: t('Settings') },
    may('secrets.manage') && { label: t('New secret'), path: '/settings?tab=secrets', hint: t('Settings') },
    may('people.manage', null) && { label: t('New token'), path: '/settings?tab=tokens', hint: t('Settings') },
    !alone &&
      may('people.manage', null) && { label: t('New account'), path: '/settings?tab=people', hint: t('Settings') },
    !alone &&
      may('people.manage', null) && { label: t('New project'), path: '/settings?tab=projects', hint: t('Settings') },
    !alone &&
      whyNotAdministrator(rights) === null && {
        label: t('New role'),
        path: '/settings?tab=roles',
        hint: t('Settings'),
      },
  ];
  return entries.filter((entry) => entry !== false);
}
